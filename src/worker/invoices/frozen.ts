/** What of a frozen request names it at the gateway: a note that turns up is known by it. Pure. */
import { z } from "zod";

const Sent = z.object({
  dados: z.object({
    codigo_aleatorio: z.string(),
    servico: z.object({ cIntContrib: z.string() }),
  }),
});

/** Undefined: these bytes are no such request. */
export function namesIn(
  bytes: string,
): { readonly code: string; readonly token: string } | undefined {
  const sent = Sent.safeParse(jsonOf(bytes)).data?.dados;
  return sent && { code: sent.codigo_aleatorio, token: sent.servico.cIntContrib };
}

function jsonOf(bytes: string): unknown {
  try {
    return JSON.parse(bytes);
  } catch {
    return undefined;
  }
}
