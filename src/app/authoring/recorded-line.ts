/** What a journal holds, as lines of a chat file write it. Every word passes through the masker. */
import type { Json, JsonObject } from "../../base/index.ts";
import {
  bareDocument,
  documentType,
  formatDocument,
  formatPhone,
  isAreaCode,
  maskDocument,
  maskPhone,
} from "../../brazil/index.ts";
import type { JournalRecord } from "../../engine/index.ts";

type Content = Extract<
  Extract<JournalRecord["mail"], { kind: "inbound" }>["event"],
  { kind: "message" }
>["content"];

/** Words as somebody typed them: further lines are indented, and brackets at the beginning are no action of a phone. */
export function typed(text: string): string {
  return continued(text.replace(/^\[/, "\\["));
}

/** A message of a person. */
export function written(content: Content, masker: Masker): string {
  switch (content.type) {
    case "text":
      return typed(masker.mask(content.text));
    case "choice": {
      const [pick] = content.picks;
      const label = masker.mask(pick?.label ?? "");
      return content.via === "poll" ? `[vote "${label}"]` : `[button ${pick?.id ?? ""} "${label}"]`;
    }
    case "media": {
      const caption = content.caption ? ` ${continued(masker.mask(content.caption))}` : "";
      return `[${content.media === "audio" ? "audio 5s" : `${content.media} file`}]${caption}`;
    }
    case "location":
      return `[location -23.5,-46.6]`;
    case "contacts":
      return `[contact "Ana" ${masker.mask(content.contacts[0]?.phone ?? "")}]`;
    case "other":
      return "[sticker]";
  }
}

/** A reaction; undefined for one that was taken away, which no line writes. */
export function reaction(emoji: string): string | undefined {
  return /^[^\]\s"\\]+$/.test(emoji) ? `[reaction ${emoji}]` : undefined;
}

/** What came of a call: words as `name="…"`, everything else as `name:=JSON`. */
export function fields(out: JsonObject, masker: Masker): string {
  return Object.entries(out)
    .map(([name, value]) => {
      const hidden = masked(value ?? null, masker);
      return typeof hidden === "string"
        ? ` ${name}=${quoted(hidden)}`
        : ` ${name}:=${quoted(JSON.stringify(hidden))}`;
    })
    .join("");
}

/** Only what cannot be written in one word is quoted more than once; a quoted text may have several lines. */
function quoted(text: string): string {
  return `"${continued(text.replace(/[\\"]/g, "\\$&"))}"`;
}

function masked(value: Json, masker: Masker): Json {
  if (typeof value === "string") return masker.mask(value);
  if (typeof value === "number") {
    // A document or a phone may stand there as a number.
    const hidden = Number(masker.mask(String(value)));
    return Number.isNaN(hidden) ? 0 : hidden;
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => masked(one, masker));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, masked(one ?? null, masker)]),
  );
}

/** Lines after the first one continue it. */
export function continued(text: string): string {
  return text.split(/\r?\n/).join("\n  ");
}

/** How long nothing happened, whole seconds. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** Made up, with right check digits. */
const CPFS = ["52998224725", "11144477735", "39053344705", "15350946056", "86288366757"];
const CNPJS = ["11222333000181", "11444777000161", "12345678000195", "04252011000110"];
const PEOPLE = ["Maria Souza", "João Pereira", "Ana Lima", "Carlos Dias", "Paula Rocha"];
const ADDRESS = "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100";
const COMPANIES = ["Padaria Aurora Ltda", "Oficina Boa Vista Ltda", "Mercado Central ME"];
/** As people write them; letters of the newer CNPJ only among digits. */
const CNPJ =
  /(?<![\dA-Z])(?=(?:[./-]?[A-Z]*\d){8})[\dA-Z]{2}[. ]?[\dA-Z]{3}[. ]?[\dA-Z]{3}[/ ]?[\dA-Z]{4}[- ]?\d{2}(?!\d)/g;
const CPF = /(?<!\d)\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}(?!\d)/g;
const PHONE = /(?<![\d.,])(?:\+?55 ?)?\(?[1-9]\d\)? ?9?\d{4}[- ]?\d{4}(?!\d)/g;
const COMPANY = /\b(ltda|me|epp|eireli|s\.?\/?a\.?|mei|cia|comercio|comércio|servi[cç]os)\b/i;

