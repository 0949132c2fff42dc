/** Parameters and bodies that several operations share. */
import { z } from "zod";

export const AccountId = z.string().regex(/^[a-z][a-z0-9-]{1,40}$/);
export const ContactId = z.string().regex(/^[0-9a-f]{32}$/);

export const AccountPath = z.object({ id: AccountId });
export const ContactPath = z.object({ account: AccountId, contact: ContactId });
export const EffectPath = ContactPath.extend({ id: z.string().min(1).max(300) });

/** Said by `1` or `true`. */
export const flag = z
  .enum(["0", "1", "true", "false", ""])
  .default("0")
  .transform((value) => value === "1" || value === "true");

/** `?reveal=1` shows people's numbers and is written into the audit log. */
export const reveal = flag;

/** Rows per answer. */
export function limit(most: number, usual: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

export const Reason = z.string().trim().min(1).max(500);
export const WithReason = z.object({ reason: Reason });

/** What was decided about. It is told again where the decision does not fit any more. */
export const Rev = z
  .number()
  .int()
  .min(0)
  .describe(
    "the number `rev` that was shown with it (list and detail tell it), so that nothing is decided that changed since",
  );
export const MayRev = Rev.optional().describe(
  `${Rev.description ?? ""}; demanded of what costs or files taxes`,
);

/** For deeds that need no reason. */
export const MayReason = z
  .object({ reason: z.string().trim().max(500).default("") })
  .default({ reason: "" });
