/**
 * Company certificates as PFX files in Base64, made anew for each test: the old form (certificate under RC2-40, key under
 * 3DES) and today's (both under AES-256 by PBES2). Companies do not exist; keys are weak on purpose and protect nothing.
 */
import forge from "node-forge";

const { asn1, pki, util } = forge;
const { Class, Type } = asn1;

export interface PfxOptions {
  readonly cnpj: string;
  readonly password: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly form?: "legacy" | "modern";
  /** Where the CNPJ stands: at the end of the common name, or among the alternative names as ICP-Brasil has it. */
  readonly in?: "name" | "alternative";
  /** Cipher that an old-form file says its certificate is under; its seal is good. */
  readonly cipher?: string;
  /** Rounds that the seal claims to need. */
  readonly rounds?: number;
}

let pair: forge.pki.rsa.KeyPair | undefined;

/** Reading the PFX back is the sandbox's business; this only writes. */
export function pfx(options: PfxOptions): string {
  pair ??= pki.rsa.generateKeyPair(1_024);
  const certificate = certificateOf(options, pair);
  const algorithm = options.form === "modern" ? "aes256" : "3des";
  const password = passwordOf(options);
  const file = forge.pkcs12.toPkcs12Asn1(pair.privateKey, [certificate], password, { algorithm });
  return util.encode64(asn1.toDer(sealed(file, options)).getBytes());
}

/** AES files take the password as UTF-8; the seal and the old ciphers take it as characters. */
function passwordOf({ form, password }: PfxOptions): string {
  return form === "modern" ? util.encodeUtf8(password) : password;
}

function certificateOf(options: PfxOptions, keys: forge.pki.rsa.KeyPair): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = "01";
  certificate.validity.notBefore = new Date(options.from);
  certificate.validity.notAfter = new Date(options.until);
  const alternative = options.in === "alternative";
  const value = alternative ? "EMPRESA DE TESTE LTDA" : `EMPRESA DE TESTE LTDA:${options.cnpj}`;
  const name = [{ name: "commonName", value }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  if (alternative)
    certificate.setExtensions([
      {
        id: "2.5.29.17",
        value: sequence(
          otherName("2.16.76.1.3.2", "FULANA DE TAL"),
          otherName("2.16.76.1.3.3", options.cnpj),
        ),
      },
    ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return certificate;
}

function otherName(oid: string, text: string): forge.asn1.Asn1 {
  const held = explicit(asn1.create(Class.UNIVERSAL, Type.PRINTABLESTRING, false, text));
  return asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [oidOf(oid), held]);
}

/** Encrypts the certificate too, which the library leaves open, and seals the whole again. */
function sealed(file: forge.asn1.Asn1, options: PfxOptions): forge.asn1.Asn1 {
  const [, content, mac] = partsOf(file);
  const octets = partsOf(partsOf(content)[1])[0];
  const safes = asn1.fromDer(octets?.value as string);
  const [certificates] = partsOf(safes);
  const open = partsOf(partsOf(certificates)[1])[0]?.value as string;
  partsOf(safes)[0] = encrypted(open, options);
  const whole = asn1.toDer(safes).getBytes();
  if (octets) octets.value = whole;
  const [digestInfo, salt, rounds] = partsOf(mac);
  const count = Number.parseInt(util.bytesToHex(rounds?.value as string), 16);
  const key = derive(options.password, salt?.value as string, 3, count, 20);
  const seal = forge.hmac.create();
  seal.start("sha1", key);
  seal.update(whole);
  const digest = partsOf(digestInfo)[1];
  if (digest) digest.value = seal.digest().getBytes();
  if (rounds && options.rounds !== undefined)
    rounds.value = asn1.integerToDer(options.rounds).getBytes();
  return file;
}

function encrypted(open: string, options: PfxOptions): forge.asn1.Asn1 {
  const [algorithm, bytes] =
    options.form === "modern"
      ? aes(open, passwordOf(options))
      : rc2(open, options.password, options.cipher);
  const content = sequence(
    oidOf(pki.oids["data"] ?? ""),
    algorithm,
    asn1.create(Class.CONTEXT_SPECIFIC, 0, false, bytes),
  );
  const version = asn1.create(Class.UNIVERSAL, Type.INTEGER, false, "\x00");
  return sequence(oidOf(pki.oids["encryptedData"] ?? ""), explicit(sequence(version, content)));
}

/** PBES2: the library's own form of an encrypted key, its parts moved to where contents have them. */
function aes(open: string, password: string): [forge.asn1.Asn1, string] {
  const info = pki.encryptPrivateKeyInfo(asn1.fromDer(open), password, {
    algorithm: "aes256",
    prfAlgorithm: "sha256",
  });
  const [algorithm, octets] = partsOf(info);
  if (!algorithm) throw new Error("the library encrypted nothing");
  return [algorithm, octets?.value as string];
}

/** pbeWithSHAAnd40BitRC2-CBC, which the library reads and does not write. */
function rc2(
  open: string,
  password: string,
  oid = "1.2.840.113549.1.12.1.6",
): [forge.asn1.Asn1, string] {
  const salt = "12345678";
  const rounds = 2_048;
  const cipher = forge.rc2.createEncryptionCipher(derive(password, salt, 1, rounds, 5), 40);
  cipher.start(derive(password, salt, 2, rounds, 8));
  cipher.update(util.createBuffer(open));
  cipher.finish();
  const parameters = sequence(
    asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, salt),
    asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(rounds).getBytes()),
  );
  const algorithm = sequence(oidOf(oid), parameters);
  return [algorithm, cipher.output.getBytes()];
}

function derive(
  password: string,
  salt: string,
  id: number,
  rounds: number,
  length: number,
): forge.util.ByteStringBuffer {
  return forge.pkcs12.generateKey(password, util.createBuffer(salt), id, rounds, length);
}

function partsOf(node: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  return Array.isArray(node?.value) ? node.value : [];
}

function oidOf(oid: string): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(oid).getBytes());
}

function sequence(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
}

function explicit(part: forge.asn1.Asn1): forge.asn1.Asn1 {
  return asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [part]);
}
