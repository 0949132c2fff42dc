/** The store on Redis: standalone, Sentinel or Cluster. Every step is one Lua script in one slot. */
import { LIMITS, type Limits, PARTITIONS } from "../limits.ts";
import type { KeyCensus, Store, StoreInfo } from "../port/port.ts";
import { KeyRing } from "../sealing/seal.ts";
import { Client } from "./connection/client.ts";
import { GuardMarks } from "../guard-marks.ts";
import { BusinessKeys } from "./business-keys.ts";
import { DeadLetters } from "./contacts/dead-letters.ts";
import { Documents } from "./documents.ts";
import { Scopes } from "./scopes.ts";
import { Guard } from "./failover/guard.ts";
import { WakeHints } from "./connection/partition-poller.ts";
import { RedisContext, newToken } from "./connection/redis-context.ts";
import { KeyHolders, takeCensus } from "./key-rotation.ts";
import { LogRewrite } from "./failover/log-rewrite.ts";
import { Claims } from "./contacts/claims.ts";
import { Mailbox } from "./contacts/mailbox.ts";
import { Outbox } from "./effects/outbox.ts";
import { People } from "./contacts/people.ts";
import { WitnessKeys } from "./failover/witness-keys.ts";
import { type Profile, readProfile, Barrier } from "./failover/durability.ts";
import { parseRedisUrl, type RedisPlace } from "./connection/url.ts";
import { Views } from "./views.ts";
import { randomBytes } from "node:crypto";
import { Fault } from "../../base/index.ts";
import { Names } from "../names.ts";

/** Throws `SETTING_INVALID`, `STORE_UNAVAILABLE`, `STORE_INCOMPATIBLE`, `KEY_UNKNOWN`. */
export async function openRedisStore(options: {
  readonly url: string;
  readonly keys: string;
  readonly limits?: Partial<Limits>;
  readonly partitions?: number;
  /** Folder for what must be known of the store outside of it. */
  readonly marks?: string;
}): Promise<Store> {
  const ring = new KeyRing(options.keys);
  const place = parseRedisUrl(options.url);
  const ingress = new Client(place, "ingress");
  const work = new Client(place, "work");
  const limits = { ...LIMITS, ...options.limits };
  const spanMs = limits.keyHolderMs;
  const switched = () => rewrapIndex(work, ring);
  const holders = new KeyHolders({ client: work, ring, process: newToken(), spanMs, switched });
  try {
    await Promise.all([ingress.connect(), work.connect()]);
    const profile = await readProfile(work);
    await holders.join();
    const wanted = { partitions: options.partitions, usual: PARTITIONS };
    const { partitions, names, install } = await readMeta(work, ring, wanted);
    const context = new RedisContext({ ingress, work, ring, names, limits, partitions });
    const { marks: folder } = options;
    const marks = new GuardMarks(
      folder === undefined ? undefined : { folder, install, origin: context.origin },
    );
    return new RedisStore({ context, place, profile, holders, marks });
  } catch (error) {
    await holders.leave();
    ingress.close();
    work.close();
    throw error;
  }
}

/** How often the settings of Redis are read again, ms: they can be changed while it runs. */
const PROFILE_MS = 60_000;

class RedisStore implements Store {
  readonly mail: Mailbox;
  readonly deadLetters: DeadLetters;
  readonly contacts: People;
  readonly effects: Outbox;
  readonly keys: BusinessKeys;
  readonly scopes: Scopes;
  readonly documents: Documents;
  readonly views: Views;
  readonly #context: RedisContext;
  readonly #hints: WakeHints;
  #profile: Profile;
  #profiledAt = performance.now();
  readonly #holders: KeyHolders;
  readonly #log: LogRewrite;
  readonly #barriers: { readonly ingress: Barrier; readonly work: Barrier };

