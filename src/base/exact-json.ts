/**
 * JSON whose numbers may be ids. A double holds whole numbers exactly up to 2^53 - 1; a number beyond is given as the text it was
 * written as, so that two ids stay two. Everything else is what `JSON.parse` gives. Works on every Node: no reviver sees the
 * source text before Node 22.
 */

/** Texts without either hold no number beyond 2^53. Mostly true: then nothing more is done than `JSON.parse`. */
const MAY_BE_BEYOND = /\d{16}|\d[eE]\+?\d/;
/** A number that is a value. The name of a field is none, in JSON that is broken. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Throws a SyntaxError, as `JSON.parse` does. */
export function parseExact(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  return JSON.parse(MAY_BE_BEYOND.test(text) ? withLargeNumbersQuoted(text) : text, reviver);
}

function withLargeNumbersQuoted(text: string): string {
  let result = "";
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0];
      // No JSON from here on: `JSON.parse` says so.
      if (number === undefined) break;
      if (Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER) {
        result += `${text.slice(copied, at)}"${number}"`;
        copied = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return result + text.slice(copied);
}

/** Index of the quote that closes the string opened at `start`; negative when none does. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
