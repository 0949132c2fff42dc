/** Shapes of the timers in a session. They need no other code, because the console reads mail that holds them. */
import { z } from "zod";

/** A durable timer. `due` in ms of the virtual clock; fires once, also when it was due while we were down. */
export const Timer = z.object({ name: z.string(), due: z.number(), gen: z.number().int() });
export type Timer = z.output<typeof Timer>;

/** Free text that waits a moment for more. */
export const Burst = z.object({
  texts: z.array(z.string()).max(20),
  /** Ids of their messages, in the same order. */
  ids: z.array(z.string()).max(20).optional(),
  since: z.number(),
  due: z.number(),
  of: z.string(),
});
