/** What this installation is, its live events, its backlog, its audit log and its own description. */
import { z } from "zod";
import { OVERLOADED } from "../../problem.ts";
import { limit, reveal } from "./shapes.ts";
import { route, SENT, type ApiRoute } from "./route.ts";

export const metaRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/meta",
    summary: "What runs here: version, store, gateway, accounts, clock",
    handle: async (_call, { deps }) => {
      const [info, accounts] = await Promise.all([deps.store.info(), deps.accounts.list()]);
      return {
        name: deps.name,
        version: deps.version,
        startedAt: deps.startedAt,
        store: { kind: info.kind, durability: info.durability, sentence: info.sentence },
        sandbox: deps.sandboxUrl === null ? null : { url: deps.sandboxUrl },
        gateway: { url: deps.gatewayUrl },
        accounts: accounts.map(({ id, name }) => ({ id, name })),
        locale: deps.locale,
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
