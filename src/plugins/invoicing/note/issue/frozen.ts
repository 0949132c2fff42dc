/** What of a frozen request names it at the gateway: a note that turns up is known by it. Pure. */
import { z } from "zod";

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
