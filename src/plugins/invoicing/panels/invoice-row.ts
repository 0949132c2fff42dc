/** Invoices as a list, from the sandbox's rows or the bot's own records. Reads what is there and invents nothing. */

export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  /** BRL. */
  readonly value?: number;
  readonly taker: string;
  readonly document: string;
  readonly key: string;
  readonly at?: string | number;
}

type Bag = Readonly<Record<string, unknown>>;

const bag = (value: unknown): Bag =>
  typeof value === "object" && value !== null ? (value as Bag) : {};

function first(row: Bag, ...names: string[]): string {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

export function invoiceRow(value: unknown): InvoiceRow {
  const row = bag(value);
  const sent = bag(row["dados"]);
  const taker = bag(sent["tomador"] ?? row["tomador"]);
  const service = bag(sent["servico"]);
  const worth = service["valor_servicos"] ?? row["value"] ?? row["valor"];
  const cents = row["cents"] ?? row["valueCents"];
  const at = row["at"];
  return {
    id: first(row, "id", "key", "chave"),
    number: first(row, "numero", "number"),
    status: first(row, "status", "state"),
    ...(typeof worth === "number" ? { value: worth } : {}),
    ...(typeof cents === "number" ? { value: cents / 100 } : {}),
    taker: first(taker, "razao_social", "nome") || first(row, "taker", "name"),
    document: first(taker, "cpf", "cnpj"),
    key: first(row, "chave", "key"),
    ...(typeof at === "string" || typeof at === "number" ? { at } : {}),
  };
}

/** A CPF keeps its middle, a CNPJ its head and branch: enough to recognise, not enough to use. */
export function maskDocument(digits: string): string {
  if (digits.length === 11) return `•••.${digits.slice(3, 6)}.${digits.slice(6, 9)}-••`;
  if (digits.length === 14) return `${digits.slice(0, 2)}.•••.•••/${digits.slice(8, 12)}-••`;
  return digits === "" ? "" : "•••";
}
