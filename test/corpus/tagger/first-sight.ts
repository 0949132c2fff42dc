/**
 * What rules made of strangers' sentences when they met them first, before anybody mended a rule by them. The judges of the
 * second opinion learn from it how far rules are to be trusted with texts that nobody has read: of today's rules the open texts
 * tell nothing. Written once for every hand (`first-sight.jsonl`), by the rules of that day:
 * `e546eb2`, `2bb589b`, `afe792d`, `5ff3fb4`, `cc40246` and later ones.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { InvoiceSentence } from "../../../src/plugins/invoicing/sentence/sentence.ts";
import type { Labelled } from "../labels.ts";

export interface FirstSight {
  /** Who wrote it. */
  readonly hand: string;
  /** Of the text and its time, see {@link idOf}. */
  readonly id: string;
  /** The rules held it for talk. */
  readonly refused: boolean;
  readonly found: InvoiceSentence;
}

const FILE = path.join(import.meta.dirname, "first-sight.jsonl");
const ID_LENGTH = 12;

export function firstSights(): ReadonlyMap<string, FirstSight> {
  const lines = readFileSync(FILE, "utf8").trim().split("\n");
  return new Map(
    lines.map((line) => JSON.parse(line) as FirstSight).map((sight) => [sight.id, sight]),
  );
}

export function idOf({ text, now }: Labelled): string {
  return createHash("sha256").update(`${text}\n${now}`).digest("hex").slice(0, ID_LENGTH);
}
