/** Whether two names can be one person's: longer, shorter or spelt otherwise. */
import { foldWords, isSlip } from "../../../../plugin.ts";

/** Between the names of one person. */
const SMALL: ReadonlySet<string> = new Set(["de", "da", "do", "das", "dos", "e"]);

/**
 * They share a word, and of the others each word of the shorter one stands in the other, abbreviated or with a slip: "Mario Souza"
 * for "Maria Sousa". "Maria Lima" is somebody else than "Maria Souza".
 */
export function isSameName(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  const mineAlone = mine.filter((word) => !theirs.includes(word));
  const theirsAlone = theirs.filter((word) => !mine.includes(word));
  if (mineAlone.length === mine.length) return false;
  const [few, many] =
    mineAlone.length <= theirsAlone.length ? [mineAlone, theirsAlone] : [theirsAlone, mineAlone];
  return few.every((word) => many.some((fellow) => isLike(word, fellow)));
}

function wordsOf(name: string): string[] {
  return foldWords(name)
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word));
}

function isLike(one: string, other: string): boolean {
  if (one.length === 1 || other.length === 1) return one[0] === other[0];
  return isSlip(one, other);
}
