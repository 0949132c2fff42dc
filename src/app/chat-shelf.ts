/**
 * What the people of a chat file have in the business's books: notes that exist before its first line (`@note`), and the
 * house's own effects about them, done on documents in memory as the worker does them on the store.
 */
import { createHash } from "node:crypto";
import { Fault, type JsonObject } from "../base/index.ts";
import { type Address, instantOf, townByCode } from "../brazil/index.ts";
import type { Account, CallEffect, CallResult, Mail, Session } from "../engine/index.ts";
import { chatWords as words } from "../flow/index.ts";
import { Invoice, Invoices, type LocalWork, locals } from "../worker/index.ts";

/** Local effects that are done here; the others wait for a `*` line like calls of the gateway. */
const DONE_HERE = /^(?:notes|customers|takers)\./;

/** Whether a chat's world does it by itself; every other effect waits for a `*` line. */
export function doneHere(name: string): boolean {
  return DONE_HERE.test(name) && locals.has(name);
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
    const spec = locals.get(effect.name);
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
      ...{ store, keys: { hash }, invoices: this.#invoices, wake: () => undefined },
      clock: { now: () => now },
    };
    const begun = { id: effect.id, account: this.#account.id, contact };
    const work = { desk, begun, account: this.#account, at: now } as unknown as LocalWork;
    const ending = await spec.perform(work, input.data);
    return { mail, ...(ending?.result ? { result: ending.result } : {}) };
  }

  async #seed(): Promise<void> {
    const seeds = this.#seeds;
    this.#seeds = [];
    for (const [index, seed] of seeds.entries()) {
      const note = noteOf(seed, index, this.#account, (name) => this.#people.contactOf(name));
      await this.#invoices.open({ ...note, state: "pendente" });
      await this.#invoices.change(note.account, note.id, () => note);
    }
  }
}

/** `12 name="Maria Souza" document=52998224725 value=15000 day=2026-11-05 by=ana`: a note of the books, issued unless said. */
function noteOf(
  seed: string,
  index: number,
  account: Account,
  contactOf: (speaker: string) => string,
): Invoice {
  const [number = "", ...pairs] = words(seed);
  const given = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  const service = account.services.find(({ id }) => id === given["service"]) ?? account.services[0];
  const issuer = account.issuers[0];
  const day = given["day"] ?? "2026-11-05";
  const state = given["state"] ?? "autorizada";
  const createdAt = instantOf(day, "10:00:00", account.zone) + index;
  const parsed = Invoice.safeParse({
    ...{ id: hash(`seed:${index}`).slice(0, 32), account: account.id, effect: `seed:${index}` },
    ...{ contact: contactOf(given["by"] ?? "customer"), locale: "pt-BR", state },
    issuer: {
      ...{ emitente_id: issuer?.emitente_id, cnpj: issuer?.cnpj, town: issuer?.town },
      zone: issuer?.zone ?? account.zone,
    },
    taker: {
      ...{ document: given["document"] ?? "52998224725", name: given["name"] ?? "Maria Souza" },
      ...(given["town"] === undefined ? {} : { address: addressIn(given["town"]) }),
    },
    ...{ cents: Number(given["value"] ?? 15_000), competence: given["month"] ?? day.slice(0, 7) },
    ...{ service: service?.name ?? "", serviceId: service?.id },
    description: given["description"] ?? service?.name ?? "",
    ...{ businessKey: `seed:${index}`, token: "t", code: "c", createdAt },
    ...(state === "autorizada"
      ? { number, key: given["key"] ?? keyOf(number), link: given["link"], settledAt: createdAt }
      : {}),
    ...(given["why"] === undefined
      ? {}
      : { reason: { code: "x", text: given["why"], slots: [], fixable: "nobody" } }),
    history: [{ at: createdAt, state, by: "worker" }],
  });
  if (!parsed.success)
    throw new Fault("FLOW_INVALID", `@note ${seed}: ${parsed.error.issues[0]?.message ?? ""}`);
  return parsed.data;
}

/** Some address of the town with this code. */
function addressIn(code: string): Address {
  const street = { logradouro: "Rua das Flores", numero: "123", bairro: "Centro" };
  return { ...street, codigo_municipio: code, uf: townByCode(code)?.uf ?? "SP", cep: "01310100" };
}

function keyOf(number: string): string {
  return `3550308211222333000181${number.padStart(28, "0")}`.slice(0, 50);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
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
