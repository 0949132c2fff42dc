/** Letters that stand for numbers, so that a source file holds many of them: six bits each. */

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Bits of a letter. */
export const BITS = 6;

/** What each letter stands for, by its code. */
const PLACES = new Uint8Array(128);
for (let place = 0; place < LETTERS.length; place += 1) PLACES[LETTERS.charCodeAt(place)] = place;

/** 0 to 63; 0 behind the end. */
export function placeAt(written: string, at: number): number {
  return PLACES[written.charCodeAt(at)] ?? 0;
}
