/**
 * Names under which things are stored. What could tell about a person goes through a keyed hash: without the index key
 * nobody can test whether a phone number is in the store.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { ContactId } from "./port.ts";

/** 128 bits: enough that no two inputs meet, short enough to stand in every key. */
const HASH_BYTES = 16;

export class Names {
  readonly #indexKey: Buffer;

  constructor(indexKey: Buffer) {
    this.#indexKey = indexKey;
  }

  /** 22 characters. The parts are told apart by their lengths. */
  #hash(...parts: readonly string[]): Buffer {
    const hmac = createHmac("sha256", this.#indexKey);
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest().subarray(0, HASH_BYTES);
  }

  /** A contact id that was never used, also for a person who was erased before. */
  newContact(account: string): ContactId {
    return this.#hash("contact", account, randomBytes(HASH_BYTES).toString("hex")).toString("hex");
  }

  alias(account: string, alias: string): string {
    return this.#hash("alias", account, alias).toString("base64url");
  }

  account(account: string): string {
    return this.#hash("account", account).toString("base64url");
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
