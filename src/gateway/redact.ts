/** Takes out of texts what must not be read in errors and logs: credentials, documents, phone numbers, e-mail addresses. */
import type { Json } from "../base/index.ts";
import { hideEmails, hideNumbers, type NumberKind } from "../brazil/index.ts";

/** Shorter secrets are words by chance; masking them would garble the text and hide nothing. */
const MIN_SECRET = 4;

/** Texts known to hold nothing to mask, and how long they may be, characters. */
const REMEMBERED_TEXTS = 50;
const REMEMBERED_LENGTH = 100;

/** Levels of nesting that are walked; answers of the gateway have fewer than 20. */
const MASK_DEPTH = 100;

const BEARER = /\bBearer\s+\S+/gi;
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;
/** Longer rows of digits are not a person's: engine addresses have 15 at most, access keys, which settle doubts, 44 or 50. */
const LONGEST_NUMBER = 15;

function hidden(kind: NumberKind, raw: string): string {
  return kind === "digits" && raw.length > LONGEST_NUMBER ? raw : "***";
}

/** Masks the given secrets, and tokens by their look. */
function hiding(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret as string, "***");
    return clean.replaceAll(BEARER, "Bearer ***").replaceAll(JWT, "***");
  };
}

/** A function that masks the given secrets and everything that looks like a credential, a document, a phone or an e-mail address. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const withoutSecrets = hiding(secrets);
  const mask = (text: string): string =>
    hideNumbers(
      hideEmails(withoutSecrets(text), () => "***"),
      hidden,
    );
  // Successes all say the same few words, so short texts with nothing to hide are remembered.
  const harmless = new Set<string>();
  return (text) => {
    if (harmless.has(text)) return text;
    const clean = mask(text);
    if (clean === text && text.length <= REMEMBERED_LENGTH) {
      if (harmless.size >= REMEMBERED_TEXTS) harmless.clear();
      harmless.add(text);
    }
    return clean;
  };
}

/** Fields of requests whose values an answer might echo and that must not be shown: a certificate and its password. */
export const SECRET_FIELDS = new Set(["senha", "certificado"]);

/** Values of the secret fields in the bytes of a JSON body. */
export function secretsIn(bytes: Uint8Array): string[] {
  const found: string[] = [];
  try {
    JSON.parse(Buffer.from(bytes).toString("utf8"), (key, value: unknown) => {
      if (SECRET_FIELDS.has(key) && typeof value === "string") found.push(value);
      return value;
    });
  } catch {
    // Bytes that are no JSON hold no fields.
  }
  return found;
}

/** The token in an address of our own webhooks: with it a stranger could speak for the gateway. */
const WEBHOOK_TOKEN = /(\/webhooks\/[\w-]+\/)[^/?#\s"]+/g;

/** Fields that hold a credential in the gateway's answers or in an engine's inside them. */
const CREDENTIAL =
  /^(?:senha|certificado|password|secret|secret_?key|api_?key|hash|(?:access_|device_|instance_)?token|devicetoken|instancetoken|authorization|jwt)$/i;

/**
 * The same JSON for whoever made the call: credentials are masked, by field name, by the given values and by their look;
 * documents and phones stay.
 */
export function maskSecrets(value: Json, secrets: readonly (string | undefined)[]): Json {
  const withoutSecrets = hiding(secrets);
  const text = (raw: string): string => withoutSecrets(raw).replaceAll(WEBHOOK_TOKEN, "$1***");
  const walk = (node: Json, depth: number): Json => {
    if (typeof node === "string") return text(node);
    if (typeof node !== "object" || node === null) return node;
    if (depth >= MASK_DEPTH) return "…";
    if (Array.isArray(node)) return (node as readonly Json[]).map((item) => walk(item, depth + 1));
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [
        text(key),
        CREDENTIAL.test(key) && typeof item === "string" && item !== ""
          ? "***"
          : walk(item ?? null, depth + 1),
      ]),
    );
  };
  return walk(value, 0);
}
