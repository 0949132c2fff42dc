/** Why the operator API said no, in the console's language where that has words for it. Pure. */

export interface Refusal {
  readonly code?: string;
  /** English, as the server says it. */
  readonly message?: string;
  /** Exactly this refusal, where a code has several. */
  readonly why?: string;
}

/** By its reason, else by its code, else as the server says it. `told`: the text of a key, or the fallback. */
export function sentenceOf(
  told: (key: string, fallback: string) => string,
  status: number,
  { code = "", why = "", message = `HTTP ${status}` }: Refusal = {},
): string {
  return told(`problem.${why}`, told(`problem.${code}`, message));
}
