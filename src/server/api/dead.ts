/** Dead letters: mail that could not be applied, kept until a person decides. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { masked } from "../access/mask.ts";
import { NOT_FOUND } from "../problem.ts";
import { AccountId, type ApiRoute, limit, MayReason, reveal, route, WithReason } from "./route.ts";

const DeadPath = z.object({ id: z.string().min(1).max(300) });

export const deadRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/dead",
    summary: "Dead letters, oldest first",
    query: z.object({
      account: AccountId.optional(),
      after: z.string().max(300).optional(),
      limit: limit(1_000, 100),
      reveal,
    }),
    deed: "dead.reveal",
    handle: async ({ query }, { deps }) => {
      const { account, after } = query;
      const page = await deps.store.deadLetters.list({ limit: query.limit, account, after });
      const items = page.items.map((item) => masked(item as unknown as Json, query.reveal));
      return { items, next: page.next };
    },
  }),
  route({
    method: "GET",
    path: "/dead/:id",
    summary: "One dead letter",
    params: DeadPath,
    query: z.object({ reveal }),
    deed: "dead.reveal",
    handle: async ({ params, query }, { deps }) => {
      const { items } = await deps.store.deadLetters.list({ id: params.id, limit: 1 });
      const [item] = items;
      return item ? masked(item as unknown as Json, query.reveal) : NOT_FOUND;
    },
  }),
  route({
    method: "POST",
    path: "/dead/:id/release",
    summary: "Puts a dead letter back into its mailbox",
    params: DeadPath,
    body: MayReason,
    deed: "dead.release",
    handle: async ({ params }, { deps }) =>
      (await deps.store.deadLetters.resolve(params.id, "release")) ? { ok: true } : NOT_FOUND,
  }),
  route({
    method: "POST",
    path: "/dead/:id/drop",
    summary: "Drops a dead letter for good",
    params: DeadPath,
    body: WithReason,
    deed: "dead.drop",
    handle: async ({ params }, { deps }) =>
      (await deps.store.deadLetters.resolve(params.id, "drop")) ? { ok: true } : NOT_FOUND,
  }),
];
