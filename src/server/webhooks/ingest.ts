/**
 * The one way from a channel's events into mailboxes, for webhooks and for back-fill.
 *
 * Resolves only after everything is durable. Throws when something is not known to be; then the whole body is refused with
 * 503, and what was stored comes back as a duplicate.
 */
import { aliases, ID_ADDRESS, readJid } from "../../channels/index.ts";
import type { Account, ChannelName, InboundEvent, Mail, Peer } from "../../engine/index.ts";
import type { Acceptance, Accepted, ContactId, Store } from "../../store/port/port.ts";
import { Fault, isJsonObject, type JsonObject } from "../../base/index.ts";
import type { EventHub } from "../events.ts";
import type { ServerMetrics } from "../metrics.ts";

type Own = Extract<InboundEvent, { kind: "own" }>;
type Message = Extract<InboundEvent, { kind: "message" }>;

/** News that are no mail: progress of our sends, the connection, calls; `own`: the echo of a send of ours. */
export type Signal = Exclude<
  InboundEvent,
  { kind: "message" | "unreadable" | "edit" | "delete" | "reaction" | "contact" }
>;

export interface IngestDeps {
  readonly store: Pick<Store, "contacts" | "views">;
  /** Into the mailboxes, durably. */
  readonly mail: Pick<Store["mail"], "accept">;
  /** Virtual time, ms, and how far it is ahead of the store's. */
  readonly clock: { now(): number; readonly offsetMs: number };
  readonly echoes: {
    /** Whether something that left from the business's number is a send of ours, by id or by recipient and words. */
    isOurs(account: string, contact: ContactId, event: Own): Promise<boolean>;
    /** The same for a message that was pulled back. `nobody`: it is too old to tell, and is left alone. */
    whose(account: string, contact: ContactId, event: Own): Promise<"ours" | "human" | "nobody">;
  };
  readonly automatic: {
    /** Whether words that are not ours are known as those of the phone's own app. */
    are(account: Account, contact: ContactId, event: Own): Promise<boolean>;
  };
  readonly signals: {
    /** Takes news, durably where they matter; a throw refuses the webhook. */
    handle(account: string, channel: ChannelName, event: Signal): Promise<unknown>;
    /** The person of an own message when it names its chat by an unknown linked id alone. */
    whoseLinked(account: Account, event: Own): Promise<Peer | undefined>;
    /** The conversation in which a message of ours with this id was said, when nothing leads from it to a person. */
    saidTo(account: string, messageId: string): Promise<ContactId | undefined>;
    /** Tells the operators of an answer whose sender is unknown; a throw refuses the webhook. */
    unmatched(account: Account, event: Message): Promise<void>;
  };
  readonly hub?: EventHub;
  readonly metrics?: ServerMetrics;
}

export interface Ingested {
  readonly accepted: number;
  readonly duplicate: number;
  readonly dead: number;
  readonly signals: number;
  readonly ignored: number;
}

export type Ingest = (
  account: Account,
  channel: ChannelName,
  events: readonly InboundEvent[],
  options?: IngestOptions,
) => Promise<Ingested>;

export interface IngestOptions {
  /** The events were pulled back. Those older than `answeredSince` (virtual ms) are kept and not answered. */
  readonly pulled?: { readonly answeredSince: number };
}

interface Letter {
  readonly acceptance: Acceptance;
  readonly event: InboundEvent & { readonly from: Peer };
}

/** Tries to find a person anew: each needs a merge or an erasure at this very moment. */
const FIND_TRIES = 4;

