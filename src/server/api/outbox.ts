/** Effects that wait, and people's decisions about them. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import type { Done } from "../actions.ts";
import { masked } from "../access/mask.ts";
import { NOT_FOUND, refuse, type Problem } from "../problem.ts";
import {
  AccountId,
  EffectPath,
  limit,
  MayReason,
  MayRev,
  Reason,
  reveal,
} from "./openapi/shapes.ts";
import { route, type ApiRoute } from "./openapi/route.ts";

/** An action's result as an answer. */
export function answerOf(done: Done): Json | Problem {
  if (done.ok) return { ok: true, ...done.detail };
  switch (done.reason) {
    case "absent":
      return NOT_FOUND;
    case "unseen":
      return refuse("REV_MISSING", done.message, 400);
    case "stale":
      return refuse("STALE", done.message);
    case "refused":
      return refuse("REFUSED", done.message, 409, done.why);
  }
}

/** Who decides, why, and what was seen. */
function said(actor: string, { reason, rev }: { reason: string; rev?: number | undefined }) {
  return { actor, reason, ...(rev === undefined ? {} : { rev }) };
}

export const outboxRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/outbox",
    summary: "Effects that are not finished",
    query: z.object({
      account: AccountId.optional(),
      state: z.enum(["pending", "inflight", "held", "enqueued"]).optional(),
      limit: limit(1_000, 200),
      reveal,
    }),
    deed: "outbox.reveal",
    handle: async ({ query }, { deps }) => {
      const { account, state } = query;
      const items = await deps.store.views.effects({
        limit: query.limit,
        ...(account ? { account } : {}),
        ...(state ? { state } : {}),
      });
      return { items: items.map((item) => masked(item as unknown as Json, query.reveal)) };
    },
  }),
  route({
    method: "POST",
    path: "/outbox/:account/:contact/:id/retry",
    summary: "Sends an effect again; refused for what files taxes",
    params: EffectPath,
    body: MayReason.unwrap().extend({ rev: MayRev }).default({ reason: "" }),
    deed: "outbox.retry",
    handle: async ({ params, body, actor }, { deps }) =>
      answerOf(await deps.actions.decideEffect(params, "retry", said(actor, body))),
  }),
  route({
    method: "POST",
    path: "/outbox/:account/:contact/:id/resolve",
    summary: "Records how an unknown effect ended",
    params: EffectPath,
    body: z.object({ decision: z.enum(["done", "failed"]), reason: Reason, rev: MayRev }),
    deed: "outbox.resolve",
    handle: async ({ params, body, actor }, { deps }) =>
      answerOf(await deps.actions.decideEffect(params, body.decision, said(actor, body))),
  }),
  route({
    method: "POST",
    path: "/outbox/:account/:contact/:id/discard",
    summary: "Gives an effect up",
    params: EffectPath,
    body: z.object({ reason: Reason, rev: MayRev }),
    deed: "outbox.discard",
    handle: async ({ params, body, actor }, { deps }) =>
      answerOf(await deps.actions.decideEffect(params, "discard", said(actor, body))),
  }),
];
