/** One line of a contact's journal for a finished effect. */
import { z } from "zod";
import { ShownRequest } from "../../engine/index.ts";

export const EffectLine = z.object({
  type: z.literal("effect"),
  effect: z.string(),
  /** `send`, `peer`, or the name of the call. */
  name: z.string(),
  outcome: z.string(),
  attempt: z.number().int(),
  at: z.number(),
  reason: z.string().optional(),
  /** The text may have arrived twice. */
  possibleDuplicate: z.boolean().optional(),
  /** Why it was not sent after all: `handoff`, `opt-out`, `collapsed`, `echoed`. */
  dropped: z.string().optional(),
  sent: z.object({ id: z.string().optional(), hashes: z.array(z.string()) }).optional(),
  /** The request that the message showed, when its id was not known at its end. */
  request: ShownRequest.optional(),
});
export type EffectLine = z.output<typeof EffectLine>;