  constructor(parts: {
    context: RedisContext;
    place: RedisPlace;
    profile: Profile;
    holders: KeyHolders;
    marks: GuardMarks;
  }) {
    const { context, place, profile, holders, marks } = parts;
    this.#context = context;
    this.#holders = holders;
    this.#log = new LogRewrite(context);
    this.#profile = profile;
    this.#hints = new WakeHints({
      place,
      wake: context.wake,
      poller: context.poller,
      origin: context.origin,
    });
    const { replicas } = profile;
    const work = new Barrier(context.work, replicas);
    this.#barriers = { ingress: new Barrier(context.ingress, replicas), work };
    const claims = new Claims(context);
    this.mail = new Mailbox(context, claims, this.#barriers.ingress);
    this.deadLetters = new DeadLetters(context, claims);
    this.contacts = new People(context, { mailbox: this.mail, barrier: work, log: this.#log });
    this.keys = new BusinessKeys(context);
    this.scopes = new Scopes(context);
    this.documents = new Documents(context);
    const guard = new Guard(context, this.scopes, marks, new WitnessKeys(context));
    this.effects = new Outbox(context, { guard, barrier: work });
    this.views = new Views(context);
  }

  async info(): Promise<StoreInfo> {
    if (performance.now() - this.#profiledAt >= PROFILE_MS) {
      this.#profiledAt = performance.now();
      this.#profile = await readProfile(this.#context.work);
    }
    const { replicas: _replicas, ...told } = this.#profile;
    const { ingress, work } = this.#barriers;
    const short = ingress.short || work.short;
    return { ...told, unconfirmed: short || undefined };
  }

  now(): Promise<number> {
    return this.#context.now();
  }

  async close(): Promise<void> {
    this.#hints.close();
    this.#log.close();
    await this.#holders.leave();
    this.#context.ingress.close();
    this.#context.work.close();
  }

  census(options?: { readonly rewrap?: boolean }): Promise<KeyCensus> {
    return takeCensus(this.#context, {
      rewrap: options?.rewrap === true,
      inUse: () => this.#holders.inUse(),
    });
  }

  onKeyMissing(listener: (entry: string) => void) {
    return this.#context.ring.missing.add(listener);
  }

  onDamaged(listener: (collection: string, id: string) => void) {
    return this.documents.damaged.listeners.add(({ collection, id }) => listener(collection, id));
  }

  onUnconfirmed(listener: () => void) {
    return this.effects.unconfirmed.add(listener);
  }

  onWake(listener: (what: "turns" | "outbox") => void) {
    this.#hints.listen();
    return this.#context.wake.add(listener);
  }
}

/** Facts of the installation. The first process writes them; all others must agree. */
const META = "prosa:meta";
const SCHEMA = "2";

/** Throws `STORE_INCOMPATIBLE` for another schema or partition count, `KEY_UNKNOWN` for other keys. */
async function readMeta(
  client: Client,
  ring: KeyRing,
  wanted: { readonly partitions: number | undefined; readonly usual: number },
): Promise<{ readonly partitions: number; readonly names: Names; readonly install: string }> {
  const schema = await first(client, "schema", () => SCHEMA);
  if (schema !== SCHEMA)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has schema ${schema} of the store.`);
  const asked = String(wanted.partitions ?? wanted.usual);
  const partitions = Number(await first(client, "partitions", () => asked));
  if (wanted.partitions !== undefined && wanted.partitions !== partitions)
    throw new Fault("STORE_INCOMPATIBLE", `This Redis has ${partitions} partitions.`);
  const index = await first(client, "index", () => ring.make("index").wrapped);
  const names = new Names(ring.secret("index", index));
  await rewrapIndex(client, ring);
  const install = await first(client, "install", () => randomBytes(9).toString("base64url"));
  return { partitions, names, install };
}

/** Wraps the index key by the active entry, where it is not. */
async function rewrapIndex(client: Client, ring: KeyRing): Promise<void> {
  const index = await read(client, "index");
  if (!ring.isStale(index)) return;
  await client.script("rewrap-field", META, "index", index, ring.rewrap("index", index));
}

/** Only what is missing is written, so that a process can start and help to empty a Redis that is full. */
async function first(client: Client, field: string, value: () => string): Promise<string> {
  return (
    (await read(client, field)) || String(await client.script("first-field", META, field, value()))
  );
}

async function read(client: Client, field: string): Promise<string> {
  return (await client.ask((redis) => redis.hget(META, field))) ?? "";
}
