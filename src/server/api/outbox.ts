/** Effects that wait and people's decisions about them, scopes whose sends wait, and classes held back after a fail-over. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { masked } from "../access/mask.ts";
import type { Done } from "../deps.ts";
import { NOT_FOUND, type Problem, refuse } from "../problem.ts";
import {
  AccountId,
  type ApiRoute,
  EffectPath,
  limit,
  MayReason,
  MayRev,
  Reason,
  reveal,
  route,
} from "./route.ts";

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
      const items = await deps.store.views.effects({ limit: query.limit, account, state });
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
      answerOf(await deps.actions.decideEffect(params, "retry", { ...body, actor })),
  }),
  route({
    method: "POST",
    path: "/outbox/:account/:contact/:id/resolve",
    summary: "Records how an unknown effect ended",
    params: EffectPath,
    body: z.object({ decision: z.enum(["done", "failed"]), reason: Reason, rev: MayRev }),
    deed: "outbox.resolve",
    handle: async ({ params, body: { decision, ...said }, actor }, { deps }) =>
      answerOf(await deps.actions.decideEffect(params, decision, { ...said, actor })),
  }),
  route({
    method: "POST",
    path: "/outbox/:account/:contact/:id/discard",
    summary: "Gives an effect up",
    params: EffectPath,
    body: z.object({ reason: Reason, rev: MayRev }),
    deed: "outbox.discard",
    handle: async ({ params, body, actor }, { deps }) =>
      answerOf(await deps.actions.decideEffect(params, "discard", { ...body, actor })),
  }),
];

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
