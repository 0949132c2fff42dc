/** What this process has claimed on Redis: contacts that it leased, with their sessions and mail opened. */
import { SOLO_AFTER, REMEMBERED } from "../../limits.ts";
import { Lru } from "../../lru.ts";
import type { Acceptance, Claimed, ContactId, MailItem } from "../../port/port.ts";
import type { DataKey } from "../../sealing/seal.ts";
import type { Json } from "../../../base/index.ts";
import type { RedisContext } from "../connection/redis-context.ts";
import { type Reply, list, number, text } from "../connection/script-calls.ts";
import { mailOf } from "../effects/entries.ts";
import { associatedData } from "../../names.ts";

/** The lease of a contact, and the first mail that was handed out, by which a repeated commit is recognised. */
interface Held {
  readonly epoch: number;
  readonly head: number;
}

export class Claims {
  readonly #context: RedisContext;
  readonly #held = new Lru<ContactId, Held>(REMEMBERED);
  readonly #sessions = new Sessions();
  /** Partitions with contacts that must come alone. */
  readonly #solo = new Set<number>();
  #round = 0;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async claim(options: {
    contacts: number;
    events: number;
    leaseMs: number;
    hinted?: boolean;
  }): Promise<readonly Claimed[]> {
    this.#round += 1;
    // Every fourth time contacts that must come alone go first; a busy store would never reach them otherwise.
    if (this.#round % 4 === 0) {
      const alone = await this.#claimAlone(options);
      if (alone) return [alone];
    }
    const claimed = await this.#context.poller.turns.gather(
      { limit: options.contacts, hinted: options.hinted === true },
      async (partition, share) => {
        const [more, solo, ...claims] = list(await this.#ask(partition, share, options, "all"));
        if (solo === 1) this.#solo.add(partition);
        return { got: claims.map((claim) => this.#claimed(claim)), more: more === 1 };
      },
    );
    if (claimed.length > 0) return claimed;
    const alone = await this.#claimAlone(options);
    return alone ? [alone] : [];
  }

  /** The session that this process opened last. */
  session(contact: ContactId): Opened | undefined {
    return this.#sessions.get(contact);
  }

  /** The first mail of the claim of that epoch, by its number; undefined when this process does not hold it. */
  head(contact: ContactId, epoch: number): number | undefined {
    const held = this.#held.get(contact);
    return held?.epoch === epoch ? held.head : undefined;
  }

  /** The claim is over. `sealed` is empty where the session did not change. */
  committed(contact: ContactId, sealed: string, plain: string, session: Json): void {
    if (sealed !== "") this.#sessions.sealed(contact, sealed, plain, session);
    this.#held.delete(contact);
  }

  /** A contact that was accepted and leased in one step: mail and session need not be opened when both are known here. */
  taken(
    key: DataKey,
    item: Acceptance,
    answer: readonly Reply[],
    opened: Opened | undefined,
  ): Claimed {
    const { account, contact } = item;
    const [acceptedAt, seq] = [number(answer[1]), number(answer[2])];
    const [epoch, rev, failedClaims] = [number(answer[3]), number(answer[4]), number(answer[6])];
    const rows = list(answer[7]);
    let broken: Claimed["broken"] = "session";
    let session: Claimed["session"] = null;
    const mail: MailItem[] = [];
    try {
      if (answer[5] === 1 && opened) session = valueOf(opened);
      else session = this.#sessions.open(key, contact, rev, text(answer[5]));
      broken = "mail";
      if (rows.length === 0) mail.push({ seq, event: item.event, mail: item.mail, acceptedAt });
      else for (const entry of rows) mail.push(mailOf(key, contact, text(entry)));
      broken = undefined;
    } catch {
      // As with a claim: the mail is stored, and whoever makes the turn is told that it cannot be opened.
    }
    this.#held.set(contact, { epoch, head: mail[0]?.seq ?? 0 });
    const of = { account, contact, epoch, rev, session, mail, failedClaims };
    return broken === undefined ? of : { ...of, broken };
  }

  /** Forgets what this process claimed of the contact. */
  drop(contact: ContactId): void {
    this.#held.delete(contact);
    this.#sessions.forget(contact);
  }

  async #claimAlone(options: { events: number; leaseMs: number }): Promise<Claimed | undefined> {
    for (const partition of this.#solo) {
      this.#solo.delete(partition);
      const [more, , claim] = list(await this.#ask(partition, 1, options, "solo"));
      if (more === 1) this.#solo.add(partition);
      if (claim === undefined) continue;
      this.#solo.add(partition);
      return this.#claimed(claim);
    }
    return undefined;
  }

  #ask(
    partition: number,
    contacts: number,
    { events, leaseMs }: { events: number; leaseMs: number },
    mode: "all" | "solo",
  ): Promise<Reply> {
    return this.#context.at("claim", partition, contacts, events, leaseMs, SOLO_AFTER, mode);
  }

  #claimed(reply: Reply): Claimed {
    const row = list(reply);
    const [contact, account, forward] = [text(row[0]), text(row[1]), text(row[6])];
    const [epoch, rev, failedClaims] = [number(row[2]), number(row[3]), number(row[7])];
    let broken: Claimed["broken"];
    let session: Claimed["session"] = null;
    const mail: MailItem[] = [];
    try {
      const key = this.#context.keys.of(contact, text(row[4]));
      broken = "session";
      session = this.#sessions.open(key, contact, rev, text(row[5]));
      broken = "mail";
      for (const entry of list(row[8])) mail.push(mailOf(key, contact, text(entry)));
      broken = undefined;
    } catch {
      // A contact that cannot be opened does not stop the others of this claim.
      broken ??= "session";
    }
    this.#held.set(contact, { epoch, head: mail[0]?.seq ?? 0 });
    const of = { account, contact, epoch, rev, session, mail, failedClaims };
    return {
      ...of,
      ...(forward === "" ? {} : { forward }),
      ...(broken === undefined ? {} : { broken }),
    };
  }
}

