/** Who is who on Redis: aliases in the account's slot, contacts in their partitions. */
import { handover } from "../../merge-handover.ts";
import { REMEMBERED } from "../../limits.ts";
import { Lru } from "../../lru.ts";
import { associatedData } from "../../names.ts";
import type { ContactId, ContactStore } from "../../port/port.ts";
import { mailOf } from "../effects/entries.ts";
import { type RedisContext, newToken } from "../connection/redis-context.ts";
import { type Reply, list, number, text } from "../connection/script-calls.ts";
import type { Barrier } from "../failover/durability.ts";
import type { LogRewrite } from "../failover/log-rewrite.ts";
import type { Mailbox } from "./mailbox.ts";

/**
 * How long a contact found by its names is remembered, ms. `accept` notices an erasure or a merge at once; this bounds how
 * long a merge that a crash left half done stays hidden.
 */
const RECENT_MS = 5 * 60_000;
/** How long an erased contact tells callers that found it before that it is gone, ms: no delivery is on its way for longer. */
const GONE_MS = 60 * 60_000;

interface Found {
  readonly contact: ContactId;
  /** Time of the last erasure of a person with one of these names; 0 when none is remembered. */
  readonly erasedAt: number;
  readonly at: number;
}

export class People implements ContactStore {
  readonly #context: RedisContext;
  readonly #mailbox: Mailbox;
  readonly #barrier: Barrier;
  readonly #log: LogRewrite;
  readonly #recent = new Lru<string, Found>(REMEMBERED);

