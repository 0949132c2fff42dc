/** CPF, CNPJ, or either: decided by the check digits, never by hope. What fails comes back with what it probably was. */
import {
  bareDocument,
  CNPJ_LENGTH,
  CPF_LENGTH,
  documentType,
  type DocumentType,
  formatDocument,
} from "../../brazil/index.ts";
import type { Business } from "../business.ts";
import {
  isDoubtful,
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Option,
  type Understood,
} from "../understood.ts";
import { isBareDocument } from "../money/bare-value.ts";
import { plain, plainOf, tidy } from "../plain.ts";
import { type Fragment, fragmentsOf, lookalike, zeroPadded } from "./document-scan.ts";
import { personOrCompany } from "./name.ts";
import { phone } from "./phone.ts";

type DocumentKind = "cpf" | "cnpj" | "document";

export function cpf(text: string): Understood<"cpf"> {
  return read("cpf", text) as Understood<"cpf">;
}

export function cnpj(text: string): Understood<"cnpj"> {
  return read("cnpj", text) as Understood<"cnpj">;
}

export function document(text: string): Understood<"document"> {
  return read("document", text) as Understood<"document">;
}

function optionOf(value: string, asked: DocumentKind): Option {
  const type = documentType(value);
  const echo = formatDocument(value);
  return asked === "document" || type === asked || !type
    ? { value, echo }
    : { value, echo, kind: type };
}

function read(asked: DocumentKind, text: string): Understood<DocumentKind> {
  if (text.length > MAX_ANSWER) return absent(asked, "too-long");
  const fragments = fragmentsOf(text);
  const valid = [...new Set(fragments.map((one) => one.bare).filter((bare) => documentType(bare)))];
  const fit = valid.filter((bare) => asked === "document" || documentType(bare) === asked);
  const [only, second] = fit;
  if (second !== undefined)
    return ambiguous(
      asked,
      "which",
      fit.map((value) => optionOf(value, asked)),
    );
  if (only !== undefined) {
    const line = plainOf(text);
    const doubt = ABOUT_PHONE.test(line) ? phoneOrCpf(asked, text, only) : null;
    if (doubt) return doubt;
    // A second number that fails may be the one that was meant.
    if (fragments.some(({ bare, raw }) => bare !== only && isFailed(bare, raw)))
      return ambiguous(asked, "which", [optionOf(only, asked)]);
    return isDoubtful(line.replace(NO_BUT, ""))
      ? ambiguous(asked, "unsure", [optionOf(only, asked)])
      : clear(asked, only, formatDocument(only));
  }
  const [other] = valid;
  if (other !== undefined)
    return invalid(asked, documentType(other) === "cpf" ? "is-cpf" : "is-cnpj", [
      optionOf(other, asked),
    ]);
  return failed(asked, fragments, text);
}

/** A text that is a phone number, in a step that asks a document: by the words around it, or for want of a document. */
function phoneOrCpf(
  asked: DocumentKind,
  text: string,
  also: string | null,
): Understood<DocumentKind> | null {
  const fit = phone(also ?? text);
  const numbers = fit.ok
    ? [{ value: fit.value, echo: fit.echo }]
    : (fit.options ?? []).filter((one) => !one.kind);
  const [number] = fit.ok || fit.hint === "cpf-or-phone" ? numbers : [];
  if (!number) return null;
  const document = also === null ? [] : [optionOf(also, asked)];
  return ambiguous(asked, "cpf-or-phone", [...document, { ...number, kind: "phone" }]);
}

/** "N\u00e3o, \u00e9 529.982.247-25": the no is for what was said before; "não é …" says that it is not. */
const NO_BUT =
  /^(?:nao|no) ?[,.!] ?(?=(?:(?:o|the) (?:certo|right one) )?(?:e|eh|it ?'?s|it is|is) (?!nao|not))/;

const ABOUT_PHONE = /\b(?:tel|telefone|fone|celular|cel|zap|zapzap|whats|whatsapp|phone)\b/;

function failed(
  asked: DocumentKind,
  fragments: readonly Fragment[],
  text: string,
): Understood<DocumentKind> {
  const type: DocumentType | null = asked === "document" ? null : asked;
  const [first] = fragments;
  if (!first) return plainDigits(asked, text);
  const same = fragments.every(({ bare }) => new Set(bare).size === 1);
  if (same && fragments.some(({ bare }) => isWhole(bare))) return invalid(asked, "repeated");
  const number = type === "cnpj" ? null : phoneOrCpf(asked, text, null);
  if (number) return number;
  for (const { bare } of fragments) {
    const meant = lookalike(bare);
    if (meant) return invalid(asked, "letter-o", [optionOf(meant, asked)]);
  }
  for (const { bare } of fragments) {
    const padded = zeroPadded(bare);
    if (padded) return ambiguous(asked, "leading-zero", [optionOf(padded, asked)]);
  }
  const full = fragments.find(({ bare }) => isWhole(bare));
  if (!full) return invalid(asked, "length");
  if (new Set(full.bare).size === 1) return invalid(asked, "repeated");
  return invalid(asked, /[OI]/.test(full.bare) ? "letter-o" : "check-digit");
}

/** As long as a document, yet none, and no phone either. */
function isFailed(bare: string, raw: string): boolean {
  return isWhole(bare) && !documentType(bare) && !phone(raw).ok;
}

function isWhole(bare: string): boolean {
  return bare.length === CPF_LENGTH || bare.length === CNPJ_LENGTH;
}

/** Too short to be a document, but digits all the same. */
function plainDigits(asked: DocumentKind, text: string): Understood<DocumentKind> {
  return bareDocument(text).replace(/\D/g, "").length >= 3
    ? invalid(asked, "length")
    : absent(asked);
}

const OUT =
  /\ue000+|(?:\b(?:(?:o|meu|minha|com|no|do|da|e|eh) )*(?:cpf|cnpj|documento|doc|nome|cliente)\b ?(?:e\b|eh\b)?[ :.-]*)/g;

/** A second thought is nobody's name: "na verdade é no cpf …". */
const SECOND_THOUGHT =
  /\b(?:na verdade|na real|quer dizer|ou melhor|desculpa|desculpe|perdao|errei|corrigindo|corrige|opa|ops|actually|sorry|i mean|oops)\b[ ,:.!-]*/g;

/** Both, when the text is one valid document and a name of two words or more; null otherwise. */
export function documentAndName(
  text: string,
  business?: Business,
): { readonly document: string; readonly name: string } | null {
  if (text.length > MAX_ANSWER || isBareDocument(text)) return null;
  const number = document(text);
  const line = tidy(text);
  const [only, second] = fragmentsOf(text).filter(({ bare }) => documentType(bare));
  if (!number.ok || !only || second) return null;
  const around = `${line.slice(0, only.start)} ${line.slice(only.end)}`;
  const folded = plain(around);
  let rest = "";
  let at = 0;
  // Of the same length, so that places stay those of the text.
  const labels = folded.replace(SECOND_THOUGHT, (words) => "\ue000".repeat(words.length));
  for (const match of labels.matchAll(OUT)) {
    rest += around.slice(at, match.index);
    at = match.index + match[0].length;
  }
  rest = (rest + around.slice(at)).replace(/^[\s,;:.()-]+|[\s,;:()-]{1,20}$/g, "");
  if (!/^\p{L}[\p{L}'.& -]*$/u.test(rest) || rest.split(" ").length < 2) return null;
  const name = personOrCompany(rest, business);
  return name === null ? null : { document: number.value, name };
}
