/**
 * `@note 12 value=15000 day=2026-11-05 by=ana`: a note that stands in the business's books before a chat file begins, issued
 * unless said. The same in process and on a running sandbox system.
 */
import { createHash } from "node:crypto";
import {
  type Account,
  type Address,
  chatWords as words,
  Fault,
  instantOf,
  townByCode,
} from "../../../plugin.ts";
import { Invoice } from "../note/invoice.ts";
import type { Invoices } from "../note/invoices.ts";
import { invoicingOf } from "../account.ts";

/** What stands behind `@note`. */
export interface NoteSeed {
  readonly number: string;
  /** Speaker the note is of. */
  readonly by: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A header as what it names. */
export function seedIn(rest: string): NoteSeed {
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
export function noteOf(
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
export async function writeNote(invoices: Invoices, note: Invoice): Promise<void> {
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

export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
