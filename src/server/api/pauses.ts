/** Scopes whose sends wait, and classes held back after a fail-over. */
import { z } from "zod";
import { NOT_FOUND } from "../problem.ts";
import { Reason } from "./openapi/shapes.ts";
import { route, type ApiRoute } from "./openapi/route.ts";

/** Longest pause that ends by itself, s: a day. */
const SECONDS_MAX = 86_400;

/** `plan:demo`, or of one channel with a number of its own `plan:demo:sms`. */
const Scope = z.string().regex(/^[a-z]+(:[A-Za-z0-9._-]{1,80}){0,2}$/);

export const pauseRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/pauses",
    summary: "Paused scopes with their reasons",
    handle: async (_call, { deps }) => {
      const pauses = await deps.store.scopes.pauses();
      return { items: [...pauses].map(([scope, pause]) => ({ scope, ...pause })) };
    },
  }),
  route({
    method: "POST",
    path: "/pauses",
    summary:
      "Pauses a scope: its effects wait in order; with `seconds` it ends by itself, and one of another reason stays",
    body: z.object({
      scope: Scope,
      reason: Reason,
      seconds: z.number().int().min(1).max(SECONDS_MAX).optional(),
    }),
    deed: "pauses.pause",
    handle: async ({ body }, { deps }) => {
      const { scope, reason, seconds } = body;
      // Leases follow the store's real time: workers end them by it.
      const lease =
        seconds === undefined
          ? undefined
          : { until: (await deps.store.now()) + seconds * 1_000, over: [reason] };
      const changed = await deps.store.scopes.pause(scope, reason, lease);
      if (changed) deps.hub.publish({ type: "pause", scope: body.scope, reason: body.reason });
      return { ok: true, changed };
    },
  }),
  route({
    method: "DELETE",
    path: "/pauses/:scope",
    summary: "Resumes a scope",
    params: z.object({ scope: Scope }),
    deed: "pauses.resume",
    handle: async ({ params }, { deps }) => {
      return (await deps.actions.resumeScope(params.scope)) ? { ok: true } : NOT_FOUND;
    },
  }),
  route({
    method: "GET",
    path: "/hold",
    summary: "Classes held back until a person releases them",
    handle: async (_call, { deps }) => ({ items: await deps.actions.holds() }),
  }),
  route({
    method: "DELETE",
    path: "/hold/:class",
    summary: "Releases a held class",
    params: z.object({ class: z.string().regex(/^[a-z]{1,30}$/) }),
    deed: "hold.release",
    handle: async ({ params }, { deps }) =>
      (await deps.actions.releaseHold(params.class)) ? { ok: true } : NOT_FOUND,
  }),
];
