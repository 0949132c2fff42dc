/** A wish to cancel an issued note: which, why, and in the words that go to the authority. */
import { z } from "zod";

/** Reasons of the national cancellation event (101101), as flows name them. */
export const CANCEL_CODES = { error: "1", undone: "2", other: "9" } as const;

export const CancelInput = z.object({
  /** Id of the note's record. */
  note: z.string().max(64),
  reason: z.enum(["error", "undone", "other"]),
  why: z.string().min(15).max(255),
});
export type CancelInput = z.output<typeof CancelInput>;
