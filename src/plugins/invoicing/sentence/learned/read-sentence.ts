/** A sentence as the rules left it. */
import type { Draft } from "../sentence.ts";

export interface Sentence {
  /** As it was when documents, days and ways to reach somebody were cut out, and nothing else. */
  readonly draft: Pick<Draft, "line" | "parts">;
  /** Before anything was cut out. */
  readonly line: string;
  /** As it came. */
  readonly text: string;
  /** Words that make the amount doubtful stand in it. */
  readonly doubtful: boolean;
  /** The rules hold it for talk. */
  readonly refused: boolean;
  /** `YYYY-MM-DD` where the account is. */
  readonly today: string;
}
