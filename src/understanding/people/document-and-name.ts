/** "529.982.247-25 Maria Souza": a document and whose it is in one message. */
import type { Business } from "../business.ts";
import { documentType } from "../../brazil/index.ts";
import { isBareDocument } from "../money/bare-value.ts";
import { document } from "./document.ts";
import { fragmentsOf } from "./document-scan.ts";
import { personOrCompany } from "./name.ts";
import { plain, tidy } from "../plain.ts";
import { MAX_ANSWER } from "../understood.ts";

const OUT =
  /\ue000+|(?:\b(?:(?:o|meu|minha|com|no|do|da|e|eh) )*(?:cpf|cnpj|documento|doc|nome|cliente)\b ?(?:e\b|eh\b)?[ :.-]*)/g;

/** A second thought is nobody's name: "na verdade é no cpf …". */
const SECOND_THOUGHT =
  /\b(?:na verdade|na real|quer dizer|ou melhor|desculpa|desculpe|perdao|errei|corrigindo|corrige|opa|ops|actually|sorry|i mean|oops)\b[ ,:.!-]*/g;

/** Both, when the text is one valid document and a name of two words or more; null otherwise. */
export function documentAndName(
  text: string,
  business?: Business,
): { readonly document: string; readonly name: string } | null {
  if (text.length > MAX_ANSWER || isBareDocument(text)) return null;
  const number = document(text);
  const line = tidy(text);
  const [only, second] = fragmentsOf(text).filter(({ bare }) => documentType(bare));
  if (!number.ok || !only || second) return null;
  const around = `${line.slice(0, only.start)} ${line.slice(only.end)}`;
  const folded = plain(around);
  let rest = "";
  let at = 0;
  // Of the same length, so that places stay those of the text.
  const labels = folded.replace(SECOND_THOUGHT, (words) => "\ue000".repeat(words.length));
  for (const match of labels.matchAll(OUT)) {
    rest += around.slice(at, match.index);
    at = match.index + match[0].length;
  }
  rest = (rest + around.slice(at)).replace(/^[\s,;:.()-]+|[\s,;:()-]{1,20}$/g, "");
  if (!/^\p{L}[\p{L}'.& -]*$/u.test(rest) || rest.split(" ").length < 2) return null;
  const name = personOrCompany(rest, business);
  return name === null ? null : { document: number.value, name };
}
