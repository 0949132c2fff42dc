/**
 * Names under which things are stored. What could identify a person goes through a keyed hash: without the index key it
 * cannot be tested whether a phone number is in the store.
 */
import { hash, randomBytes } from "node:crypto";
import type { ContactId } from "./port/port.ts";

/** 128 bits: enough that no two inputs share a name, short enough for every key. */
const HASH_BYTES = 16;
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Accounts whose names are kept. */
const ACCOUNTS = 1_000;

export class Names {
  readonly #inner: Buffer;
  readonly #outer: Buffer;
  readonly #accounts = new Map<string, string>();

  constructor(indexKey: Buffer) {
    const block = Buffer.alloc(BLOCK_BYTES);
    (indexKey.length > BLOCK_BYTES ? hash("sha256", indexKey, "buffer") : indexKey).copy(block);
    this.#inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  }

  /**
   * HMAC-SHA-256 (RFC 2104) over the parts, told apart by their lengths, cut to 128 bits. By two one-shot hashes: the
   * hash object that `createHmac` makes costs more than both.
   */
  #hash(...parts: readonly string[]): Buffer {
    let text = "";
    for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`;
    const inner = Buffer.concat([this.#inner, Buffer.from(text)]);
    hash("sha256", inner, "buffer").copy(this.#outer, BLOCK_BYTES);
    return hash("sha256", this.#outer, "buffer").subarray(0, HASH_BYTES);
  }

  /** A contact id that was never used, also for a person who was erased before. */
  newContact(account: string): ContactId {
    return this.#hash("contact", account, randomBytes(HASH_BYTES).toString("hex")).toString("hex");
  }

  alias(account: string, alias: string): string {
    return this.#hash("alias", account, alias).toString("base64url");
  }

  account(account: string): string {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    if (this.#accounts.size >= ACCOUNTS) this.#accounts.clear();
    const made = this.#hash("account", account).toString("base64url");
    this.#accounts.set(account, made);
    return made;
  }

  event(contact: ContactId, event: string): string {
    return this.#hash("event", contact, event).toString("base64url");
  }

  turn(contact: ContactId, turn: string): string {
    return this.#hash("turn", contact, turn).toString("base64url");
  }

  businessKey(account: string, key: string): string {
    return this.#hash("business", account, key).toString("base64url");
  }
}

/** Associated data of everything sealed: the place of a value, so that it opens at no other place. */
export const associatedData = {
  session: (contact: string, rev: number): string => `session|${contact}|${rev}`,
  mail: (contact: string, event: string): string => `mail|${contact}|${event}`,
  effect: (id: string): string => `effect|${id}`,
  why: (id: string): string => `why|${id}`,
  journal: (contact: string, tag: string): string => `journal|${contact}|${tag}`,
  reason: (contact: string): string => `reason|${contact}`,
  doc: (collection: string, id: string): string => `doc|${collection}|${id}`,
} as const;
