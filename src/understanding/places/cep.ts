/** A postal code → 8 digits, when it lies in a range of some state. */
import { formatCep, ufOfCep } from "../../brazil/index.ts";
import { isDoubtful } from "../choices/doubt.ts";
import { plain, tidy } from "../plain.ts";
import { absent, ambiguous, clear, invalid, MAX_ANSWER, type Understood } from "../understood.ts";

const FORM = /(?<![\dA-Za-z.,/-])(\d{2})\.?(\d{3})(?: ?[-–.] ?| )?(\d{3})(?![\dA-Za-z]|[-.,/]\d)/g;

export function cep(text: string): Understood<"cep"> {
  if (text.length > MAX_ANSWER) return absent("cep", "too-long");
  const line = tidy(text).replace(/\bcep(?=\d)/gi, "cep ");
  if (/r\$|\breais\b/i.test(line)) return invalid("cep", "format");
  const found = [
    ...new Set([...line.matchAll(FORM)].map((match) => `${match[1]}${match[2]}${match[3]}`)),
  ];
  const [only, second] = found;
  if (second !== undefined)
    return ambiguous(
      "cep",
      "which",
      found.map((value) => ({ value, echo: formatCep(value) })),
    );
  if (only !== undefined && !ufOfCep(only)) return invalid("cep", "unknown-range");
  if (only !== undefined && isDoubtful(plain(line)))
    return ambiguous("cep", "unsure", [{ value: only, echo: formatCep(only) }]);
  if (only !== undefined) return clear("cep", only, formatCep(only));
  const digits = line.replace(/\D/g, "");
  if (digits === "") return absent("cep");
  // Letters that look like digits; a word of letters only is none.
  const typed = /(?<![\dA-Za-z])[\dOoIlLSs]{5}-?[\dOoIlLSs]{3}(?![\dA-Za-z])/.exec(line)?.[0];
  if (typed !== undefined && /[oils]/i.test(typed) && typed.replace(/\D/g, "").length >= 4) {
    const meant = typed
      .replace(/o/gi, "0")
      .replace(/[il]/gi, "1")
      .replace(/s/gi, "5")
      .replace("-", "");
    return invalid(
      "cep",
      "letter-o",
      ufOfCep(meant) ? [{ value: meant, echo: formatCep(meant) }] : [],
    );
  }
  // Of the state of São Paulo, with the leading zero lost.
  if (/^(?:\D*[^\dA-Za-z])?\d{4}-?\d{3}(?![A-Za-z])\D*$/.test(line)) {
    const padded = `0${digits}`;
    if (ufOfCep(padded))
      return ambiguous("cep", "leading-zero", [{ value: padded, echo: formatCep(padded) }]);
  }
  return invalid("cep", "length");
}
