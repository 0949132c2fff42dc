/** What a server's journals tell of the people of a chat file: their turns, what those asked for and how it ended. */
import type { CallEffect, CallResult, JournalRecord } from "../engine/index.ts";
import type { ApiClient } from "./client.ts";
import { peopleOf, type Phone } from "./http-people.ts";

export class HttpTurns {
  readonly #api: ApiClient;
  readonly #account: string;
  readonly #phones: ReadonlyMap<string, Phone>;
  /** By contact, revision and event: a journal keeps the last ones only, this all it has seen. */
  readonly #seen = new Map<string, { readonly phone: Phone; readonly record: JournalRecord }>();

  constructor(api: ApiClient, account: string, phones: ReadonlyMap<string, Phone>) {
    this.#api = api;
    this.#account = account;
    this.#phones = phones;
  }

  /** New turns of everybody in the file. */
  async look(): Promise<void> {
    for (const phone of this.#phones.values()) {
      const contact = await this.contact(phone);
      if (contact === undefined) continue;
      const path = `/api/sessions/${this.#account}/${contact}/journal?limit=500&reveal=1`;
      const { items } = await this.#api.get(path);
      for (const item of items as unknown as readonly JournalRecord[])
        if (Array.isArray(item.moves))
          this.#seen.set(`${contact} ${item.rev} ${item.event}`, { phone, record: item });
    }
  }

  /** Calls that flows asked for, oldest first. */
  calls(): readonly CallEffect[] {
    return [...this.#seen.values()]
      .sort((a, b) => a.record.at - b.record.at)
      .flatMap(({ record }) => record.effects.filter((effect) => effect.type === "call"));
  }

  /** What came of a call so far. */
  results({ id }: CallEffect): readonly CallResult[] {
    return [...this.#seen.values()].flatMap(({ record: { mail } }) =>
      mail.kind === "result" && mail.effect === id ? [mail.result] : [],
    );
  }

  /** How somebody's last flow ended. */
  outcome(of: Phone): string | undefined {
    return [...this.#seen.values()]
      .filter(({ phone }) => phone === of)
      .flatMap(({ record }) => record.moves.map(({ to }) => to ?? ""))
      .findLast((to) => to.startsWith("ended-"))
      ?.slice("ended-".length);
  }

  /** The contact behind a phone; undefined while nobody has written. */
  async contact(phone: Phone): Promise<string | undefined> {
    if (phone.contact === undefined) {
      const found = await peopleOf(this.#api, this.#account, [phone.number]);
      const contact = found.get(phone.number);
      if (contact !== undefined) phone.contact = contact;
    }
    return phone.contact;
  }
}
