/** "Na verdade é pra outra empresa", "é no nome da minha esposa": the note is for somebody else than was said. Pure. */
import { CORRECTION_LEAD, KIN, plainOf, tidy } from "../../../../plugin.ts";

/** Longer texts are stories. */
const LONGEST = 200;
const OTHER =
  "(?:(?:o|a|um|uma|an|a) )?(?:outr[oa]s? (?:pessoa|empresa|cliente|firma|tomadora?|pagadora?|nome)|another (?:person|company|client|customer)|someone else|somebody else)";
const MINE = `(?:(?:o|a) )?(?:meu|minha|nosso|nossa|my|our) (?:${KIN}|empresa|firma|loja|company|wife|husband|boss|mother|father|son|daughter|partner|sister|brother)`;
const MAKE =
  "(?:(?:(?:essa |esta |a )?nota|nao|e|eh|era|vai ser|seria|tem que ser|sai|fica|quero|queria|fa[zc]|faca|coloca|poe|bota|muda|troca|passa|it's|it is|it should be|make it|put it) )*";
const NOT_ME = "(?:(?:nao )?(?:e|eh) (?:pra|para) (?:mim|el[ae]|ess[ae]|eu)[ ,]+)?";
const WHO = "(?:cliente|tomadora?|pessoa|empresa|pagadora?|customer|client|person|company)";
const FOR =
  "(?:pra|para|pro|pr[ao] [oa]|n[oa] nome d[aeo]|em nome d[aeo]|for|to|under|in the name of)";
const END = "(?: (?:mesmo|por favor|please|ta|viu|agora|entao))?[ .!]*$";
const PATTERNS = [
  `${NOT_ME}${MAKE}${FOR} (?:${OTHER}|${MINE})`,
  `(?:e|eh|era|it's|it is) ${OTHER}`,
  `(?:[oa] |the )?${WHO} (?:e|eh|era|ta|esta|is) (?:outr[oa]|errad[oa]|another one|wrong)`,
  `(?:quero |queria |preciso |pode |i want to )?(?:mud|troc|alter|corrig|chang)\\w* (?:o|a|de|the) ${WHO}(?: da nota)?`,
  `(?:quero |queria |preciso |pode )?(?:mud|troc|alter|corrig)\\w* quem (?:recebe|vai receber)(?: a nota)?`,
].map((one) => new RegExp(`^${CORRECTION_LEAD}${one}${END}`));
/** What tells who it is instead stands behind one of these. */
const BEHIND = /[,;:\n]|\.(?= )| (?=(?:o |a )?(?:cpf|cnpj|nome)\b)/;

export interface OtherTaker {
  /** What is said of the other one; empty where nothing is. */
  readonly rest: string;
}

/** Whether a text says so, and what else it says; undefined where it does not begin with it. */
export function otherTaker(text: string): OtherTaker | undefined {
  if (text.length > LONGEST) return undefined;
  const said = tidy(text);
  let from = 0;
  // "Não, na verdade é pra outra empresa, cnpj …": the lead has its commas, too.
  for (;;) {
    const next = BEHIND.exec(said.slice(from));
    const end = next ? from + next.index : said.length;
    const head = plainOf(said.slice(0, end));
    if (PATTERNS.some((pattern) => pattern.test(head)))
      return { rest: said.slice(end).replace(/^[\s,;:.]+/, "") };
    if (!next) return undefined;
    from = end + Math.max(1, next[0].length);
  }
}
