/**
 * Compiled sources in one file: six hundred files of their own cost half a second of the first start, most of it in the disk.
 *
 * A record is a line with the digest of the source, the length of the code and its name, then the code, which ends with the
 * digest again. Records are only ever appended, many at once; the last one of a name counts. What was cut off or written
 * across each other is not read, and with what no longer counts it is gone once the file is written anew.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Appended at once, bytes: a command that ends at once keeps all it compiled but the last of these. */
const BATCH_BYTES = 65_536;
/** Nothing was asked for so long: what is left is written, and the file's content is let go of, ms. */
const QUIET_MS = 200;
/** So much of the file may count no longer, as a part of what does. */
const STALE_MAX = 1;
const HEAD_MAX = 400;
const NEWLINE = 10;

/** @typedef {{ readonly digest: string, readonly code: Buffer }} Record What is kept of one name. */

export class KeptCode {
  #file;
  /** @type {Map<string, Record> | undefined} */
  #known;
  /** @type {Buffer[]} */
  #waiting = [];
  #waitingBytes = 0;
  /** Written anew rather than appended to. */
  #isSpoilt = false;
  /** @type {NodeJS.Timeout | undefined} */
  #quiet;

  /** @param {string} file Where it stands; the folder may be missing. */
  constructor(file) {
    this.#file = file;
  }

  /**
   * The code made of the source with this digest; undefined where it is not kept.
   * @param {string} name @param {string} digest @returns {string | undefined}
   */
  find(name, digest) {
    this.#known ??= this.#read();
    this.#wait();
    const found = this.#known.get(name);
    return found?.digest === digest ? found.code.toString("utf8") : undefined;
  }

  /**
   * Kept soon. Where it cannot be written it is not kept, and made anew the next time.
   * @param {string} name @param {string} digest @param {string} code
   */
  keep(name, digest, code) {
    const bytes = Buffer.from(code + markOf(digest));
    const head = Buffer.from(`${digest} ${bytes.length} ${name}\n`);
    if (head.length > HEAD_MAX) return;
    this.#known?.set(name, { digest, code: bytes });
    this.#waiting.push(head, bytes);
    this.#waitingBytes += head.length + bytes.length;
    if (this.#waitingBytes >= BATCH_BYTES) this.flush();
    this.#wait();
  }

  /** Writes what waits. */
  flush() {
    if (this.#waiting.length === 0 && !this.#isSpoilt) return;
    const added = Buffer.concat(this.#waiting.splice(0));
    this.#waitingBytes = 0;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      if (this.#isSpoilt) this.#rewrite();
      else appendFileSync(this.#file, added);
    } catch {
      // An installation nobody may write to: made anew at each start.
    }
    this.#isSpoilt = false;
  }

  #wait() {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.flush();
      this.#known = undefined;
    }, QUIET_MS);
    this.#quiet.unref();
  }

  /** With nothing but what counts. Whole or not at all, also when two do so at once. */
  #rewrite() {
    const parts = [...(this.#known ?? [])].flatMap(([name, { digest, code }]) => [
      Buffer.from(`${digest} ${code.length} ${name}\n`),
      code,
    ]);
    const part = `${this.#file}.${process.pid}`;
    writeFileSync(part, Buffer.concat(parts));
    renameSync(part, this.#file);
  }

  /** @returns {Map<string, Record>} */
  #read() {
    /** @type {Map<string, Record>} */
    const known = new Map();
    let bytes;
    try {
      bytes = readFileSync(this.#file);
    } catch {
      return known;
    }
    let at = 0;
    let counting = 0;
    for (let next = recordAt(bytes, at); next !== undefined; next = recordAt(bytes, at)) {
      const { name, digest, code, end } = next;
      counting += end - at - (known.get(name)?.code.length ?? 0);
      known.set(name, { digest, code });
      at = end;
    }
    this.#isSpoilt = at < bytes.length || at - counting > counting * STALE_MAX;
    return known;
  }
}

/** @param {string} digest */
const markOf = (digest) => `\n// ${digest}\n`;

/** @param {Buffer} bytes @param {number} at */
function recordAt(bytes, at) {
  const line = bytes.subarray(at, at + HEAD_MAX);
  const length = line.indexOf(NEWLINE);
  if (length < 0) return undefined;
  const head = /^([0-9a-f]{64}) (\d+) (\S+)$/.exec(line.toString("utf8", 0, length));
  if (head === null) return undefined;
  const [, digest = "", size, name = ""] = head;
  const from = at + length + 1;
  const code = bytes.subarray(from, from + Number(size));
  const mark = Buffer.from(markOf(digest));
  if (code.length !== Number(size) || !code.subarray(-mark.length).equals(mark)) return undefined;
  return { name, digest, code, end: from + code.length };
}
