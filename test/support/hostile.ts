/** Bodies no honest engine posts, kept in one file: `parts` are pieces and how often each is repeated. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Hostile {
  readonly title: string;
  readonly text: string;
  /** Whether the guard lets it through to the channel; `either` where the channels differ in taking it. */
  readonly read: boolean | "either";
}

interface Kept extends Omit<Hostile, "text"> {
  readonly parts: readonly (readonly [string, number])[];
}

const file = path.resolve(import.meta.dirname, "../fixtures/hostile-bodies.json");

export const hostileBodies: readonly Hostile[] = (
  JSON.parse(readFileSync(file, "utf8")) as readonly Kept[]
).map(({ parts, ...rest }) => ({
  ...rest,
  text: parts.map(([piece, times]) => piece.repeat(times)).join(""),
}));
