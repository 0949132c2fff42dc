/**
 * Reading a company certificate (A1: a PFX file with its password). node-forge reads the old RC2/3DES exports too, which
 * are common and which Node's own reader refuses, beside today's AES ones (PBES2).
 */
import forge from "node-forge";
import { isCnpj } from "../../brazil/index.ts";
import type { Certificate } from "./issuers.ts";

/** Characters of a certificate in Base64: real ones are 4 to 12 thousand. */
const CERTIFICATE_LIMIT = 200_000;

/** Characters of a password. */
const PASSWORD_LIMIT = 256;

/** Rounds of key derivation. Exports have 1 to 10 thousand; more would hold the process for as long as the file says. */
const ROUNDS_LIMIT = 100_000;

/** ICP-Brasil: the company's CNPJ among the alternative names. */
const CNPJ_OID = "2.16.76.1.3.3";

type CertificateReading =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly reason: "password" | "unreadable" | "no-key" | "no-company" };

/** `pfx` is Base64. The password is used here and kept nowhere. */
export function readCertificate(pfx: string, password: string): CertificateReading {
  if (pfx.length > CERTIFICATE_LIMIT) return { ok: false, reason: "unreadable" };
  if (password.length > PASSWORD_LIMIT) return { ok: false, reason: "password" };
  let file: forge.pkcs12.Pkcs12Pfx;
  try {
    file = open(forge.util.decode64(pfx), password);
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    return {
      ok: false,
      reason: /mac could not|password|decrypt/i.test(text) ? "password" : "unreadable",
    };
  }
  const certificates = bagsOf(file, "certBag").flatMap((bag) => (bag.cert ? [bag.cert] : []));
  if (certificates.length === 0) return { ok: false, reason: "unreadable" };
  const keys = [...bagsOf(file, "pkcs8ShroudedKeyBag"), ...bagsOf(file, "keyBag")];
  if (keys.length === 0) return { ok: false, reason: "no-key" };
  for (const certificate of certificates) {
    const cnpj = companyOf(certificate);
    if (cnpj === undefined) continue;
    const { notBefore, notAfter } = certificate.validity;
    return {
      ok: true,
      certificate: { cnpj, from: notBefore.getTime(), until: notAfter.getTime() },
    };
  }
  return { ok: false, reason: "no-company" };
}

function open(der: string, password: string): forge.pkcs12.Pkcs12Pfx {
  const asn1 = forge.asn1.fromDer(der);
  if (roundsOf(asn1) > ROUNDS_LIMIT) throw new RangeError("too many rounds");
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, password);
  } catch (error) {
    const wrong = error instanceof Error && /MAC could not/.test(error.message);
    if (wrong || !/[^ -~]/.test(password)) throw error;
    // The password is right, the seal says so. AES files take it as UTF-8, which the reader leaves to its caller.
    const unsealed = forge.asn1.fromDer(der);
    if (Array.isArray(unsealed.value)) unsealed.value.length = Math.min(2, unsealed.value.length);
    return forge.pkcs12.pkcs12FromAsn1(unsealed, forge.util.encodeUtf8(password));
  }
}

function bagsOf(file: forge.pkcs12.Pkcs12Pfx, kind: string): readonly forge.pkcs12.Bag[] {
  const bagType = forge.pki.oids[kind] ?? "";
  return Object.values(file.getBags({ bagType })).flatMap((bags) => bags ?? []);
}

/** The most rounds any part of the file asks for: wherever a salt (OCTET STRING) is followed by a count (INTEGER). */
function roundsOf(node: forge.asn1.Asn1): number {
  const { OCTETSTRING, INTEGER } = forge.asn1.Type;
  if (!Array.isArray(node.value)) {
    if (node.type !== OCTETSTRING || node.tagClass !== forge.asn1.Class.UNIVERSAL) return 0;
    try {
      return roundsOf(forge.asn1.fromDer(node.value));
    } catch {
      return 0; // Plain bytes: a salt, a digest, a cipher text.
    }
  }
  let most = 0;
  node.value.forEach((child, index, all) => {
    const before = all[index - 1];
    if (child.type === INTEGER && before?.type === OCTETSTRING && typeof child.value === "string")
      most = Math.max(most, Number.parseInt(forge.util.bytesToHex(child.value) || "0", 16));
    most = Math.max(most, roundsOf(child));
  });
  return most;
}

/** The CNPJ among the alternative names, else at the end of the common name (`LOJA LTDA:11222333000181`). */
function companyOf(certificate: forge.pki.Certificate): string | undefined {
  const named = alternativeCnpj(certificate);
  if (named !== undefined) return named;
  const field = certificate.subject.getField("CN") as { readonly value?: unknown } | null;
  const name = typeof field?.value === "string" ? field.value : "";
  return cnpjOf(/:([0-9A-Z]{14})$/i.exec(name.trim())?.[1]);
}

function alternativeCnpj(certificate: forge.pki.Certificate): string | undefined {
  const extension = certificate.getExtension("subjectAltName") as {
    readonly value?: unknown;
  } | null;
  if (typeof extension?.value !== "string") return undefined;
  try {
    for (const name of partsOf(forge.asn1.fromDer(extension.value))) {
      const [oid, holder] = partsOf(name);
      if (typeof oid?.value !== "string" || !holder) continue;
      if (forge.asn1.derToOid(oid.value) === CNPJ_OID) return cnpjOf(innermost(holder));
    }
  } catch {
    // Names that are no names: the common name is left.
  }
  return undefined;
}

function partsOf(node: forge.asn1.Asn1): readonly forge.asn1.Asn1[] {
  return Array.isArray(node.value) ? node.value : [];
}

/** The text inside wrappers; certification authorities use PrintableString, UTF8String and OCTET STRING alike. */
function innermost(node: forge.asn1.Asn1): string | undefined {
  if (typeof node.value === "string") return node.value;
  const [first] = node.value;
  return first && innermost(first);
}

function cnpjOf(text: string | undefined): string | undefined {
  const cnpj = text?.toUpperCase() ?? "";
  return isCnpj(cnpj) ? cnpj : undefined;
}
