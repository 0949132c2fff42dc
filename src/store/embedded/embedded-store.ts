/** The store in one SQLite file, for the first run and for one small process. Same promises as on Redis. */
import { Fault, type JsonObject } from "../../base/index.ts";
import { GUARDED, holdOf, isGuarded } from "../hold.ts";
import { LIMITS, type Limits } from "../limits.ts";
import { Marks } from "../guard-marks.ts";
import type {
  Acceptance,
  Accepted,
  Begun,
  Parked,
  ContactId,
  SendEnd,
  Store,
  Take,
} from "../port/port.ts";
import { KeyRing } from "../sealing/seal.ts";
import { Wake, type Work } from "../wake.ts";
import { Base } from "./file/base.ts";
import { Documents } from "./documents.ts";
import { Flight } from "./file/in-flight.ts";
import { takeCensus } from "./key-census.ts";
import { Lines } from "./due-queues.ts";
import { Mailbox } from "./mailbox.ts";
import { OldIds } from "./file/old-ids.ts";
import { Order } from "./order.ts";
import { Outbox } from "./outbox.ts";
import { People } from "./people.ts";
import { SCHEMA } from "./file/schema.ts";
import { SqlFile } from "./file/sql-file.ts";
import { Timers } from "./timers.ts";
import { Views } from "./views.ts";

/** How long one measurement of the file's size is used, ms: no gigabyte is written meanwhile. */
const SIZE_KNOWN_MS = 1_000;

/** A database in memory, with the time and the names that its owner gives. Opened again it is what another process would find. */
export interface Memory {
  readonly file: SqlFile;
  /** Ms. */
  readonly now: () => number;
  readonly contactId: () => ContactId;
}

export class EmbeddedStore implements Store {
  readonly #file: SqlFile;
  readonly #base: Base;
  readonly #mailbox: Mailbox;
  readonly #timers: Timers;
  readonly #oldIds: OldIds;
  readonly #flight: Flight;
  readonly #outbox: Outbox;
  readonly #people: People;
  readonly #documents: Documents;
  readonly #views: Views;
  readonly #wake = new Wake();
  readonly #marks: Marks;
  #size = { bytes: 0, at: -Infinity };

  /** Throws `STORE_LOCKED`, `KEY_UNKNOWN`, `STORE_INCOMPATIBLE`, `SETTING_INVALID`. */
  constructor(options: {
    /** Of the file; where it is told apart from an older copy of itself. */
    readonly folder?: string;
    readonly memory?: Memory;
    readonly keys: string;
    readonly limits?: Partial<Limits>;
  }) {
    const { folder, memory } = options;
    const ring = new KeyRing(options.keys);
    this.#file = memory?.file ?? new SqlFile(folder, SCHEMA);
    const limits = { ...LIMITS, ...options.limits };
    const { now, contactId } = memory ?? {};
    try {
      this.#base = new Base({ file: this.#file, ring, limits, wake: this.#wake, now, contactId });
    } catch (error) {
      if (!memory) this.#file.close();
      throw error;
    }
    const lines = new Lines(this.#base);
    const order = new Order(this.#base, lines);
    this.#flight = new Flight(this.#base, order);
    this.#flight.orphan();
    this.#outbox = new Outbox(this.#base, { flight: this.#flight, lines, order });
    this.#mailbox = new Mailbox(this.#base, this.#outbox);
    this.#timers = new Timers(this.#base);
    this.#oldIds = new OldIds(this.#base);
    this.#people = new People(this.#base, this.#mailbox);
    this.#documents = new Documents(this.#base);
    this.#views = new Views(this.#base, this.#mailbox);
    const { install } = this.#base;
    this.#marks = new Marks(
      folder === undefined ? undefined : { folder, install, origin: "embedded" },
    );
    this.#holdWhenOlder();
  }

  info: Store["info"] = async () => {
    const row = this.#file.get<{ version: string }>("SELECT sqlite_version() AS version");
    return {
      kind: "embedded",
      version: `SQLite ${row?.version ?? "unknown"}`,
      durability: "D1",
      sentence:
        "Every answer follows an fsync of the embedded file; it survives the process and the system, not the disk.",
    };
  };

  now: Store["now"] = async () => this.#base.now();

  close: Store["close"] = async () => this.#file.close();

  // Looked up each time: the file is here, and `recent` only allows an older answer.
  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  async identify(account: string, aliases: readonly string[], _recent?: boolean, at?: number) {
    if (aliases.length === 0) throw new TypeError("A contact needs an alias.");
    const { contact } = await this.#file.commit(
      () => {
        this.#refuseWhenFull();
        return this.#people.identify(account, aliases, at);
      },
      ({ merged }) => {
        if (merged) this.#wake.tell("turns");
      },
    );
    return contact;
  }

