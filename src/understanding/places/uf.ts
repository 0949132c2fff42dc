/** A federative unit by code or name. */
import { townsByName, ufOf, UFS } from "../../brazil/index.ts";
import { withoutCourtesy } from "../commands/closing-words.ts";
import { HEDGE } from "../choices/doubt.ts";
import { plainOf } from "../plain.ts";
import {
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Option,
  type Understood,
} from "../understood.ts";

const LEAD =
  /^(?:(?:o |a )?(?:cidade|empresa|cliente|gente|eu)? ?(?:e|eh|fica|moro|mora|moramos|sou|somos|estou|to) )?(?:(?:aqui|la) )?(?:(?:o |no |na |do |de |em |meu )?(?:estado|uf)(?: e| eh)?(?: de| do| da)?:? |(?:no|na|em|do|da|de|o|a) )?/;

const DENIED = /\b(?:nao|n|naum|num|nem|nunca) (?:e|eh|sou|moro|fica)\b/;

export function uf(text: string): Understood<"uf"> {
  if (text.length > MAX_ANSWER) return absent("uf", "too-long");
  const asked = plainOf(text);
  const line = withoutCourtesy(asked.replace(/[.!?]+$/, ""));
  // "não é SP", "acho que é RJ": named, and not meant or not known.
  if (DENIED.test(line) || HEDGE.test(line)) {
    const said = UFS.filter((row) => line.split(/[^a-z]+/).some((word) => ufOf(word) === row));
    const denied = DENIED.test(line);
    return denied || said.length === 0
      ? absent("uf")
      : ambiguous("uf", "confirm", said.map(optionOf));
  }
  const whole = ufOf(line) ?? ufOf(line.replace(LEAD, ""));
  // "para" without its accent is a preposition, and a word for stopping.
  if (whole && line === "para" && !/á/i.test(text))
    return ambiguous("uf", "confirm", [optionOf(whole)]);
  if (whole && asked.endsWith("?")) return ambiguous("uf", "confirm", [optionOf(whole)]);
  if (whole) return clear("uf", whole.uf, `${whole.name} (${whole.uf})`);
  // "maranhao ma", "brasília df": the code after the state's name or a town of it.
  const coded = /^(.+) ([a-z]{2})$/.exec(line);
  const code = coded ? ufOf(coded[2] ?? "") : null;
  const before = coded?.[1] ?? "";
  if (code && (ufOf(before)?.uf === code.uf || townsByName(before, code.uf).length > 0))
    return clear("uf", code.uf, `${code.name} (${code.uf})`);
  // Several parts ("São Paulo - SP", "Campinas/SP", "SP ou RJ"): codes after a separator, names anywhere.
  const parts = line
    .split(/ ?[-/,()] ?| ou | e /)
    .flatMap((part) => ufOf(part.replace(LEAD, "")) ?? []);
  const named = UFS.filter((row) => parts.includes(row));
  const [only, second] = named;
  if (second) return ambiguous("uf", "which", named.map(optionOf));
  if (only) return clear("uf", only.uf, `${only.name} (${only.uf})`);
  return /^[a-z]{2}$/.test(line) && !/^(?:oi|ok|nn|ss|ta|eh)$/.test(line)
    ? invalid("uf", "format")
    : absent("uf");
}

function optionOf(row: (typeof UFS)[number]): Option {
  return { value: row.uf, echo: `${row.name} (${row.uf})` };
}
