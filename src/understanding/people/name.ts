/** Names of people and companies: trimmed, one space, capitals put right only where there were none. */
import { fold, latinText } from "../../brazil/index.ts";
import { isBareDocument, isBareValue } from "../money/bare-value.ts";
import type { Business } from "../business.ts";
import { FIRST_NAMES } from "./first-names.ts";
import { isInstead, leadLength, tailLength } from "./name-around.ts";
import { plain, tidy, trimEnds } from "../plain.ts";
import { isServiceWord } from "../choices/service-words.ts";

/** Small words inside a name keep their small letter. */
const PARTICLES = new Set([
  "da",
  "das",
  "de",
  "do",
  "dos",
  "e",
  "di",
  "du",
  "del",
  "von",
  "van",
  "a",
  "em",
  "no",
  "na",
  "com",
]);
const COMPANY_FORMS = new Set([
  "ltda",
  "me",
  "epp",
  "mei",
  "eireli",
  "sa",
  "s/a",
  "s.a",
  "s.a.",
  "slu",
  "ss",
]);
const LEAD =
  /^(?:(?:o |a )?(?:meu |minha )?(?:nome|razao social|razao|empresa|cliente)(?: completo)?(?: d[aeo](?: cliente| empresa)?| del[ae])? ?(?::|e\b|eh\b|-) ?|(?:cliente|razao social) (?=[a-z])|(?:eu )?me chamo |(?:eu )?sou (?!(?:mais|muito|bem|assim|feliz) )(?:o |a )?|(?:pode )?(?:por|poe|colocar?|botar?|bota)(?: no nome)? (?:de |da |do )?|[en][mo] nome d[aeo] |(?:o |meu )?nome(?: (?:completo|inteiro|fantasia))?:? |aqui (?:e|eh|quem fala e) (?:o |a )?|(?:my name is|the name is|it's|it’s|its|this is|i am|i'm) )/;
/** "é a Ana", "pra Ana", "e pra ana": with its accent or in small letters, for "E. Silva" and "Pro Saúde" are names. */
const LED =
  /^(?:(?:é|É|eh) (?:(?:pra|para|pro) (?:[oa] (?=\p{Lu}))?|[oa] )?|e (?:o|a|pra|para|pro) (?:a |o )?|(?:pra|para|pro) (?:a |o )?(?:empresa |cliente )?|ao (?=\p{Lu})|(?:[oa] )?(?:dona|seu) (?=\p{Lu})|(?:Pra|Para) (?!.*\b(?:[Ll][Tt][Dd][Aa]|ME|me|EPP|[Ee][Ii][Rr][Ee][Ll][Ii]|[Ss]\/?[Aa])\b\.?$))/u;
