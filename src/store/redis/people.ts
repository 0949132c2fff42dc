/** Who is who on Redis: aliases in the account's slot, contacts in their partitions. */
import { REMEMBERED } from "../limits.ts";
import { Lru } from "../lru.ts";
import type { ContactId } from "../port.ts";
import type { Hub } from "./hub.ts";
import { list, text } from "./reply.ts";

/**
 * How long a contact found by its names is believed, ms. An erasure and a merge are noticed at once by whoever accepts mail
 * for it; this bounds what a merge left half done by a crash can hide.
 */
const RECENT_MS = 5 * 60_000;

export class People {
  readonly #hub: Hub;
  readonly #recent = new Lru<string, { readonly contact: ContactId; readonly at: number }>(
    REMEMBERED,
  );

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /**
   * The contact these very aliases led to lately, while its data key is known to be in the store: then an `accept` that is
   * told that the contact was `found` sees whether it was erased since.
   */
  recent(account: string, aliases: readonly string[]): ContactId | undefined {
    const known = this.#recent.get(keyOf(account, aliases));
    if (!known || performance.now() - known.at > RECENT_MS) return undefined;
    return this.#hub.keys.remembered(known.contact)?.stored ? known.contact : undefined;
  }

  /**
   * Aliases and forwarders stand in different slots. The alias step remembers which losers are not forwarded yet, so
   * that whoever asks next finishes what a crash left undone.
   */
  async identify(account: string, aliases: readonly string[]): Promise<ContactId> {
    const { names, ingress } = this.#hub;
    const hashes = aliases.map((alias) => names.alias(account, alias));
    const prefix = this.#prefix(account);
    const [contact, ...losers] = list(
      await ingress.script("identify", prefix, names.newContact(account), ...new Set(hashes)),
    ).map(text);
    if (contact === undefined) throw new TypeError("identify answered no contact.");
    if (losers.length > 0) {
      await Promise.all(losers.map((loser) => this.#hub.run("forward", loser, account, contact)));
      await ingress.script("forwarded", prefix, contact, ...losers);
      for (const loser of losers) this.#hub.tell("turns", loser);
    }
    this.#recent.set(keyOf(account, aliases), { contact, at: performance.now() });
    return contact;
  }

  async lookup(account: string, alias: string): Promise<ContactId | null> {
    const hash = this.#hub.names.alias(account, alias);
    return this.#hub.ingress.ask((client) => client.hget(`${this.#prefix(account)}alias`, hash));
  }

  /** Keys first, aliases last: whoever comes in between finds an empty contact. */
  async erase(account: string, contact: ContactId): Promise<boolean> {
    const prefix = this.#prefix(account);
    const merged = await this.#hub.work.ask((client) =>
      client.hget(`${prefix}people`, `${contact}:m`),
    );
    const all = [contact, ...(merged ?? "").split(" ").filter((loser) => loser !== "")];
    const gone = await Promise.all(all.map((one) => this.#hub.run("erase", one, account)));
    for (const one of all) this.#hub.keys.forget(one);
    const known = await this.#hub.work.script("forget", prefix, contact);
    return known === 1 || gone.includes(1);
  }

  #prefix(account: string): string {
    return `prosa:{a:${this.#hub.names.account(account)}}:`;
  }
}

function keyOf(account: string, aliases: readonly string[]): string {
  return `${account}\n${aliases.join("\n")}`;
}
