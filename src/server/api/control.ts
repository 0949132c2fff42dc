/**
 * The virtual clock and the wait for quiet: against a sandbox only. Only the sandbox on this machine sets the clock,
 * because two that differ would run one system on two times. Operators move both by `/api/sandbox/clock`.
 */
import { z } from "zod";
import { route, type ApiRoute } from "./openapi/route.ts";

/** Epoch milliseconds. The sandbox tells its time as ISO 8601. */
const Time = z.union([z.number().int().positive().max(8.64e15), z.iso.datetime({ offset: true })]);

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
