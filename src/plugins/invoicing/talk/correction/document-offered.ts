/**
 * Digits that somebody gives for a document, right or wrong: said to be one, or of a document's length and nothing else. A phone, a
 * date and an amount are none.
 */
import { documentType, fragmentsOf, phone, plainOf, tidy } from "../../../../plugin.ts";

/** Said to be one: "cpf 529.982.247-2", "o cpf dele \u00e9 111". */
const SAID =
  /\b(?:cpf|cnpj)(?: ?\/ ?(?:cpf|cnpj))?(?: (?:del[ea]|d[aeo]|nov[oa]|cert[oa]|n|no|numero|number))*(?: (?:e|eh|is))?[ .:=\u00ba\u00b0-]*(\d[\d./ -]*)/g;
const DATE = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/;
/** Fewer digits behind the word are an amount: "sem cpf 150 reais". */
const FEWEST = 7;
/** As long as one and in one piece, or in a CPF's or a CNPJ's own groups. */
const WHOLE =
  /^(?:\d{11}|\d{14}|\d{3}[. ]\d{3}[. ]\d{3}[- ]?\d{2}|\d{2}[. ]\d{3}[. ]\d{3}[/ ]?\d{4}[- ]?\d{2})$/;

/** As it was typed; undefined where none is offered. */
export function offeredDocument(text: string): string | undefined {
  const line = plainOf(tidy(text));
  for (const [, digits = ""] of line.matchAll(SAID)) {
    const raw = digits.replace(/[./ -]+$/, "");
    if (raw.replace(/\D/g, "").length >= FEWEST && !DATE.test(raw)) return raw;
  }
  const failed = fragmentsOf(text).find(
    ({ raw, bare }) => WHOLE.test(raw) && documentType(bare) === null && !phone(raw).ok,
  );
  return failed?.raw;
}
