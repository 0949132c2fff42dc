/** What the parts of the Redis store share: connections, partitions, keys, names, limits, hints. */
import type { Reply } from "./script-calls.ts";
import { randomBytes, randomFillSync } from "node:crypto";
import { ContactKeys } from "../../sealing/contact-keys.ts";
import type { Limits } from "../../limits.ts";
import type { Names } from "../../names.ts";
import type { ContactId } from "../../port/port.ts";
import { type DataKey, isChanged, type KeyRing } from "../../sealing/seal.ts";
import { Listeners, type Work } from "../../listeners.ts";
import type { Client } from "./client.ts";
import { PartitionPoller, PartitionPollers } from "./partition-poller.ts";
import type { PartitionScript } from "../scripts.ts";

type Value = string | number;

export class RedisContext {
  /** For accepting and identifying; this connection never waits for the work of this process. */
  readonly ingress: Client;
  readonly work: Client;
  readonly ring: KeyRing;
  readonly names: Names;
  readonly limits: Limits;
  readonly partitions: number;
  readonly keys: ContactKeys;
  readonly wake = new Listeners<Work>();
  /** Partitions known to have work, by kind. */
  readonly poller: { readonly turns: PartitionPoller; readonly outbox: PartitionPollers };
  /** Tells this process's own hints from those of others. */
  readonly origin = randomBytes(6).toString("base64url");

  constructor(options: {
    ingress: Client;
    work: Client;
    ring: KeyRing;
    names: Names;
    limits: Limits;
    partitions: number;
  }) {
    this.ingress = options.ingress;
    this.work = options.work;
    this.ring = options.ring;
    this.names = options.names;
    this.limits = options.limits;
    this.partitions = options.partitions;
    this.poller = {
      turns: new PartitionPoller(options.partitions),
      outbox: new PartitionPollers(options.partitions),
    };
    this.keys = new ContactKeys(options.ring, (contact, was, wrapped) => {
      // A wrapping that could not be stored is stored the next time the key is used.
      void this.run("rewrap", contact, was, wrapped).catch(() => undefined);
    });
  }

  /** Ms of the server's clock. */
  async now(): Promise<number> {
    const [seconds, micros] = await this.work.ask((client) => client.time());
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  partitionOf(contact: ContactId): number {
    return Number.parseInt(contact.slice(0, 4), 16) % this.partitions;
  }

  prefix(partition: number): string {
    return `prosa:{p${String(partition).padStart(2, "0")}}:`;
  }

  /** A script of one contact; the contact is its first value. */
  run(name: PartitionScript, contact: ContactId, ...values: readonly Value[]): Promise<Reply> {
    return this.at(name, this.partitionOf(contact), contact, ...values);
  }

  at(name: PartitionScript, partition: number, ...values: readonly Value[]): Promise<Reply> {
    const client = name === "accept" ? this.ingress : this.work;
    return client.script(name, this.prefix(partition), ...values, this.origin);
  }

  /** The same script in all partitions. */
  async everywhere(name: PartitionScript, ...values: readonly Value[]): Promise<Reply[]> {
    return Promise.all(this.all().map((partition) => this.at(name, partition, ...values)));
  }

  all(): number[] {
    return Array.from({ length: this.partitions }, (_, index) => index);
  }

  /** There is work of this contact: marked here at once; other processes learn it by the script's own hint. */
  tell(what: Work, contact: ContactId): void {
    this.poller[what].mark(this.partitionOf(contact));
    this.wake.tell(what);
  }

  /** The key to seal with for a contact, from memory or from the store; undefined when it has none. */
  async keyOf(contact: ContactId): Promise<DataKey | undefined> {
    const known = this.keys.remembered(contact);
    if (known?.stored) return known.key;
    const key = `${this.prefix(this.partitionOf(contact))}s:${contact}`;
    const read = () => this.work.ask((client) => client.hget(key, "k"));
    let wrapped = await read();
    if (wrapped !== null && !(await this.learnKey(contact, wrapped))) wrapped = await read();
    return wrapped === null ? undefined : this.keys.of(contact, wrapped);
  }

  /**
   * Opens the wrapped key that the store has. False: it was changed and opens nowhere, so another one was put in its place,
   * or the next look finds it.
   */
  async learnKey(contact: ContactId, wrapped: string): Promise<boolean> {
    try {
      this.keys.of(contact, wrapped);
      return true;
    } catch (error) {
      if (!isChanged(error)) throw error;
    }
    await this.run("rewrap", contact, wrapped, this.ring.replace(contact, wrapped));
    this.keys.forget(contact);
    return false;
  }
}

/** Random bytes for many tokens are drawn at once: one by one they cost more than all else about a token. */
const TOKEN_BYTES = 9;
const TOKENS = Buffer.allocUnsafe(TOKEN_BYTES * 512);
let tokenAt = TOKENS.length;

/** An unused token. */
export function newToken(): string {
  if (tokenAt === TOKENS.length) {
    randomFillSync(TOKENS);
    tokenAt = 0;
  }
  tokenAt += TOKEN_BYTES;
  return TOKENS.toString("base64url", tokenAt - TOKEN_BYTES, tokenAt);
}
