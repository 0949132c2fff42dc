/** What this installation is: its live events, backlog, audit log and own description, its keys and flows, and its clock beside a sandbox. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { NOT_FOUND, OVERLOADED } from "../problem.ts";
import { type ApiRoute, limit, MayReason, reveal, route, SENT } from "./route.ts";

export const metaRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/meta",
    summary: "What runs here: version, store, gateway, accounts, clock",
    handle: async (_call, { deps }) => {
      const [info, accounts] = await Promise.all([deps.store.info(), deps.accounts.list()]);
      return {
        name: "prosa",
        version: deps.version,
        startedAt: deps.startedAt,
        store: { kind: info.kind, durability: info.durability, sentence: info.sentence },
        sandbox: deps.sandboxUrl === null ? null : { url: deps.sandboxUrl },
        gateway: { url: deps.gatewayUrl },
        accounts: accounts.map(({ id, name }) => ({ id, name })),
        locale: "pt-BR",
        clock: { now: deps.clock.now(), offsetMs: deps.clock.offsetMs() },
        roles: deps.roles,
      };
    },
  }),
  route({
    method: "GET",
    path: "/events",
    summary: "Live events as server-sent events; Last-Event-ID replays up to 1,000",
    query: z.object({ reveal }),
    answers: "text/event-stream",
    deed: "events.reveal",
    handle: async ({ request, reply, query }, { streams }) =>
      streams.open(request, reply, query.reveal) ? SENT : OVERLOADED,
  }),
  route({
    method: "GET",
    path: "/backlog",
    summary: "What waits, and the conservation counters",
    handle: async (_call, { deps }) => ({ ...(await deps.store.views.backlog()) }),
  }),
  route({
    method: "GET",
    path: "/audit",
    summary: "Who changed what, newest first",
    query: z.object({ limit: limit(1_000, 100) }),
    handle: async ({ query }, { audit }) => ({ items: await audit.list(query.limit) }),
  }),
  route({
    method: "GET",
    path: "/openapi.json",
    summary: "This description",
    handle: async (_call, { openapi }) => openapi(),
  }),
];

/** The entries of `PROSA_KEYS`: what each still wraps, and wrapping anew what older ones wrap. */
export const keyRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/keys",
    summary: "Data keys by the entry of PROSA_KEYS that wraps them; names and counts only",
    handle: async (_call, { deps }) => ({ ...(await deps.store.census()) }),
  }),
  route({
    method: "POST",
    path: "/keys/rewrap",
    summary: "Wraps every data key by the active entry, so that older ones can be taken out",
    body: MayReason,
    deed: "keys.rewrap",
    handle: async (_call, { deps }) => ({ ...(await deps.store.census({ rewrap: true })) }),
  }),
];

/** Epoch milliseconds. The sandbox tells its time as ISO 8601. */
const Time = z.union([z.number().int().positive().max(8.64e15), z.iso.datetime({ offset: true })]);

/**
 * The virtual clock and the wait for quiet: against a sandbox only. Only the sandbox on this machine sets the clock,
 * because two that differ would run one system on two times. Operators move both by `/api/sandbox/clock`.
 */
export const controlRoutes: readonly ApiRoute[] = [
  route({
    method: "POST",
    path: "/clock",
    summary: "Follows the sandbox's clock; answers when due timers have drained",
    only: "sandbox",
    open: "alone",
    body: z.object({ now: Time, back: z.boolean().default(false) }),
    handle: async ({ body: { now, back } }, { deps }) => ({
      now: await deps.actions.setClock(typeof now === "number" ? now : Date.parse(now), back),
    }),
  }),
  route({
    method: "POST",
    path: "/turns/drain",
    summary: "Answers when no mail, timer or effect is due",
    only: "sandbox",
    open: "also",
    handle: async (_call, { deps }) => {
      await deps.actions.drain();
      return { quiet: true };
    },
  }),
];

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