  lookup: Store["lookup"] = async (account, alias) => this.#people.lookup(account, alias);
  lead: Store["lead"] = async (account, name, to) =>
    this.#file.commit(() => this.#people.lead(account, name, to));
  knew: Store["knew"] = async (account, contact, event) =>
    this.#people.knew(account, contact, event);

  async accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]> {
    // The last item of a contact leases it, with all mail before it.
    const last = new Map(items.map((item) => [item.contact, item]));
    const answers = await this.#file.commit(
      () => {
        this.#refuseWhenFull();
        return items.map((item) =>
          this.#mailbox.accept(item, last.get(item.contact) === item ? take : undefined),
        );
      },
      (accepted) => {
        for (const answer of accepted) if (typeof answer === "object") take?.claimed(answer);
        if (accepted.includes("new")) this.#wake.tell("turns");
      },
    );
    return answers.map((answer) => (typeof answer === "object" ? "new" : answer));
  }

  claim: Store["claim"] = (options) => this.#file.commit(() => this.#mailbox.claim(options));

  commit: Store["commit"] = (commits) =>
    this.#file.commit(
      () => commits.map((commit) => this.#mailbox.commit(commit)),
      (answers) => {
        if (answers.some((answer) => answer.ok && answer.left > 0)) this.#wake.tell("turns");
        if (commits.some((commit) => commit.effects.length > 0)) this.#wake.tell("outbox");
      },
    );

  park: Store["park"] = (input) =>
    this.#file.commit<Parked>(
      () => this.#mailbox.park(input),
      (answer) => {
        if (answer.ok && answer.left > 0) this.#wake.tell("turns");
      },
    );

  tick: Store["tick"] = async (options) => {
    const { moved } = await this.#file.commit(
      () => ({ place: this.#oldIds.forget(), moved: this.#timers.tick(options) }),
      ({ place, moved: count }) => {
        this.#oldIds.wentTo(place);
        if (count > 0) this.#wake.tell("turns");
      },
    );
    return moved;
  };

  beginSend: Store["beginSend"] = async (options) => {
    const begun = await this.#file.commit<readonly Begun[]>(() => this.#outbox.begin(options));
    if (begun.some((one) => isGuarded(one.class)))
      await this.#marks.raise(0, this.#base.count("guarded"));
    return begun;
  };

  /** Every answer followed an fsync already. */
  confirm: Store["confirm"] = async (effectClass = "") =>
    !isGuarded(effectClass) || !this.#documents.pauses().has(holdOf(effectClass));
  onKeyMissing: Store["onKeyMissing"] = (listener) => this.#base.ring.onMissing(listener);
  onDamaged: Store["onDamaged"] = (listener) => this.#documents.damaged.onDamaged(listener);

  onUnconfirmed: Store["onUnconfirmed"] = () => () => undefined;

  amend: Store["amend"] = (input) => this.#file.commit(() => this.#flight.amend(input));

  renew: Store["renew"] = (items, leaseMs) =>
    this.#file.commit(() => items.map((item) => this.#flight.renew(item, leaseMs)));

  endSend: Store["endSend"] = (ends: readonly SendEnd[]) =>
    this.#file.commit(
      () => ends.map((end) => this.#outbox.end(end, this.#mailbox)),
      () => {
        if (ends.some((end) => end.result)) this.#wake.tell("turns");
        this.#wake.tell("outbox");
      },
    );

  reap: Store["reap"] = (options) =>
    this.#file.commit<readonly Begun[]>(() => this.#flight.reap(options));

  resolve: Store["resolve"] = (input) =>
    this.#file.commit(
      () => this.#outbox.resolve(input, this.#mailbox),
      (done) => {
        if (done) for (const what of ["turns", "outbox"] as const) this.#wake.tell(what);
      },
    );

  claimKey: Store["claimKey"] = (account, key, owner, ttlMs) =>
    this.#file.commit(() => this.#documents.claimKey(account, key, owner, ttlMs));

  holdKey: Store["holdKey"] = (account, key, owner) =>
    this.#file.commit(() => this.#documents.holdKey(account, key, owner));

  settleKey: Store["settleKey"] = (account, key, owner, ttlMs) =>
    this.#file.commit(() => this.#documents.settleKey(account, key, owner, ttlMs));

  freeKey: Store["freeKey"] = (account, key, owner, afterMs) =>
    this.#file.commit(() => this.#documents.freeKey(account, key, owner, afterMs));

  releaseKey: Store["releaseKey"] = (account, key, owner) =>
    this.#file.commit(() => this.#documents.releaseKey(account, key, owner));

  pauses: Store["pauses"] = async () => this.#documents.pauses();

  pause: Store["pause"] = (scope, reason, how) =>
    this.#file.commit(() => this.#documents.pause(scope, reason, how));

  resume: Store["resume"] = (scope, only) =>
    this.#file.commit(
      () => this.#documents.resume(scope, only),
      (was) => {
        if (was) this.#wake.tell("outbox");
      },
    );

  get: Store["get"] = async (collection, id) => this.#documents.get(collection, id);

  put(
    collection: string,
    id: string,
    value: JsonObject,
    expect?: number,
  ): Promise<number | "conflict"> {
    return this.#file.commit(() => this.#documents.put(collection, id, value, expect));
  }

  remove: Store["remove"] = (collection, id) =>
    this.#file.commit(() => this.#documents.remove(collection, id));

  list: Store["list"] = async (collection, options) => this.#documents.list(collection, options);
  ids: Store["ids"] = async (collection, options) => this.#documents.ids(collection, options);

  session: Store["session"] = async (account, contact) => this.#views.session(account, contact);
  sessions: Store["sessions"] = async (options) => this.#views.sessions(options);
  journal: Store["journal"] = async (account, contact, limit) =>
    this.#views.journal(account, contact, limit);
  forgetLines: Store["forgetLines"] = (account, contact, seen, keep) =>
    this.#file.commit(() => this.#views.forgetLines(account, contact, seen, keep));
  effects: Store["effects"] = async (options) => this.#views.effects(options);
  effect: Store["effect"] = async (of) => this.#views.effect(of);
  effectsOf: Store["effectsOf"] = async (options) => this.#views.effectsOf(options);
  held: Store["held"] = async (options) => this.#views.held(options);
  dead: Store["dead"] = async (options) => this.#views.dead(options);
  backlog: Store["backlog"] = async () => this.#views.backlog();

  bury: Store["bury"] = (id, action) =>
    this.#file.commit(
      () => this.#views.bury(id, action),
      (done) => {
        if (done && action === "release") this.#wake.tell("turns");
      },
    );

  erase: Store["erase"] = (account, contact) =>
    this.#file.commit(
      () => this.#people.erase(account, contact),
      () => {
        this.#base.keys.forget(contact);
        this.#file.flushLog();
      },
    );

  census: Store["census"] = (options) => takeCensus(this.#base, options?.rewrap === true);

  onWake: Store["onWake"] = (listener: (what: Work) => void) => this.#wake.on(listener);

  /**
   * The file knows fewer calls than were begun: an older one was put in its place. Noticed only while the folder's own mark
   * was not restored with it.
   */
  #holdWhenOlder(): void {
    const missing = this.#marks.of(0) - this.#base.count("guarded");
    if (missing <= 0) return;
    for (const one of GUARDED) this.#documents.pause(holdOf(one), "restored");
    this.#base.add("guarded", missing);
  }

  /** Only new events and new people are refused; what drains the store is not. */
  #refuseWhenFull(): void {
    const now = performance.now();
    if (now - this.#size.at > SIZE_KNOWN_MS) this.#size = { bytes: this.#file.bytes(), at: now };
    if (this.#size.bytes >= this.#base.limits.fileBytes)
      throw new Fault("STORE_FULL", "The embedded store has reached its size.");
  }
}
