/**
 * What a company certificate (A1: a PFX file with its password) says: whose it is, and until when. node-forge, because Node's
 * own reader refuses the old RC2/3DES exports that are common in Brazil.
 *
 * Runs in a thread of its own (`pfx-thread.ts`): a file from outside may ask for any amount of work. It imports nothing of
 * the house, so that the thread is light; the rest of the plugin imports nothing of it, so that a start is.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import forge from "node-forge";
import {
  PASSWORD_LIMIT,
  PFX_LIMIT_BYTES,
  type PfxReading,
  type PfxRefusal,
} from "./pfx-reading.ts";

/** Rounds of key derivation. Exports have 1 to 10 thousand, careful ones a hundred thousand or two. */
const ROUNDS_LIMIT = 300_000;
/** Levels of wrapping inside the file; honest ones have some 15, and the reader goes down by calling itself. */
const DEPTH_LIMIT = 60;
/** ICP-Brasil: the company's CNPJ, and a person's birth date and CPF, among the alternative names. */
const COMPANY_OID = "2.16.76.1.3.3";
const PERSON_OID = "2.16.76.1.3.1";
const ALTERNATIVE_NAMES_OID = "2.5.29.17";

/** Never throws. The password is used here and kept nowhere. */
export function readPfx(file: Uint8Array, password: string): PfxReading {
  if (file.length > PFX_LIMIT_BYTES) return no("too-large");
  if (password.length > PASSWORD_LIMIT) return no("password");
  const der = forge.util.createBuffer(Buffer.from(file).toString("latin1")).getBytes();
  let outer: forge.asn1.Asn1;
  try {
    outer = parsed(der);
  } catch {
    return no("unreadable");
  }
  if (!isPfx(outer)) return no("unreadable");
  if (roundsOf(outer) > ROUNDS_LIMIT) return no("unsupported");
  const opened = open(der, outer, password);
  return "reason" in opened ? no(opened.reason) : factsOf(opened.file);
}

function no(reason: PfxRefusal): PfxReading {
  return { ok: false, reason };
}

function parsed(der: string): forge.asn1.Asn1 {
  const options = { strict: true, parseAllBytes: false, decodeBitStrings: false };
  const node = forge.asn1.fromDer(der, options as never);
  if (depthOf(node) > DEPTH_LIMIT) throw new RangeError("nested too deep");
  return node;
}

function depthOf(node: forge.asn1.Asn1): number {
  let level: readonly forge.asn1.Asn1[] = [node];
  let depth = 0;
  for (; level.length > 0 && depth <= DEPTH_LIMIT; depth++) level = level.flatMap(partsOf);
  return depth;
}

/** `PFX ::= SEQUENCE { version INTEGER (3), authSafe ContentInfo, macData OPTIONAL }`, RFC 7292. */
function isPfx(node: forge.asn1.Asn1): boolean {
  const [version, safe] = partsOf(node);
  const [type] = safe ? partsOf(safe) : [];
  return version?.type === forge.asn1.Type.INTEGER && type?.type === forge.asn1.Type.OID;
}

type Opened =
  | { readonly file: forge.pkcs12.Pkcs12Pfx }
  | { readonly reason: "password" | "unsupported" | "unsure" };

/**
 * The seal (MAC) is what tells whether the password is right: only where it says no is a password called wrong. Whatever
 * fails behind a good seal is a form that cannot be read here.
 */
function open(der: string, outer: forge.asn1.Asn1, password: string): Opened {
  const isSealed = partsOf(outer).length > 2;
  try {
    return { file: forge.pkcs12.pkcs12FromAsn1(outer, false, password) };
  } catch (error) {
    if (/MAC could not be verified/.test(messageOf(error))) return { reason: "password" };
    if (/[^ -~]/.test(password)) {
      const file = openUtf8(der, password);
      if (file) return { file };
    }
    return { reason: isSealed ? "unsupported" : "unsure" };
  }
}

