/** Checks the shape of script replies. Another shape is a bug of ours or a foreign server. */
import type { Reply } from "./client.ts";

export function list(reply: Reply | undefined): readonly Reply[] {
  if (!Array.isArray(reply)) throw new TypeError("A script answered no list.");
  return reply as readonly Reply[];
}

export function text(reply: Reply | undefined): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw new TypeError("A script answered no text.");
}

export function number(reply: Reply | undefined): number {
  return Number(text(reply));
}

/**
 * Each answer, or `unknown` in its place, so that one node that is away does not fail the others. Throws when none has
 * answered.
 */
export async function orUnknown<T, U>(
  asked: readonly Promise<T>[],
  unknown: U,
): Promise<(T | U)[]> {
  const answers = await Promise.allSettled(asked);
  const [first] = answers;
  if (first?.status === "rejected" && answers.every(({ status }) => status === "rejected"))
    throw first.reason;
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : unknown));
}
