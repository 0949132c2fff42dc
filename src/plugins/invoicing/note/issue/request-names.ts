/** What names a request for a note: drawn once, frozen with it, and read back. A note that turns up is known by it. Pure. */
import { z } from "zod";
import type { Random } from "../../../../plugin.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** `cIntContrib` takes 1–20 letters and digits: 20 of 36 are 103 bits, enough to know a note by it alone. */
const TOKEN_LENGTH = 20;

export function drawToken(random: Random): string {
  return Array.from({ length: TOKEN_LENGTH }, () => ALPHABET[random.int(ALPHABET.length)]).join("");
}

/** Tax systems refuse the trivial ones (rejection 897 of the NF-e): one digit repeated, or a run of digits. */
const TRIVIAL: ReadonlySet<string> = new Set(
  Array.from({ length: 10 }, (_, first) => [
    String(first).repeat(8),
    Array.from({ length: 8 }, (_step, index) => String((first + index) % 10)).join(""),
  ]).flat(),
);

/** `codigo_aleatorio`: 8 digits. */
export function drawCode(random: Random): string {
  for (;;) {
    const code = String(random.int(100_000_000)).padStart(8, "0");
    if (!TRIVIAL.has(code)) return code;
  }
}

const Sent = z.object({
  emitente_id: z.string(),
  dados: z.object({
    codigo_aleatorio: z.string(),
    servico: z.object({ cIntContrib: z.string() }),
  }),
});

/** `issuer`: the gateway's id of the one it is for. Undefined: these bytes are no such request. */
export function namesIn(
  bytes: string,
): Readonly<Record<"code" | "token" | "issuer", string>> | undefined {
  const sent = Sent.safeParse(jsonOf(bytes)).data;
  if (!sent) return undefined;
  const { codigo_aleatorio: code, servico } = sent.dados;
  return { code, token: servico.cIntContrib, issuer: sent.emitente_id };
}

function jsonOf(bytes: string): unknown {
  try {
    return JSON.parse(bytes);
  } catch {
    return undefined;
  }
}