  constructor(
    context: RedisContext,
    parts: { mailbox: Mailbox; barrier: Barrier; log: LogRewrite },
  ) {
    this.#context = context;
    this.#mailbox = parts.mailbox;
    this.#barrier = parts.barrier;
    this.#log = parts.log;
  }

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
      (recent ? this.#known(account, aliases, at) : undefined) ??
      this.#identify(account, aliases, at)
    );
  }

  /**
   * The contact of these very aliases, when it was found lately and its data key is known to be in the store: an `accept`
   * that is told `found` then notices an erasure. Not for events made before an erasure.
   */
  #known(account: string, aliases: readonly string[], at?: number): ContactId | undefined {
    const known = this.#recent.get(keyOf(account, aliases));
    if (!known || performance.now() - known.at > RECENT_MS) return undefined;
    if (at !== undefined && at < known.erasedAt) return undefined;
    return this.#context.keys.remembered(known.contact)?.stored ? known.contact : undefined;
  }

  /**
   * Aliases and forwarders are in different slots. The alias step remembers which losers do not forward yet, so the next
   * caller finishes what a crash left undone; each step may be repeated. Null: the event of time `at` was made before an
   * erasure of one of these names.
   */
  async #identify(
    account: string,
    aliases: readonly string[],
    at?: number,
  ): Promise<ContactId | null> {
    const { names, ingress, limits } = this.#context;
    const hashes = new Set(aliases.map((alias) => names.alias(account, alias)));
    const prefix = this.#prefix(account);
    const values = [names.newContact(account), at ?? "", limits.dedupeMs, ...hashes];
    const [found, erased, ...rest] = list(await ingress.script("identify", prefix, ...values));
    const [contact, erasedAt, losers] = [text(found), number(erased), rest.map(text)];
    if (contact === "") return null;
    if (losers.length > 0) {
      // In the order in which they were merged, so that of two that were merged before the words stay in order.
      for (const loser of losers) await this.#handOver(account, loser, contact);
      await ingress.script("forwarded", prefix, contact, ...losers);
    }
    this.#recent.set(keyOf(account, aliases), { contact, erasedAt, at: performance.now() });
    return contact;
  }

  /** Puts session and mail of a merged contact into the winner's mailbox. What cannot be opened stays where it is. */
  async #handOver(account: string, loser: ContactId, winner: ContactId): Promise<void> {
    const context = this.#context;
    const [wrapped, rev, sealed, ...entries] = list(
      await context.run("forward", loser, account, winner),
    );
    if (text(wrapped) === "") return;
    context.tell("turns", loser);
    const found = this.#opened(loser, [text(wrapped), number(rev), text(sealed)], entries);
    if (!found) return;
    for (const item of handover(loser, number(rev), found.session, found.mail))
      await this.#mailbox.acceptOfOne([{ account, contact: winner, ...item }]);
    const last = found.mail.at(-1)?.seq ?? 0;
    await context.run("handed", loser, account, number(rev), last);
  }

  #opened(
    loser: ContactId,
    [wrapped, rev, sealed]: readonly [string, number, string],
    entries: readonly Reply[],
  ) {
    try {
      const key = this.#context.keys.of(loser, wrapped);
      const session = sealed === "" ? null : key.open(associatedData.session(loser, rev), sealed);
      return { session, mail: entries.map((entry) => mailOf(key, loser, text(entry))) };
    } catch {
      return undefined;
    }
  }

  /** By Redis' own clock, as `accept` does: a worker whose clock is wrong must not answer a message twice. */
  async knew(account: string, contact: ContactId, event: string): Promise<boolean> {
    const { names, limits } = this.#context;
    const hash = names.event(contact, event);
    return (await this.#context.run("knew", contact, account, hash, limits.dedupeMs)) === 1;
  }

  async lookup(account: string, alias: string): Promise<ContactId | null> {
    const { names, ingress } = this.#context;
    const prefix = this.#prefix(account);
    const hash = names.alias(account, alias);
    // Plain commands: they are answered also while nothing can be written.
    const contactOf = (one: string) => ingress.ask((client) => client.hget(`${prefix}alias`, one));
    const found = await contactOf(hash);
    if (found !== null) return found;
    const led = await ingress.ask((client) => client.get(`${prefix}lead:${hash}`));
    return led === null ? null : contactOf(led);
  }

  async lead(account: string, name: string, to: readonly string[]): Promise<boolean> {
    const { names, work, limits } = this.#context;
    const [hash, ...aliases] = [name, ...to].map((one) => names.alias(account, one));
    const values = [hash ?? "", limits.leadMs, limits.leads, ...aliases];
    return (await work.script("lead", this.#prefix(account), ...values)) === 1;
  }

  /**
   * Aliases first, in one step with their tombstones: from then on the contact cannot be found. Callers that found it
   * before are told by its partition, so that no mail belongs to a contact without a name. Merged contacts are known until
   * all is erased, so an erasure that a crash cut off can be repeated. So can one that replicas did not confirm: a replica
   * without it would bring the person back.
   */
  async erase(account: string, contact: ContactId): Promise<boolean> {
    const since = performance.now();
    const { work, keys, limits } = this.#context;
    const prefix = this.#prefix(account);
    const { dedupeMs, erased } = limits;
    const [known, ...merged] = list(await work.script("forget", prefix, contact, dedupeMs, erased));
    const drop = async (one: ContactId) => {
      const gone = await this.#context.run(
        "erase",
        one,
        account,
        known === 1 ? GONE_MS : "",
        newToken(),
      );
      keys.forget(one);
      return gone === 1;
    };
    // The contact itself last: the effect that asks for the erasure goes with it, and the rest would not be asked for
    // again.
    const former = await Promise.all(merged.map((one) => drop(text(one))));
    const any = (await drop(contact)) || known === 1 || former.includes(true);
    if (any) this.#log.due();
    await this.#barrier.pass(since);
    if (known === 1) await work.script("forgotten", prefix, contact);
    return any;
  }

  async forgetLines(
    account: string,
    contact: ContactId,
    seen: number,
    keep: number,
  ): Promise<void> {
    const { journal } = this.#context.limits;
    await this.#context.run("forget-lines", contact, account, seen, keep, journal);
  }

  #prefix(account: string): string {
    return `prosa:{a:${this.#context.names.account(account)}}:`;
  }
}

function keyOf(account: string, aliases: readonly string[]): string {
  return `${account}\n${aliases.join("\n")}`;
}
