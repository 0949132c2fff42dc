/**
 * Every id, key and roll of the dice of one run of the sandbox: a function of seed, epoch, kind and a counter.
 *
 * The same calls in the same order give the same ids; another epoch gives others, so that a bot which remembers
 * message ids for days never meets one twice.
 */
import { createHash } from "node:crypto";

export class Ids {
  readonly #prefix: string;
  readonly #counters = new Map<string, number>();

  constructor(seed: string, epoch: number) {
    this.#prefix = `${seed}/${epoch}`;
  }

  #bytes(kind: string): Buffer {
    const count = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, count);
    return createHash("sha256").update(`${this.#prefix}/${kind}/${count}`).digest();
  }

  /** Upper-case hex, at most 64 characters. */
  hex(kind: string, length: number): string {
    return this.#bytes(kind).toString("hex").slice(0, length).toUpperCase();
  }

  /** Decimal digits, at most 18. */
  digits(kind: string, length: number): string {
    return (this.#bytes(kind).readBigUInt64BE() % 10n ** BigInt(length))
      .toString()
      .padStart(length, "0");
  }

  uuid(kind: string): string {
    const hex = this.#bytes(kind).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Id of a message that leaves through the API. */
  outgoing(): string {
    return `3EB0${this.hex("outgoing", 18)}`;
  }

  /** Id of a message typed on a phone. */
  incoming(): string {
    return `3A${this.hex("incoming", 18)}`;
  }

  /** A number in [0, 1): the same sequence in every run of this epoch. */
  unit(kind: string): number {
    return this.#bytes(kind).readUIntBE(0, 6) / 2 ** 48;
  }
}