/**
 * A session as it was opened last, found by its sealed form, so a session changed elsewhere is not mistaken for it.
 * Thousands are kept, each once: frozen, or as text when only its text is known to be what JSON gives back.
 */
type Opened = { readonly sealed: string } & ({ readonly value: Json } | { readonly plain: string });
/** Length of the end of a sealed value that is compared, characters: it is the tag, which is unique. */
export const TAIL = 22;

/** The sessions that this process opened last. One that comes back unchanged is not opened again. */
class Sessions {
  readonly #known = new Lru<ContactId, Opened>(REMEMBERED);

  get(contact: ContactId): Opened | undefined {
    return this.#known.get(contact);
  }

  /** Throws what opening throws. */
  open(key: DataKey, contact: ContactId, rev: number, sealed: string): Claimed["session"] {
    if (sealed === "") return null;
    const known = this.#known.get(contact);
    if (known?.sealed === sealed) return valueOf(known);
    const plain = key.openText(associatedData.session(contact, rev), sealed);
    const value = JSON.parse(plain) as Json;
    this.#known.set(contact, openedOf(sealed, plain, value));
    return value;
  }

  sealed(contact: ContactId, sealed: string, plain: string, value: Json): void {
    this.#known.set(contact, openedOf(sealed, plain, value));
  }

  forget(contact: ContactId): void {
    this.#known.delete(contact);
  }
}

/** It cannot be changed before the next turn: it is frozen, or read from its text each time. */
function openedOf(sealed: string, plain: string, value: Json): Opened {
  return freezePlain(value) ? { sealed, value } : { sealed, plain };
}

function valueOf(opened: Opened): Json {
  return "value" in opened ? opened.value : (JSON.parse(opened.plain) as Json);
}

/**
 * Freezes plain data through and through. False when something in it is not what JSON would give back (undefined, an
 * infinite number, a class): then it must be read from its text. What was frozen by then stays so.
 */
function freezePlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      if (value === null) return true;
      break;
    default:
      return false;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (!freezePlain(item)) return false;
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const key in value)
      if (!freezePlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  }
  Object.freeze(value);
  return true;
}