const NO_NAME =
  /^(?:nao|sim|ok|oi|ola|n|s|nao tem|nenhum|eu|eu mesm[oa]|meu|minha|o mesmo|a mesma|ele|ela|isso|nada disso|tudo bem|beleza|blz|blza|belezinha|ok ?ok|joia|show|fechou|combinado|certinho|obrigad[oa]|obg|valeu|vlw|bom dia|boa tarde|boa noite|espera|um momento|um minuto|pra mim|pra mim mesm[oa]|mim|mim mesm[oa]|como assim|yes|no|hi|hello|thanks|i don't know)$|^(?:eu )?(?:nao|n) (?:sei|tenho|lembro|quero|sabia|(?:e|eh|era|foi) (?:isso|ess[ea]|assim))\b|^sei la\b|^depois (?:eu |te |a gente )|^(?:vou|deixa eu) (?:ver|perguntar|confirmar)\b|\?$/;

/** "Luiz com z": how it is spelt. */
const SPELT =
  / com (?:um |dois |duas )?[a-z]{1,2}(?:(?: e)? (?:com )?(?:acento|h|til|trema))?(?: no (?:fim|final|meio|come[cç]o))?(?= |$)/gi;
/** A price beside a name that is none. */
const PRICED = /(?:r\$ ?\d|\d ?(?:reais|contos?|pila)\b)/;

/** What is said instead of a name is not longer. */
const LONGEST_SAID = 120;
/** No introduction of a name is longer. */
const LONGEST_LEAD = 60;
/** Shortest sensible name; a single letter is a slip. */
const SHORTEST = 2;

/**
 * `"  meu nome é maria  da SILVA "` → `Maria da SILVA`; `"padaria do zé ltda"` → `Padaria do Zé LTDA`. Null when there is
 * no name in the text (no letters, an e-mail, a yes or no). Fit for an official document. Does not judge length above.
 */
export function personOrCompany(text: string, business?: Business): string | null {
  const given = trimEnds(tidy(text), "\"'*,;! ");
  const said = plain(given.slice(0, LONGEST_SAID));
  if (isInstead(said.replace(/[.!]+$/, ""), business) || isBareDocument(given)) return null;
  const introduced = leadLength(said, business);
  // "é pra a Clara": the article too, where a capital follows it.
  const tidied = given
    .slice(introduced)
    .replace(introduced > 0 ? /^[oa] (?=\p{Lu})/u : /^$/, "")
    .replace(/^d\. (?=\p{Lu})/u, "");
  const head = tidied.slice(0, LONGEST_LEAD);
  const led = (LEAD.exec(plain(head)) ?? LED.exec(head))?.[0].length ?? 0;
  // "Nome Fantasia Ltda": a form of a company alone is nobody's name, so the words before it are.
  const lead = isForm(plain(tidied.slice(led))) ? 0 : led;
  const written = trimEnds(latinText(tidied.slice(lead)), "-:,;/ ");
  const tail = tailLength(plain(written.slice(-LONGEST_LEAD)));
  const name = written
    .slice(0, written.length - tail)
    .replace(SPELT, "")
    .replace(/ \([^()]*\)?$/, "")
    .replace(/[ ,;/-]{1,3}$/, "")
    .replace(/^\.+|(?<!\b[A-Za-z])\.$|(?<=\/[A-Za-z])\.$/g, "");
  const letters = name.replace(/[^A-Za-z\u00c0-\u00ff]/g, "").length;
  if (isBareValue(name) || PRICED.test(plain(name.slice(0, LONGEST_SAID)))) return null;
  if (isInstead(plain(name.slice(0, LONGEST_SAID)), business)) return null;
  if (letters < SHORTEST || /@|https?:/.test(name)) return null;
  if (name.length < LONGEST_LEAD && NO_NAME.test(plain(name))) return null;
  const folded = plain(name.slice(0, LONGEST_SAID));
  if (/ nao,? /.test(folded)) return null;
  if (!/[A-Z\u00c0-\u00de]/.test(name)) return isWork(folded) ? null : capitals(name);
  return name;
}

function isForm(said: string): boolean {
  return said !== "" && said.split(" ").every((word) => COMPANY_FORMS.has(word));
}

/** "troca de óleo", "consultoria tributária outubro/2026": what was done, in small letters and without a form of a company. */
function isWork(folded: string): boolean {
  const words = folded.split(" ");
  if (!isServiceWord(folded) || COMPANY_FORMS.has(words.at(-1) ?? "")) return false;
  return /^[a-z]+ (?:d[aeo]s?|em|n[ao]s?) /.test(folded) || /\d/.test(folded)
    ? !words.some((word) => FIRST_NAMES.has(word))
    : false;
}

function capitals(name: string): string {
  return name
    .split(" ")
    .map((word, at) => {
      if (at > 0 && COMPANY_FORMS.has(word)) return word.toUpperCase();
      if (at > 0 && PARTICLES.has(word)) return word;
      return word.replace(/^[a-z\u00e0-\u00fe]|(?<=[-'])[a-z\u00e0-\u00fe]/g, (letter) =>
        letter.toUpperCase(),
      );
    })
    .join(" ");
}

/** Stand between the words of a name. */
const BETWEEN: ReadonlySet<string> = new Set(["de", "da", "do", "das", "dos", "e", "of", "the"]);

/** "Maria de Souza" → "Maria S." */
export function shortName(name: string): string {
  const [first = "", ...others] = name.trim().split(/\s+/);
  const second = others.find((word) => !BETWEEN.has(fold(word)));
  return second === undefined ? first : `${first} ${second.charAt(0).toUpperCase()}.`;
}
