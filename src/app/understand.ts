/** `understand` for the command line: the demo zone, pt-BR words. */
import { isKind, KINDS, understand } from "../understanding/index.ts";

export const UNDERSTAND_KINDS: readonly string[] = KINDS;

/** Understands one text at a moment (ms). The kind must be one of {@link UNDERSTAND_KINDS}. */
export function understandText(kind: string, text: string, now: number): unknown {
  if (!isKind(kind)) throw new RangeError(`There is no kind ${kind}.`);
  return understand(kind, text, { now, zone: "America/Sao_Paulo", locale: "pt-BR" });
}
