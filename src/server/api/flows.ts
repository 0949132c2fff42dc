/** Loaded flows and their charts. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { NOT_FOUND } from "../problem.ts";
import { route, type ApiRoute } from "./openapi/route.ts";

const FlowPath = z.object({ flow: z.string().regex(/^[a-z][a-z0-9-]{0,60}$/) });

export const flowRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/flows",
    summary: "Loaded flows with their lint",
    handle: async (_call, { deps }) => ({ items: await deps.actions.flows() }),
  }),
  route({
    method: "GET",
    path: "/flows/occupied",
    summary: "Versions of flows that conversations are in, with how many rest at each step",
    handle: async (_call, { deps }) => ({ items: await deps.actions.occupied() }),
  }),
  route({
    method: "GET",
    path: "/flows/:flow/graph",
    summary: "The folded chart of a flow",
    params: FlowPath,
    handle: async ({ params }, { deps }) =>
      ((await deps.actions.chart(params.flow)) as unknown as Json) ?? NOT_FOUND,
  }),
  route({
    method: "GET",
    path: "/flows/:flow/layout",
    summary: "The chart with places, as it is drawn",
    params: FlowPath,
    handle: async ({ params }, { deps }) => (await deps.actions.layout(params.flow)) ?? NOT_FOUND,
  }),
];
