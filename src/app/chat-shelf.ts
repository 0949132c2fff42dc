/**
 * What the people of a chat file have in the business's books: notes that exist before its first line (`@note`), and the
 * house's own effects about them, done on documents in memory as the worker does them on the store.
 */
import { effects } from "./shipped-effects.ts";
import { Fault, type Json, type JsonObject } from "../base/index.ts";
import type { Account, CallEffect, CallResult, Mail, Session } from "../engine/index.ts";
import { INVOICE_ISSUE } from "../plugins/invoicing/effects/invoice-issue.ts";
import { Invoices } from "../plugins/invoicing/note/invoices.ts";
import { type LocalWork } from "../worker/index.ts";
import { hash, noteOf, seedIn, writeNote } from "../plugins/invoicing/rehearsal/seeds.ts";

/** Local effects that are done here; the others wait for a `*` line like calls of the gateway. */
const DONE_HERE = /^(?:notes|customers|takers)\./;

/** Whether a chat's world does it by itself; every other effect waits for a `*` line. */
export function doneHere(name: string): boolean {
  return DONE_HERE.test(name) && effects.locals.has(name);
}

/** How the town's people are told apart. */
export interface Registry {
  contactOf(speaker: string): string;
  /** The contact of a person's aliases. */
  byAliases(aliases: readonly string[]): string;
  sessionOf(contact: string): Session | null;
}

export class ChatShelf {
  readonly #account: Account;
  readonly #people: Registry;
  readonly #documents = new Documents();
  readonly #invoices: Invoices;
  #seeds: readonly string[];
  #written = 0;

  constructor(account: Account, seeds: readonly string[], people: Registry) {
    this.#account = account;
    this.#people = people;
    this.#seeds = seeds;
    this.#invoices = new Invoices(this.#documents.store, { hash });
  }

  does(name: string): boolean {
    return doneHere(name);
  }

  async perform(
    effect: CallEffect,
    contact: string,
    now: number,
  ): Promise<{ result?: CallResult; mail: readonly { to: string; mail: Mail }[] }> {
    await this.#seed();
    const mail: { to: string; mail: Mail }[] = [];
    const spec = effects.locals.get(effect.name);
    if (!spec) throw new Fault("FLOW_FAILED", `No effect ${effect.name}.`);
    const input = spec.input.safeParse(effect.input);
    if (!input.success) return { result: { outcome: "failed", out: { reason: "input" } }, mail };
    const store = {
      ...this.#documents.store,
      session: async (_account: string, of: string) => ({ session: this.#people.sessionOf(of) }),
      identify: async (_account: string, aliases: readonly string[]) =>
        this.#people.byAliases(aliases),
      accept: async (items: readonly { contact: string; mail: unknown }[]) => {
        for (const one of items) mail.push({ to: one.contact, mail: one.mail as Mail });
        return items.map(() => "new" as const);
      },
    };
    const desk = {
      ...{ store, keys: { hash }, wake: () => undefined, clock: { now: () => now } },
      use: <T>(open: (context: unknown) => T): T => open(desk),
    };
    const begun = { id: effect.id, account: this.#account.id, contact };
    const work = { desk, begun, account: this.#account, at: now } as unknown as LocalWork;
    const ending = await spec.perform(work, input.data);
    return { mail, ...(ending?.result ? { result: ending.result } : {}) };
  }

  /** A note that was issued in the file stands in the books from then on, as it does on a server. */
  async issued(effect: CallEffect, contact: string, out: JsonObject, now: number): Promise<void> {
    await this.#seed();
    const [number, ...rest] = [out["number"], out["key"], out["link"]].map(textOf);
    if (effect.name !== INVOICE_ISSUE || !number) return;
    const fields = Object.fromEntries(
      ["document", "name", "value", "service", "description"].flatMap((name) => {
        const value = textOf(effect.input[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const [key, link] = rest;
    const named = {
      ...(key === undefined ? {} : { key }),
      ...(link === undefined ? {} : { link }),
    };
    const month = textOf(effect.input["competence"]);
    const seed = { number, by: "", fields: { ...fields, ...named, ...(month ? { month } : {}) } };
    const note = noteOf(seed, this.#written++, this.#account, contact);
    const history = note.history.map((one) => ({ ...one, at: now }));
    await writeNote(this.#invoices, { ...note, history, createdAt: now, settledAt: now });
  }

  async #seed(): Promise<void> {
    const seeds = this.#seeds;
    this.#seeds = [];
    for (const rest of seeds) {
      const seed = seedIn(rest);
      const contact = this.#people.contactOf(seed.by);
      await writeNote(this.#invoices, noteOf(seed, this.#written++, this.#account, contact));
    }
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Documents of a store, in memory: order by id, revisions, nothing else. */
class Documents {
  readonly #all = new Map<string, Map<string, { value: JsonObject; rev: number }>>();

  readonly store = {
    get: async (collection: string, id: string) => this.#of(collection).get(id) ?? null,
    put: async (collection: string, id: string, value: JsonObject, expect?: number) => {
      const rev = this.#of(collection).get(id)?.rev ?? 0;
      if (expect !== undefined && expect !== rev) return "conflict" as const;
      // Through JSON, as in the store.
      const kept = JSON.parse(JSON.stringify(value)) as JsonObject;
      this.#of(collection).set(id, { value: kept, rev: rev + 1 });
      return rev + 1;
    },
    remove: async (collection: string, id: string) => this.#of(collection).delete(id),
    list: async (collection: string, { after = "", limit = 100 } = {}) => {
      const rows = [...this.#of(collection)]
        .filter(([id]) => id > after)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const items = rows.slice(0, limit).map(([id, one]) => ({ id, ...one }));
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last ? { next: last.id } : {}) };
    },
  };

  #of(collection: string): Map<string, { value: JsonObject; rev: number }> {
    const known =
      this.#all.get(collection) ?? new Map<string, { value: JsonObject; rev: number }>();
    this.#all.set(collection, known);
    return known;
  }
}
