/** The store on Redis: standalone, Sentinel or Cluster. Every step is one Lua script in one slot. */
import { LIMITS, type Limits, PARTITIONS } from "../limits.ts";
import type { Acceptance, Accepted, Begun, Committed, ContactId, Store } from "../port/port.ts";
import { KeyRing } from "../sealing/seal.ts";
import { Barrier } from "./failover/barrier.ts";
import { Client } from "./connection/client.ts";
import { heldClass, isGuarded } from "../hold.ts";
import { Marks } from "../guard-marks.ts";
import { Documents } from "./documents.ts";
import { EffectViews } from "./effects/effect-views.ts";
import { Guard } from "./failover/guard.ts";
import { Hints } from "./connection/wake-hints.ts";
import { Hub, newToken } from "./connection/redis-context.ts";
import { takeCensus } from "./keys/key-census.ts";
import { KeyHolders } from "./keys/key-holders.ts";
import { LogRewrite } from "./failover/log-rewrite.ts";
import { Mailbox } from "./contacts/mailbox.ts";
import { readMeta, rewrapIndex } from "./connection/meta.ts";
import { Outbox } from "./effects/outbox.ts";
import { People } from "./contacts/people.ts";
import { Posts } from "./failover/witness-keys.ts";
import { type Profile, readProfile } from "./failover/profile.ts";
import { parseRedisUrl, type RedisPlace } from "./connection/url.ts";
import { Views } from "./views.ts";

/** Classes that a fail-over must not send twice: they leave only once a replica knows that they were begun. */
const IRREVERSIBLE: ReadonlySet<string> = new Set(["fiscal", "costly", "destructive"]);
/**
 * How far back a confirmation reaches, ms: a caller waits for the answer of each write before it asks, and no answer takes
 * longer than a command's time.
 */
