/** Conversations: list, look into, export, forget, release. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { wholeRecord } from "../../engine/index.ts";
import type { EffectView } from "../../store/port/port.ts";
import type { ServerDeps } from "../deps.ts";
import { masked } from "../access/mask.ts";
import { NOT_FOUND } from "../problem.ts";
import { liveOf, shown, zonesOf } from "../session-live.ts";
import { mailFromOperator, mailTo } from "./handoffs.ts";
import { answerOf } from "./outbox.ts";
import { AccountId, type ApiRoute, ContactPath, limit, reveal, route } from "./route.ts";

/** What an event may bring, characters of JSON: it becomes part of the session. */
const EVENT_LIMIT = 4_096;
/** Effects in a person's copy, so that the answer fits into memory. */
const EFFECTS = 10_000;
const EFFECTS_PAGE = 500;

export const sessionRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/sessions",
    summary: "Conversations with their live step",
    query: z.object({
      account: AccountId.optional(),
      after: z.string().max(200).optional(),
      limit: limit(1_000, 50),
      reveal,
    }),
    deed: "sessions.reveal",
    handle: async ({ query }, { deps }) => {
      const { account, after } = query;
      const page = await deps.store.views.sessions({ limit: query.limit, account, after });
      const zone = await zonesOf(deps);
      const items = page.items.map((view) => ({
        ...shown(liveOf(view, deps, zone(view.account)), deps, query.reveal),
        updatedAt: view.updatedAt,
        rev: view.rev,
      }));
      return { items, next: page.next };
    },
  }),
  route({
    method: "GET",
    path: "/sessions/:account/:contact",
    summary: "One conversation: live view and envelope, documents hidden unless revealed",
    params: ContactPath,
    query: z.object({ reveal }),
    deed: "sessions.reveal",
    handle: async ({ params, query }, { deps }) => {
      const view = await deps.store.views.session(params.account, params.contact);
      if (!view) return NOT_FOUND;
      const zone = await zonesOf(deps);
      const live = liveOf(view, deps, zone(view.account));
      return {
        live: shown(live, deps, query.reveal),
        session: masked(view.session, query.reveal),
        rev: view.rev,
        updatedAt: view.updatedAt,
      };
    },
  }),
  route({
    method: "GET",
    path: "/sessions/:account/:contact/journal",
    summary: "The last turns, newest last",
    params: ContactPath,
    query: z.object({ limit: limit(500, 100), reveal }),
    deed: "journal.reveal",
    handle: async ({ params, query }, { deps }) => {
      const newestFirst = await deps.store.views.journal(
        params.account,
        params.contact,
        query.limit,
      );
      const items = newestFirst.map((item) => masked(wholeRecord(item), query.reveal));
      return { items: items.reverse() };
    },
  }),
  route({
    method: "GET",
    path: "/sessions/:account/:contact/export",
    summary:
      "Everything kept about one person, unmasked: their own copy. Of more than 10,000 effects the latest, then `effectsMore` is true",
    params: ContactPath,
    deed: "sessions.export",
    handle: exportOf,
  }),
  route({
    method: "DELETE",
    path: "/sessions/:account/:contact",
    summary: "Forgets a person: drops the data key and everything under it",
    params: ContactPath,
    deed: "sessions.forget",
    handle: async ({ params }, { deps }) =>
      answerOf(await deps.actions.forget(params.account, params.contact)),
  }),
  route({
    method: "POST",
    path: "/sessions/:account/:contact/events",
    summary: "Tells a conversation that something happened outside; the same id counts once",
    params: ContactPath,
    body: z.object({
      name: z.string().regex(/^[a-z][a-z0-9.-]{0,99}$/),
      data: z
        .record(z.string().max(100), z.json())
        .default({})
        .refine((data) => JSON.stringify(data).length <= EVENT_LIMIT, "at most 4 KB"),
      id: z.string().min(1).max(100).optional(),
    }),
    deed: "sessions.event",
    handle: async ({ params, body }, { deps }) => {
      const { name, data, id } = body;
      return mailTo(deps, params, `event:${id ?? deps.newId()}`, { kind: "event", name, data });
    },
  }),
  route({
    method: "POST",
    path: "/sessions/:account/:contact/release",
    summary: "Lets a parked or paused conversation go on",
    params: ContactPath,
    deed: "sessions.release",
    handle: async ({ params, actor }, { deps }) =>
      mailFromOperator(deps, params, { action: "release", actor }),
  }),
];

/** What has not left for one contact, the oldest first; of too many the latest, and `effectsMore` says so. */
async function effectsOf(
  { store }: ServerDeps,
  params: z.output<typeof ContactPath>,
): Promise<{ readonly effects: readonly EffectView[]; readonly effectsMore: boolean }> {
  // An effect may be on two pages when others are asked for meanwhile.
  const found = new Map<string, EffectView>();
  let after: string | undefined;
  do {
    const page = await store.views.effectsOf({ ...params, after, limit: EFFECTS_PAGE });
    for (const effect of page.items) {
      if (found.size === EFFECTS && !found.has(effect.id))
        return { effects: [...found.values()].reverse(), effectsMore: true };
      found.set(effect.id, effect);
    }
    after = page.next;
  } while (after !== undefined);
  return { effects: [...found.values()].reverse(), effectsMore: false };
}

async function exportOf(
  { params }: { readonly params: z.output<typeof ContactPath> },
  { deps }: { readonly deps: ServerDeps },
) {
  const { account, contact } = params;
  const view = await deps.store.views.session(account, contact);
  if (!view) return NOT_FOUND;
  const [journal, { effects, effectsMore }, documents] = await Promise.all([
    // No journal is longer.
    deps.store.views.journal(account, contact, 1_000),
    effectsOf(deps, params),
    deps.actions.documentsOf(account, contact),
  ]);
  const all = {
    at: deps.clock.now(),
    account,
    contact,
    session: view.session,
    effects,
    effectsMore,
    documents,
    journal: journal.map(wholeRecord),
  };
  return masked(all as unknown as Json, true);
}
