/** Free text of an answer (a description): what official documents can carry of it. */
import { latinText } from "../../brazil/index.ts";
import { isBareDocument } from "../money/bare-value.ts";
import { type Business, perBusiness } from "../business.ts";
import { plain, tidy, trimEnds } from "../plain.ts";
import { isServiceWord } from "./service-words.ts";

/** What stands in front of any answer: only what cannot be a part of it. "O serviço foi remarcado" is one. */
const LEAD =
  /^(?:(?:a )?descricao(?: do servico)? ?(?::|e\b|eh\b|-) ?|(?:o )?servico ?: ?|referente (?:a |ao )|ref\.?:? )/;

/** … and of a service alone, which never begins with a verb. */
const SERVICE_LEAD = /^(?:(?:o )?servico (?:foi|eh)\b ?|o servico e\b ?|foi (?:um |uma )?)/;

/**
 * "Foi corte mesmo", "foi só uma consultoria": the question was what was done. Only before work: "foi remarcado" tells
 * something, and "mesmo" behind an article belongs to it ("o mesmo").
 */
const DONE =
  /^(?:foi|foram|era|eram|fiz|fizemos) (?:so |apenas |mesmo )?(?:(?:uma?|uns|umas|[oa]s?) )?/;
const AFFIRMED =
  /(?<!(?:^| )(?:[oa]s?|d[oa]s?|n[oa]s?|ao|aos|um|uma|si|ele|ela|eu)) (?:mesmo|msm)[.!]*$/;

/** An answer, though none that describes anything. */
const chatter = perBusiness(
  (thing) =>
    new RegExp(
      `^(?:nao sei|sei la|sim|nao|no|nao tem|nao tenho|yes|ok|oi|ola|bom dia|boa tarde|boa noite|(?:pode |podem )?emit(?:ir|e|a)(?: (?:a |uma )?${thing})?|issue(?: it| the ${thing})?)[.! ]*$`,
    ),
);

/** No introduction of a description is longer. */
const LONGEST_LEAD = 60;

/** One line, Latin-1, without "a descrição é" in front, first letter in upper case. Null when nothing is left: an emoji alone. */
export function freeText(text: string): string | null {
  const tidied = tidy(text);
  const lead = LEAD.exec(plain(tidied.slice(0, LONGEST_LEAD)))?.[0].length ?? 0;
  const left = trimEnds(latinText(tidied.slice(lead)), "-:,; ").replace(/^[. ]+/, "");
  return /[A-Za-z\u00c0-\u00ff0-9]/.test(left)
    ? left.charAt(0).toUpperCase() + left.slice(1)
    : null;
}

/** The same, of what describes something: a number alone does not, be there letters in it or not, nor does "sim" or "não". */
export function description(text: string, business?: Business): string | null {
  if (isBareDocument(text)) return null;
  const left = freeText(workIn(tidy(text)));
  if (left === null || !/[A-Za-z\u00c0-\u00ff]/.test(left)) return null;
  return chatter(business).test(plain(left.slice(0, LONGEST_LEAD))) ? null : left;
}

/** The same of a piece of a sentence that says what was done: "foi um corte" is "Corte". */
export function serviceText(text: string, business?: Business): string | null {
  const said = tidy(text);
  const lead = SERVICE_LEAD.exec(plain(said.slice(0, LONGEST_LEAD)))?.[0].length ?? 0;
  return description(said.slice(lead), business);
}

/** What was done, of "foi corte mesmo". */
function workIn(said: string): string {
  const lead = DONE.exec(plain(said.slice(0, LONGEST_LEAD)))?.[0].length ?? 0;
  const begun = lead > 0 && isServiceWord(plain(said.slice(lead))) ? said.slice(lead) : said;
  const tail = AFFIRMED.exec(plain(begun))?.[0].length ?? 0;
  return begun.slice(0, begun.length - tail);
}