const CONFIRMED_MS = 3_000;
const UNKNOWN: Committed = { ok: false, reason: "unknown" };
/** Until the next attempt of an effect that was not confirmed, ms. */
const UNCONFIRMED_MS = 1_000;

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
    const hub = new Hub({ ingress, work, ring, names, limits, partitions });
    const { marks: folder } = options;
    const marks = new Marks(
      folder === undefined ? undefined : { folder, install, origin: hub.origin },
    );
    return new RedisStore({ hub, place, profile, holders, marks });
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
  readonly #hub: Hub;
  readonly #hints: Hints;
  #profile: Profile;
  #profiledAt = performance.now();
  readonly #holders: KeyHolders;
  readonly #log: LogRewrite;
  readonly #barriers: { readonly ingress: Barrier; readonly work: Barrier };
  readonly #unconfirmed = new Set<() => void>();
  readonly #mailbox: Mailbox;
  readonly #guard: Guard;
  readonly #outbox: Outbox;
  readonly #people: People;
  readonly #documents: Documents;
  readonly #views: Views;
  readonly #effects: EffectViews;

  constructor(parts: {
    hub: Hub;
    place: RedisPlace;
    profile: Profile;
    holders: KeyHolders;
    marks: Marks;
  }) {
    const { hub, place, profile, holders, marks } = parts;
    this.#hub = hub;
    this.#holders = holders;
    this.#log = new LogRewrite(hub);
    this.#profile = profile;
    this.#hints = new Hints({ place, wake: hub.wake, poller: hub.poller, origin: hub.origin });
    const { replicas } = profile;
    this.#barriers = {
      ingress: new Barrier(hub.ingress, replicas),
      work: new Barrier(hub.work, replicas),
    };
    this.#mailbox = new Mailbox(hub);
    this.#documents = new Documents(hub);
    this.#guard = new Guard(hub, this.#documents, marks, new Posts(hub));
    this.#outbox = new Outbox(hub, this.#guard);
    this.#people = new People(hub, (item) => this.#mailbox.accept([item]));
    this.#views = new Views(hub);
    this.#effects = new EffectViews(hub);
  }

  info: Store["info"] = async () => {
    if (performance.now() - this.#profiledAt >= PROFILE_MS) {
      this.#profiledAt = performance.now();
      this.#profile = await readProfile(this.#hub.work);
    }
    const { replicas: _replicas, ...told } = this.#profile;
    const { ingress, work } = this.#barriers;
    const short = ingress.short || work.short;
    return { ...told, ...(short ? { unconfirmed: true } : {}) };
  };

  now: Store["now"] = async () => {
    const [seconds, micros] = await this.#hub.work.ask((client) => client.time());
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  };

  close: Store["close"] = async () => {
    this.#hints.close();
    this.#log.close();
    await this.#holders.leave();
    this.#hub.ingress.close();
    this.#hub.work.close();
  };

  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  async identify(account: string, aliases: readonly string[], recent = false, at?: number) {
    if (aliases.length === 0) throw new TypeError("A contact needs an alias.");
    return (
      (recent ? this.#people.recent(account, aliases, at) : undefined) ??
      this.#people.identify(account, aliases, at)
    );
  }
  lookup: Store["lookup"] = (account, alias) => this.#people.lookup(account, alias);
  lead: Store["lead"] = (account, name, to) => this.#people.lead(account, name, to);
  knew: Store["knew"] = (account, contact, event) => this.#people.knew(account, contact, event);
  erase: Store["erase"] = async (account, contact) => {
    const since = performance.now();
    return this.#people.erase(account, contact, async (any) => {
      if (any) this.#log.due();
      await this.#barriers.work.pass(since);
    });
  };
  census: Store["census"] = (options) =>
    takeCensus(this.#hub, {
      rewrap: options?.rewrap === true,
      inUse: () => this.#holders.inUse(),
    });

  accept: Store["accept"] = async (items, take) => {
    const since = performance.now();
    const answers: Accepted[] = [];
    // One step for all mail of a contact, so that none is stored without the mail before it; contacts side by side.
    const stored = await Promise.allSettled(
      [...byContact(items)].map(async (places) => {
        const mail = places.map((at) => items[at] as Acceptance);
        const words = await this.#mailbox.accept(mail, take);
        for (const [index, at] of places.entries()) answers[at] = words[index] as Accepted;
      }),
    );
    // All steps have ended by then, so no contact is leased after the answer.
    for (const one of stored) if (one.status === "rejected") throw one.reason;
    await this.#barriers.ingress.pass(since);
    return answers;
  };
  claim: Store["claim"] = (options) => this.#mailbox.claim(options);
  // Each commit is answered by itself, because the effects that it began leave only once the caller knows of it.
  commit: Store["commit"] = (commits) =>
    each(
      commits.map((commit) => this.#mailbox.commit(commit)),
      UNKNOWN,
    );
  park: Store["park"] = (input) => this.#mailbox.park(input);
  tick: Store["tick"] = (options) => this.#mailbox.tick(options);

  beginSend: Store["beginSend"] = async (options) => {
    const begun = await this.#outbox.begin(options);
    const classes = [...new Set(begun.map((one) => one.class))];
    const asked = classes.filter((one) => IRREVERSIBLE.has(one));
    const confirmed = await Promise.all(asked.map((one) => this.confirm(one)));
    const back = asked.filter((_, at) => confirmed[at] !== true);
    return back.length === 0 ? begun : this.#giveBack(begun, new Set(back));
  };
  confirm: Store["confirm"] = async (effectClass = "") => {
    try {
      await this.#barriers.work.pass(performance.now() - CONFIRMED_MS);
    } catch {
      for (const listener of this.#unconfirmed) listener();
      return false;
    }
    // Last: a server that answers now has everything that was asked of it before.
    return !isGuarded(effectClass) || this.#guard.mayLeave(effectClass);
  };
  onKeyMissing: Store["onKeyMissing"] = (listener) => this.#hub.ring.onMissing(listener);
  onDamaged: Store["onDamaged"] = (listener) => this.#documents.damaged.onDamaged(listener);

  onUnconfirmed: Store["onUnconfirmed"] = (listener) => {
    this.#unconfirmed.add(listener);
    return () => this.#unconfirmed.delete(listener);
  };
  amend: Store["amend"] = (input) => this.#outbox.amend(input);
  renew: Store["renew"] = (items, leaseMs) => this.#outbox.renew(items, leaseMs);
  endSend: Store["endSend"] = (ends) =>
    each(
      ends.map((end) => this.#outbox.end(end)),
      "unknown",
    );
  reap: Store["reap"] = (options) => this.#outbox.reap(options);
  resolve: Store["resolve"] = (input) => this.#outbox.resolve(input);
  effects: Store["effects"] = (options) => this.#effects.view(options);
  effect: Store["effect"] = (of) => this.#effects.one(of);
  effectsOf: Store["effectsOf"] = (options) => this.#effects.of(options);
  held: Store["held"] = (options) => this.#effects.held(options);

  claimKey: Store["claimKey"] = (account, key, owner, ttlMs) =>
    this.#documents.claimKey(account, key, owner, ttlMs);
  holdKey: Store["holdKey"] = (account, key, owner) => this.#documents.holdKey(account, key, owner);
  settleKey: Store["settleKey"] = (account, key, owner, ttlMs) =>
    this.#documents.settleKey(account, key, owner, ttlMs);
  freeKey: Store["freeKey"] = (account, key, owner, afterMs) =>
    this.#documents.freeKey(account, key, owner, afterMs);
  releaseKey: Store["releaseKey"] = (account, key, owner) =>
    this.#documents.releaseKey(account, key, owner);

  pauses: Store["pauses"] = () => this.#documents.pauses();
  pause: Store["pause"] = async (scope, reason, how) => {
    const fresh = await this.#documents.pause(scope, reason, how);
    const held = heldClass(scope);
    // In every partition, so that no process begins such effects, whatever it knows of the list.
    if (held !== null) await this.#hub.everywhere("hold", held, 1);
    return fresh;
  };
  resume: Store["resume"] = async (scope, only) => {
    const held = heldClass(scope);
    if (held !== null && only) {
      const { reason, until } = (await this.pauses()).get(scope) ?? {};
      if (reason !== only.reason || until !== only.until) return false;
    }
    // The list last: until all partitions are free a person sees that they are not.
    if (held !== null) await this.#hub.everywhere("hold", held, 0);
    const was = await this.#documents.resume(scope, only);
    if (was) {
      for (const partition of this.#hub.all()) this.#hub.poller.outbox.mark(partition);
      this.#hub.wake.tell("outbox");
    }
    return was;
  };

  get: Store["get"] = (collection, id) => this.#documents.get(collection, id);
  put: Store["put"] = (collection, id, value, expect) =>
    this.#documents.put(collection, id, value, expect);
  remove: Store["remove"] = (collection, id) => this.#documents.remove(collection, id);
  list: Store["list"] = (collection, options) => this.#documents.list(collection, options);
  ids: Store["ids"] = (collection, options) => this.#documents.ids(collection, options);

  session: Store["session"] = (account, contact) => this.#views.session(account, contact);
  sessions: Store["sessions"] = (options) => this.#views.sessions(options);
  journal: Store["journal"] = (account, contact, limit) =>
    this.#views.journal(account, contact, limit);
  forgetLines: Store["forgetLines"] = (account, contact, seen, keep) =>
    this.#views.forgetLines(account, contact, seen, keep);
  dead: Store["dead"] = (options) => this.#views.dead(options);
  bury: Store["bury"] = (id, action) => this.#views.bury(id, action);
  backlog: Store["backlog"] = () => this.#views.backlog();

  onWake: Store["onWake"] = (listener) => {
    this.#hints.listen();
    return this.#hub.wake.on(listener);
  };

  /** Nothing left yet: effects that may not be sent twice go back, the rest may go. */
  async #giveBack(
    begun: readonly Begun[],
    classes: ReadonlySet<string>,
  ): Promise<readonly Begun[]> {
    const at = (await this.now()) + UNCONFIRMED_MS;
    const back = begun.filter((one) => classes.has(one.class));
    // If that cannot be written its lease ends, and it is judged as never sent.
    await this.endSend(back.map((one) => ({ ...one, outcome: { kind: "not_sent", at } }))).catch(
      () => undefined,
    );
    return begun.filter((one) => !classes.has(one.class));
  }
}

/** Where the items of each contact stand, in their order. */
function byContact(items: readonly Acceptance[]): Iterable<readonly number[]> {
  if (items.length === 1) return [[0]];
  const places = new Map<string, number[]>();
  for (const [at, { contact }] of items.entries()) {
    const known = places.get(contact);
    if (known) known.push(at);
    else places.set(contact, [at]);
  }
  return places.values();
}

/**
 * Each answer, or `unknown` in its place, so that one node that is away does not fail the others. Throws when none has
 * answered.
 */
async function each<T, U>(asked: readonly Promise<T>[], unknown: U): Promise<(T | U)[]> {
  const answers = await Promise.allSettled(asked);
  const [first] = answers;
  if (first?.status === "rejected" && answers.every(({ status }) => status === "rejected"))
    throw first.reason;
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : unknown));
}