export function createIngest(deps: IngestDeps): Ingest {
  const count = (channel: string, kind: string, outcome: string): void => {
    deps.metrics?.events.inc({ channel, kind, outcome });
  };

  /** A person known only by the message that was answered: found by its id, with the number of their conversation. */
  async function bySentMessage(account: string, channel: ChannelName, peer: Peer) {
    const found =
      (await deps.store.contacts.lookup(account, aliases(peer, channel)[0] ?? "")) ??
      (await deps.signals.saidTo(account, peer.address.slice(ID_ADDRESS.length)));
    const view = found ? await deps.store.views.session(account, found) : null;
    const session = view?.session as { readonly address?: unknown } | null | undefined;
    const { address } = session ?? {};
    if (!view || typeof address !== "string" || readJid(address)?.kind !== "phone") return null;
    return { contact: view.contact, peer: { ...peer, address } };
  }

  /** `erased`: it was done before its person was erased, and is delivered again or pulled back. */
  async function whoIs(
    account: string,
    channel: ChannelName,
    { from: peer, at }: Pick<Letter["event"], "from" | "at">,
    recent = true,
  ) {
    if (peer.address.startsWith(ID_ADDRESS)) return bySentMessage(account, channel, peer);
    // The time of an SMS may be in an unnamed zone, so it does not prove that the message is old.
    const done = channel === "sms" ? deps.clock.now() : at;
    const names = aliases(peer, channel);
    const contact = await deps.store.contacts.identify(
      account,
      names,
      recent,
      done - deps.clock.offsetMs,
    );
    return contact === null ? "erased" : { contact, peer };
  }

  /**
   * A person's names are joined only when one of them is known: an address book makes no contacts. A person who was known
   * by their linked id alone is answered at their phone from then on.
   */
  async function joinNames(
    account: string,
    channel: ChannelName,
    { id, from }: Extract<InboundEvent, { kind: "contact" }>,
  ): Promise<void> {
    const { phone, lid } = from;
    if (!phone || !lid) return;
    const names = aliases(from, channel);
    const known = await Promise.all(names.map((name) => deps.store.contacts.lookup(account, name)));
    const isJoined = new Set(known).size === 1;
    if (isJoined) return;
    const done = deps.clock.now() - deps.clock.offsetMs;
    const contact = await deps.store.contacts.identify(account, names, false, done);
    if (contact === null) return;
    const mail: Mail = { kind: "resolved", address: `${phone}@s.whatsapp.net` };
    await deps.mail.accept([{ account, contact, event: `${id}:named`, mail }]);
  }

  /** What the business says in a chat that is known by its linked id alone goes to the person who is known by phone. */
  async function withPhone(account: Account, event: Own): Promise<Own> {
    const { phone, lid } = event.from;
    if (phone !== undefined || lid === undefined) return event;
    if ((await deps.store.contacts.lookup(account.id, `lid:${lid}`)) !== null) return event;
    const from = await deps.signals.whoseLinked(account, event);
    return from ? { ...event, from } : event;
  }

  async function letterOf(
    account: Account,
    channel: ChannelName,
    given: InboundEvent,
    { pulled }: IngestOptions,
  ): Promise<Letter | "ours" | "automatic" | "signal" | "nobody" | "erased"> {
    const event = given.kind === "own" ? await withPhone(account, given) : given;
    switch (event.kind) {
      case "message":
      case "unreadable":
      case "edit":
      case "delete":
      case "reaction":
      case "own": {
        const found = await whoIs(account.id, channel, event);
        if (found === "erased") return "erased";
        if (!found) {
          // An answer that names neither a sender nor a known message. Its words are a person's, so consoles do not get
          // them.
          const { kind, messageId } = event;
          if (kind === "message") await deps.signals.unmatched(account, event);
          deps.hub?.publish({ type: "unmatched", account: account.id, channel, kind, messageId });
          return "nobody";
        }
        const { contact } = found;
        const late = pulled !== undefined && event.at < pulled.answeredSince;
        if (event.kind === "own") {
          // Also for API sends: hearing our own echo settles a send whose answer was lost.
          const whose = await whoseIs(account, event, contact, pulled !== undefined);
          // What a person said yesterday is no reason to be quiet today.
          if (whose === "nobody" || (late && whose === "human")) return "nobody";
          if (whose === "ours" || event.api) {
            await deps.signals.handle(account.id, channel, event);
            return "ours";
          }
          if (await deps.automatic.are(account, contact, event)) return "automatic";
        }
        const told = { ...event, from: found.peer };
        const acceptedAt = deps.clock.now();
        const kept = late ? { late } : {};
        const mail: Mail = { kind: "inbound", channel, event: told, acceptedAt, ...kept };
        // Data that is what JSON gives back is taken as it is; an event is not changed once it is read.
        const json = isJsonObject(mail) ? mail : (JSON.parse(JSON.stringify(mail)) as JsonObject);
        return {
          event: told,
          acceptance: { account: account.id, contact, event: event.id, mail: json, found: true },
        };
      }
      case "contact":
        await joinNames(account.id, channel, event);
        return "signal";
      default:
        await deps.signals.handle(account.id, channel, event);
        return "signal";
    }
  }

  async function whoseIs(account: Account, event: Own, contact: ContactId, pulled: boolean) {
    if (pulled) return deps.echoes.whose(account.id, contact, event);
    return (await deps.echoes.isOurs(account.id, contact, event)) ? "ours" : "human";
  }

  function tell(channel: ChannelName, { acceptance, event }: Letter): void {
    if (!deps.hub) return;
    const text =
      event.kind === "message" && event.content.type === "text" ? { text: event.content.text } : {};
    const { account, contact } = acceptance;
    deps.hub.publish({ type: "inbound", account, contact, channel, kind: event.kind, ...text });
  }

  /** Stores mail; a person who was merged or erased since is looked up anew. */
  async function store(
    channel: ChannelName,
    letters: Letter[],
  ): Promise<readonly (Accepted | "erased")[]> {
    const answers: (Accepted | "erased")[] = [
      ...(await deps.mail.accept(letters.map((letter) => letter.acceptance))),
    ];
    for (let tries = 1; answers.includes("moved"); tries++) {
      if (tries === FIND_TRIES)
        throw new Fault("STORE_UNAVAILABLE", "A contact keeps moving to another one.");
      for (const [index, letter] of letters.entries()) {
        if (answers[index] !== "moved") continue;
        const { account } = letter.acceptance;
        const found = await whoIs(account, channel, letter.event, false);
        if (found === "erased") {
          answers[index] = "erased";
          continue;
        }
        if (!found) throw new Fault("STORE_UNAVAILABLE", "A contact was there and is not.");
        const acceptance = { ...letter.acceptance, contact: found.contact };
        letters[index] = { ...letter, acceptance };
        [answers[index] = "dead"] = await deps.mail.accept([acceptance]);
      }
    }
    return answers;
  }

  return async (account, channel, events, options = {}) => {
    const letters: Letter[] = [];
    const sums = { accepted: 0, duplicate: 0, dead: 0, signals: 0, ignored: 0 };
    for (const event of events) {
      const result = await letterOf(account, channel, event, options);
      if (typeof result !== "string") letters.push(result);
      else if (result === "nobody" || result === "erased") sums.ignored++;
      else sums.signals++;
      if (typeof result === "string") count(channel, event.kind, result);
    }
    if (letters.length === 0) return sums;
    const answers = await store(channel, letters);
    letters.forEach((letter, index) => {
      const answer = answers[index] ?? "dead";
      if (answer === "moved") return;
      if (answer === "new") sums.accepted++;
      else if (answer === "erased") sums.ignored++;
      else sums[answer]++;
      count(channel, letter.event.kind, answer);
      if (answer !== "new") return;
      tell(channel, letter);
      if (letter.event.kind === "message" && letter.event.content.type === "other")
        deps.metrics?.form(channel, letter.event.content.what);
    });
    return sums;
  };
}