/** AES files take the password as UTF-8, which the library leaves to its caller; the seal takes it as it is. */
function openUtf8(der: string, password: string): forge.pkcs12.Pkcs12Pfx | undefined {
  try {
    const unsealed = parsed(der);
    if (Array.isArray(unsealed.value)) unsealed.value.length = Math.min(2, unsealed.value.length);
    return forge.pkcs12.pkcs12FromAsn1(unsealed, false, forge.util.encodeUtf8(password));
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function factsOf(file: forge.pkcs12.Pkcs12Pfx): PfxReading {
  const certificates = bagsOf(file, "certBag").flatMap(certificateOf);
  if (certificates.length === 0) return no("unreadable");
  const keys = ["pkcs8ShroudedKeyBag", "keyBag"].flatMap((kind) =>
    bagsOf(file, kind).flatMap(keyOf),
  );
  if (keys.length === 0) return no("no-key");
  // The chain of the authority is in the file, too; the company's own is the one that fits its key.
  const own = certificates.filter(({ x509 }) => keys.some((key) => x509.checkPrivateKey(key)));
  if (own.length === 0) return no("no-key");
  for (const { x509, asn1 } of own) {
    const names = alternativeNames(asn1);
    const common = commonName(x509.subject);
    const cnpj = companyOf(names.get(COMPANY_OID) ?? /:([0-9A-Z]{14})$/i.exec(common)?.[1]);
    if (cnpj === undefined) continue;
    const holder = common.replace(/:[0-9A-Z]{14}$/i, "").slice(0, 150);
    const [from, until] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
    if (Number.isNaN(from) || Number.isNaN(until)) return no("unreadable");
    return { ok: true, facts: { cnpj, holder, from, until } };
  }
  const isPerson = own.some(
    ({ x509, asn1 }) =>
      alternativeNames(asn1).has(PERSON_OID) || /:\d{11}$/.test(commonName(x509.subject)),
  );
  return no(isPerson ? "person" : "no-company");
}

function companyOf(text: string | undefined): string | undefined {
  const cnpj = text?.trim().toUpperCase() ?? "";
  return /^[0-9A-Z]{12}\d{2}$/.test(cnpj) ? cnpj : undefined;
}

function bagsOf(file: forge.pkcs12.Pkcs12Pfx, kind: string): readonly forge.pkcs12.Bag[] {
  const bagType = forge.pki.oids[kind] ?? "";
  return Object.values(file.getBags({ bagType })).flatMap((bags) => bags ?? []);
}

interface Certificate {
  readonly x509: X509Certificate;
  readonly asn1: forge.asn1.Asn1;
}

/** Of any sort of key; the library itself reads RSA alone and leaves the others as they are. */
function certificateOf(bag: forge.pkcs12.Bag): Certificate[] {
  const { asn1 } = bag as { readonly asn1?: forge.asn1.Asn1 };
  try {
    const node = bag.cert ? forge.pki.certificateToAsn1(bag.cert) : asn1;
    if (!node) return [];
    return [{ x509: new X509Certificate(bytesOf(node)), asn1: node }];
  } catch {
    return [];
  }
}

function keyOf(bag: forge.pkcs12.Bag) {
  const { asn1 } = bag as { readonly asn1?: forge.asn1.Asn1 };
  try {
    const node = bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : asn1;
    return node ? [createPrivateKey({ key: bytesOf(node), format: "der", type: "pkcs8" })] : [];
  } catch {
    return [];
  }
}

function bytesOf(node: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), "latin1");
}

/** `CN=LOJA LTDA:11222333000181` of a subject told line by line. */
function commonName(subject: string): string {
  const line = subject.split("\n").find((one) => one.startsWith("CN="));
  return line?.slice("CN=".length).replaceAll(/\\(.)/g, "$1").trim() ?? "";
}

/** The names of ICP-Brasil by their OIDs; authorities wrap them as PrintableString, UTF8String or OCTET STRING alike. */
function alternativeNames(certificate: forge.asn1.Asn1): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const extension = find(certificate, (node) => oidOf(node) === ALTERNATIVE_NAMES_OID);
  const held = extension && partsOf(extension).at(-1)?.value;
  if (typeof held !== "string") return names;
  try {
    for (const name of partsOf(parsed(held))) {
      const oid = oidOf(name);
      const text = innermost(partsOf(name)[1]);
      if (oid !== undefined && text !== undefined) names.set(oid, text);
    }
  } catch {
    // Names that are no names: the common name is left.
  }
  return names;
}

function find(
  node: forge.asn1.Asn1,
  wanted: (node: forge.asn1.Asn1) => boolean,
): forge.asn1.Asn1 | undefined {
  if (wanted(node)) return node;
  for (const part of partsOf(node)) {
    const found = find(part, wanted);
    if (found) return found;
  }
  return undefined;
}

/** The OID a sequence begins with. */
function oidOf(node: forge.asn1.Asn1): string | undefined {
  const [first] = partsOf(node);
  return first?.type === forge.asn1.Type.OID && typeof first.value === "string"
    ? forge.asn1.derToOid(first.value)
    : undefined;
}

function innermost(node: forge.asn1.Asn1 | undefined): string | undefined {
  if (!node) return undefined;
  return typeof node.value === "string" ? node.value : innermost(node.value[0]);
}

function partsOf(node: forge.asn1.Asn1): readonly forge.asn1.Asn1[] {
  return Array.isArray(node.value) ? node.value : [];
}

/** The most rounds any part of the file asks for: wherever a salt (OCTET STRING) is followed by a count (INTEGER). */
function roundsOf(node: forge.asn1.Asn1, depth = 0): number {
  const { OCTETSTRING, INTEGER } = forge.asn1.Type;
  if (depth > DEPTH_LIMIT) return Infinity;
  if (!Array.isArray(node.value)) {
    if (node.type !== OCTETSTRING || node.tagClass !== forge.asn1.Class.UNIVERSAL) return 0;
    try {
      return roundsOf(parsed(node.value), depth + 1);
    } catch {
      return 0; // Plain bytes: a salt, a digest, a cipher text.
    }
  }
  let most = 0;
  node.value.forEach((child, index, all) => {
    const before = all[index - 1];
    if (child.type === INTEGER && before?.type === OCTETSTRING && typeof child.value === "string")
      most = Math.max(most, Number.parseInt(forge.util.bytesToHex(child.value) || "0", 16));
    most = Math.max(most, roundsOf(child, depth + 1));
  });
  return most;
}
