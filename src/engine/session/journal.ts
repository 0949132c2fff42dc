/**
 * One record for each turn: what came in, what changed, and which effects were asked for. Console, tests, audit and support read it;
 * because a browser does, it imports nothing of Node.
 */
import { z } from "zod";
import { Effect } from "./effect.ts";
import { Mail } from "./mail.ts";

export const JournalRecord = z.object({
  /** Session revision after the turn. */
  rev: z.number().int(),
  /** Virtual time of the turn, ms. */
  at: z.number(),
  event: z.string(),
  mail: Mail,
  /** Per frame touched: flow, step before and after, transitions and guards taken. */
  moves: z.array(
    z.object({
      frame: z.string(),
      flow: z.string(),
      from: z.string().optional(),
      to: z.string().optional(),
      event: z.string(),
      handled: z.boolean(),
      trace: z.array(z.string()),
    }),
  ),
  /** Text of the message, as sent. */
  said: z.string().optional(),
  effects: z.array(Effect),
  timers: z.array(z.object({ name: z.string(), due: z.number() })),
  /** How long ago the fired timer was due, ms; only from a second on. */
  lateMs: z.number().optional(),
  /** Why nothing was said, when nothing was: `handoff`, `opt-out`, `ignored`, `stale`, `waiting`. */
  quiet: z.string().optional(),
  /** This message made it two machines that talk to each other: from here on nothing is answered for an hour. */
  cut: z.literal(true).optional(),
  /** A message from the business's phone was recognised by its time as the app's own greeting. */
  automatic: z.literal(true).optional(),
});
export type JournalRecord = z.output<typeof JournalRecord>;
