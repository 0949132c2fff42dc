/** What chat files play of this plugin: notes that exist (`@note`), the effects that look at them, and notes that are issued. */
import {
  type Account,
  type Address,
  type CallResult,
  chatWords as words,
  Fault,
  instantOf,
  type Json,
  type JsonObject,
  type Plugin,
  townByCode,
} from "../../plugin.ts";
import { invoicingContext } from "./context.ts";
import { effects } from "./effects/index.ts";
import { INVOICE_ISSUE } from "./effects/invoice-issue.ts";
import { explainRejection } from "./fiscal/rejection.ts";
import { createHash } from "node:crypto";
import { Invoice } from "./note/invoice.ts";
import type { Invoices } from "./note/invoices.ts";
import { invoicingOf } from "./account.ts";

type Rehearsal = NonNullable<Plugin["rehearsal"]>;
type Stage = Parameters<NonNullable<Rehearsal["done"]>>[2];
type Call = Parameters<NonNullable<Rehearsal["done"]>>[0];

export const rehearsal: Rehearsal = {
  headers: {
    async note(rest, { context, account, contactOf, serial }) {
      const seed = seedIn(rest);
      const note = noteOf(seed, serial(), account, await contactOf(seed.by));
      await writeNote(invoicingContext(context).invoices, note);
    },
  },
  does: effects
    .map(({ name }) => name)
    .filter((name) => /^(?:notes|customers|takers)\./.test(name)),
  done: issued,
  refused(effect, { code: given, message }, locale): CallResult | undefined {
    if (effect !== INVOICE_ISSUE) return undefined;
    const { duplicateHint, crashed, ...said } = explainRejection(given, message, locale);
    // A hint at a note that stands already is no definite no.
    if (duplicateHint || crashed) return { outcome: "held", out: { text: "", support: "" } };
    const { code, text, slots, fixable } = said;
    return { outcome: "rejected", out: { code, text, slots: [...slots], fixable } };
  },
};

/** A note that was issued in the file stands in the books from then on, as it does on a server. */
async function issued(
  { effect, contact, now }: Call,
  out: JsonObject,
  { context, account, serial }: Stage,
): Promise<void> {
  const number = textOf(out["number"]);
  if (effect.name !== INVOICE_ISSUE || !number) return;
  const { input } = effect;
  const told = {
    document: input["document"],
    name: input["name"],
    value: input["value"],
    service: input["service"],
    description: input["description"],
    key: out["key"],
    link: out["link"],
    month: input["competence"],
  };
  const fields = Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const note = noteOf({ number, by: "", fields }, serial(), account, contact);
  const history = note.history.map((one) => ({ ...one, at: now }));
  const times = { createdAt: now, settledAt: now };
  await writeNote(invoicingContext(context).invoices, { ...note, history, ...times });
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** What stands behind `@note`. */
interface NoteSeed {
  readonly number: string;
  /** Speaker the note is of. */
  readonly by: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A header as what it names. */
function seedIn(rest: string): NoteSeed {
  const [number = "", ...pairs] = words(rest);
  const all = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  const { by = "customer", ...fields } = all;
  return { number, by, fields };
}

/** The note of a seed. `index` tells those of one file apart. */
function noteOf(
  { number, fields }: NoteSeed,
  index: number,
  account: Account,
  contact: string,
): Invoice {
  const { issuers, services } = invoicingOf(account);
  const service = services.find(({ id }) => id === fields["service"]) ?? services[0];
  const issuer = issuers[0];
  const day = fields["day"] ?? "2026-11-05";
  const state = fields["state"] ?? "autorizada";
  const createdAt = instantOf(day, "10:00:00", account.zone) + index;
  const parsed = Invoice.safeParse({
    id: hash(`seed:${index}`).slice(0, 32),
    account: account.id,
    effect: `seed:${index}`,
    contact,
    locale: "pt-BR",
    state,
    issuer: {
      emitente_id: issuer?.emitente_id,
      cnpj: issuer?.cnpj,
      town: issuer?.town,
      zone: issuer?.zone ?? account.zone,
    },
    taker: {
      document: fields["document"] ?? "52998224725",
      name: fields["name"] ?? "Maria Souza",
      ...(fields["town"] === undefined ? {} : { address: addressIn(fields["town"]) }),
    },
    cents: Number(fields["value"] ?? 15_000),
    competence: fields["month"] ?? day.slice(0, 7),
    service: service?.name ?? "",
    serviceId: service?.id,
    description: fields["description"] ?? service?.name ?? "",
    businessKey: `seed:${index}`,
    window: null,
    token: "t",
    code: "c",
    createdAt,
    ...(state === "autorizada"
      ? { number, key: fields["key"] ?? keyOf(number), link: fields["link"], settledAt: createdAt }
      : {}),
    ...(fields["why"] === undefined
      ? {}
      : { reason: { code: "x", text: fields["why"], slots: [], fixable: "nobody" } }),
    history: [{ at: createdAt, state, by: "worker" }],
  });
  if (!parsed.success)
    throw new Fault("FLOW_INVALID", `@note ${number}: ${parsed.error.issues[0]?.message ?? ""}`);
  return parsed.data;
}

/** Writes it as the worker would: taken in, then as it stands. */
async function writeNote(invoices: Invoices, note: Invoice): Promise<void> {
  await invoices.open({ ...note, state: "pendente" });
  await invoices.change(note.account, note.id, () => note);
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
