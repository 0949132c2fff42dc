/**
 * Reading a company certificate (A1: a PFX file with its password). node-forge reads the old RC2/3DES exports too, which
 * are common and which Node's own reader refuses.
 */
import forge from "node-forge";
import type { Certificate } from "./issuers.ts";

/** Characters of a certificate in Base64: real ones are 4 to 12 thousand. */
export const CERTIFICATE_LIMIT = 200_000;

/** ICP-Brasil: the company's CNPJ among the alternative names. */
const CNPJ_OID = "2.16.76.1.3.3";

export type CertificateReading =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly reason: "password" | "unreadable" | "no-company" };

/** `pfx` is Base64. The password is used here and kept nowhere. */
export function readCertificate(pfx: string, password: string): CertificateReading {
  let asn1: forge.asn1.Asn1;
  try {
    asn1 = forge.asn1.fromDer(forge.util.decode64(pfx));
  } catch {
    return { ok: false, reason: "unreadable" };
  }
  let certificates: readonly forge.pki.Certificate[];
  try {
    const bags = forge.pkcs12.pkcs12FromAsn1(asn1, password).getBags({
      bagType: forge.pki.oids["certBag"] ?? "",
    });
    certificates = Object.values(bags).flatMap((list) =>
      (list ?? []).flatMap((bag) => (bag.cert ? [bag.cert] : [])),
    );
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    return { ok: false, reason: /mac|password|decrypt/i.test(text) ? "password" : "unreadable" };
  }
  for (const certificate of certificates) {
    const cnpj = companyOf(certificate);
    if (cnpj === undefined) continue;
    const { notBefore, notAfter } = certificate.validity;
    return {
      ok: true,
      certificate: { cnpj, from: notBefore.getTime(), until: notAfter.getTime() },
    };
  }
  return { ok: false, reason: certificates.length === 0 ? "unreadable" : "no-company" };
}

/** The CNPJ in the common name (`LOJA LTDA:11222333000181`), or in the alternative names. */
function companyOf(certificate: forge.pki.Certificate): string | undefined {
  const field = certificate.subject.getField("CN") as { readonly value?: unknown } | null;
  const name = typeof field?.value === "string" ? field.value : "";
  const inName = /:([0-9A-Z]{12}\d{2})$/i.exec(name.trim())?.[1];
  if (inName !== undefined) return inName.toUpperCase();
  const extension = certificate.getExtension("subjectAltName") as {
    readonly value?: unknown;
  } | null;
  if (typeof extension?.value !== "string") return undefined;
  const oid = forge.asn1.oidToDer(CNPJ_OID).getBytes();
  const at = extension.value.indexOf(oid);
  if (at < 0) return undefined;
  return /[0-9A-Z]{12}\d{2}/.exec(extension.value.slice(at + oid.length))?.[0];
}
