/**
 * Access keys of fiscal documents, and the offline check of one that somebody claims to be ours.
 *
 * - 44 positions (NF-e family): UF 2, AAMM 4, CNPJ 14, model 2, series 3, number 9, emission 1, code 8, check digit 1.
 * - 50 positions (NFS-e nacional): IBGE town 7, generator 1, document type 1, document 14, number 13, AAMM 4, code 9,
 *   check digit 1.
 *
 * The check digit is modulo 11 with weights 2–9 in both. Since 2026 the CNPJ part may hold letters (value ASCII − 48); the
 * published patterns disagree on where, so letters are accepted exactly in the document part and digits elsewhere.
 * A key is compared and checked in normal form but passed on to the gateway as it was received.
 */
import { isCnpj, isCpf, modulo11, UFS } from "../brazil/index.ts";

const MAX_WEIGHT = 9;

const FORM_44 = /^(\d{2})(\d{4})([0-9A-Z]{12}\d{2})(\d{2})(\d{3})(\d{9})(\d)(\d{8})\d$/;
const FORM_50 = /^(\d{7})([12])([12])([0-9A-Z]{12}\d{2})(\d{13})(\d{4})(\d{9})\d$/;

interface AccessKey {
  /** Normal form: no prefix, no marks, letters upper case. */
  readonly key: string;
  readonly kind: "nfe" | "nfse";
  /** CPF (11) or CNPJ (14) of the issuer. */
  readonly issuer: string;
  /** Year and month of emission, `2611` for November 2026. */
  readonly aamm: string;
  /** Number of the document without leading zeros. */
  readonly number: string;
  /** 7-digit town in an NFS-e, 2-digit UF prefix in an NF-e. */
  readonly place: string;
}

type AccessKeyReading =
  | { readonly ok: true; readonly key: AccessKey }
  | { readonly ok: false; readonly reason: "length" | "form" | "check-digit" };

/** Reads a key with or without `NFe`/`NFS` in front, spaces, dots or hyphens. */
export function readAccessKey(text: string): AccessKeyReading {
  let bare = text.replace(/[\s.\-/]/g, "").toUpperCase();
  if (
    (bare.length === 47 && bare.startsWith("NFE")) ||
    (bare.length === 53 && bare.startsWith("NFS"))
  )
    bare = bare.slice(3);
  if (bare.length !== 44 && bare.length !== 50) return { ok: false, reason: "length" };
  const key = bare.length === 44 ? partsOf44(bare) : partsOf50(bare);
  if (!key) return { ok: false, reason: "form" };
  const digit = modulo11(bare.slice(0, -1), MAX_WEIGHT);
  return String(digit) === bare.at(-1) ? { ok: true, key } : { ok: false, reason: "check-digit" };
}

function partsOf44(bare: string): AccessKey | null {
  const match = FORM_44.exec(bare);
  if (!match) return null;
  const [, place = "", aamm = "", issuer = "", , , number = ""] = match;
  if (!isAamm(aamm) || !UFS.some((row) => row.ibge === place)) return null;
  return { key: bare, kind: "nfe", issuer, aamm, number: trimZeros(number), place };
}

function partsOf50(bare: string): AccessKey | null {
  const match = FORM_50.exec(bare);
  if (!match) return null;
  const [, place = "", , type = "", document = "", number = "", aamm = ""] = match;
  if (!isAamm(aamm) || !UFS.some((row) => row.ibge === place.slice(0, 2))) return null;
  if (type === "1" && !document.startsWith("000")) return null;
  const issuer = type === "1" ? document.slice(3) : document;
  return { key: bare, kind: "nfse", issuer, aamm, number: trimZeros(number), place };
}

function isAamm(aamm: string): boolean {
  const month = Number(aamm.slice(2));
  return month >= 1 && month <= 12;
}

function trimZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, "");
}

/**
 * Whether a key that came from outside can be the key of a note of this issuer and month: right form and check digit, the
 * issuer's document, one of the months given (`2611`), and the town when told. Proves consistency, not existence.
 */
export function isKeyOf(
  text: string,
  expected: { readonly issuer: string; readonly aamm: readonly string[]; readonly town?: string },
): boolean {
  const read = readAccessKey(text);
  if (!read.ok || read.key.issuer !== expected.issuer || !expected.aamm.includes(read.key.aamm))
    return false;
  const { kind, place } = read.key;
  if (expected.town === undefined) return true;
  return place === (kind === "nfse" ? expected.town : expected.town.slice(0, 2));
}

/** `2611` of `2026-11-21` or `2026-11`. */
export function aammOf(day: string): string {
  return day.slice(2, 4) + day.slice(5, 7);
}

interface NfseKeyParts {
  /** 7-digit IBGE code. */
  readonly town: string;
  /** 1 = the town's own system, 2 = national. */
  readonly generator: 1 | 2;
  /** CPF or CNPJ in normal form. */
  readonly issuer: string;
  /** 1 to 13 digits. */
  readonly number: number;
  /** `YYYY-MM-DD` or `YYYY-MM` of emission. */
  readonly emitted: string;
  /** 9 digits. */
  readonly random: string;
}

/** A 50-position key. Throws a TypeError on parts that cannot make one: callers build them, people never do. */
export function nfseKey(parts: NfseKeyParts): string {
  if (!isCpf(parts.issuer) && !isCnpj(parts.issuer))
    throw new TypeError("nfseKey: the issuer is no CPF or CNPJ");
  const type = parts.issuer.length === 11 ? 1 : 2;
  const body =
    parts.town +
    `${parts.generator}${type}` +
    parts.issuer.padStart(14, "0") +
    String(parts.number).padStart(13, "0") +
    aammOf(parts.emitted) +
    parts.random;
  return sealed(body, FORM_50, "nfseKey");
}

interface NfeKeyParts {
  /** 2-digit IBGE prefix of the UF. */
  readonly place: string;
  readonly emitted: string;
  readonly issuer: string;
  /** 55 NF-e, 65 NFC-e, 57 CT-e. */
  readonly model: string;
  readonly series: number;
  readonly number: number;
  readonly emission: number;
  /** 8 digits. */
  readonly code: string;
}

/** A 44-position key; the interface's own lookup documents this length for service invoices too. Throws as {@link nfseKey}. */
export function nfeKey(parts: NfeKeyParts): string {
  if (!isCnpj(parts.issuer)) throw new TypeError("nfeKey: the issuer is no CNPJ");
  const body =
    parts.place +
    aammOf(parts.emitted) +
    parts.issuer +
    parts.model +
    String(parts.series).padStart(3, "0") +
    String(parts.number).padStart(9, "0") +
    String(parts.emission) +
    parts.code;
  return sealed(body, FORM_44, "nfeKey");
}

function sealed(body: string, form: RegExp, who: string): string {
  const digit = /^[0-9A-Z]*$/.test(body) ? modulo11(body, MAX_WEIGHT) : 0;
  const key = `${body}${digit}`;
  if (!form.test(key)) throw new TypeError(`${who}: a part has the wrong length or characters`);
  return key;
}