/**
 * Exchanges what tells who somebody is by fixtures with the same properties: a valid CPF by another valid one, a wrong one
 * by another wrong one, a mobile by a mobile, a company's name by a company's. The same thing becomes the same fixture
 * everywhere; money, days and what was wanted stay.
 */
export class Masker {
  /** What stands in texts, with what is to stand there. Longest first, when used. */
  readonly #pairs = new Map<string, string>();
  readonly #documents = new Map<string, string>();
  readonly #phones = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Learns every document, phone and mail address of a text. */
  learn(text: string): void {
    for (const [mail] of text.matchAll(/[\w.+-]+@[\w-]+\.[\w.]+/g))
      if (!mail.endsWith("@s.whatsapp.net"))
        this.#pair(mail, `pessoa${this.#pairs.size}@example.com`);
    for (const shape of [CNPJ, CPF, PHONE])
      for (const [written] of text.matchAll(shape)) this.#number(written, bareDocument(written));
  }

  /** Learns a name of somebody, as it was written. */
  name(text: string): void {
    const name = text.trim();
    if (name.length < 2 || this.#names.has(name.toLowerCase())) return;
    const list = COMPANY.test(name) ? COMPANIES : PEOPLE;
    const used = [...this.#names.values()].filter((one) => list.includes(one)).length;
    const made = list[used % list.length] ?? "Maria Souza";
    this.#names.set(name.toLowerCase(), made);
    this.#pair(name, made);
  }

  /** Learns a whole address, as it was written in one message. */
  address(text: string): void {
    this.#pair(text.trim(), ADDRESS);
  }

  /** The text with everything that was learnt exchanged. */
  mask(text: string): string {
    const known = [...this.#pairs].sort(([a], [b]) => b.length - a.length);
    if (known.length === 0) return text;
    const any = known.map(([one]) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
    const map = new Map(known.map(([one, made]) => [one.toLowerCase(), made]));
    // Once over the text: what was put in is not exchanged again.
    return text.replace(new RegExp(any, "gi"), (found) => map.get(found.toLowerCase()) ?? found);
  }

  /** Eleven digits are a CPF, or a mobile with its area code; fourteen are a CNPJ; the rest are phones. */
  #number(written: string, bare: string): void {
    if (this.#pairs.has(written)) return;
    const mobile = bare.length === 11 && isAreaCode(bare.slice(0, 2)) && bare[2] === "9";
    const dotted = /\d{3}\.\d{3}/.test(written);
    const isPhone = (bare.length !== 11 && bare.length !== 14) || (mobile && !dotted);
    if (documentType(bare) === null && isPhone) {
      this.#phone(written, bare);
      return;
    }
    const valid = documentType(bare) !== null;
    const list = bare.length === 11 ? CPFS : CNPJS;
    let made = this.#documents.get(bare);
    if (made === undefined) {
      const used = [...this.#documents.values()].filter((one) => one.length === bare.length).length;
      // Never the very one that is to be hidden.
      const rest = list.filter((one) => one !== bare);
      const right = rest[used % rest.length] ?? bare;
      made = valid ? right : `${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}`;
      this.#documents.set(bare, made);
    }
    this.#pair(written, like(written, made));
    this.#pair(bare, made);
    if (!valid) return;
    this.#pair(formatDocument(bare), formatDocument(made));
    this.#pair(maskDocument(bare), maskDocument(made));
  }

  #phone(written: string, bare: string): void {
    const national = bare.replace(/^55(?=\d{10,11}$)/, "");
    let made = this.#phones.get(national);
    if (made === undefined) {
      const serial = String(this.#phones.size + 2).padStart(4, "0");
      made = `11${national.length === 11 ? "98888" : "3333"}${serial}`;
      this.#phones.set(national, made);
    }
    this.#pair(written, like(written, bare === national ? made : `55${made}`));
    for (const shape of [(one: string) => one, formatPhone, maskPhone])
      this.#pair(shape(`55${national}`), shape(`55${made}`));
    this.#pair(national, made);
  }

  #pair(from: string, to: string): void {
    if (from !== to && from.length > 1) this.#pairs.set(from, to);
  }
}

/** New signs in the marks of what was written. */
function like(written: string, made: string): string {
  let at = 0;
  return written.replace(/[\dA-Z]/g, () => made[at++] ?? "");
}
