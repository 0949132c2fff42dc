/** Names of people and companies: trimmed, one space, capitals put right only where there were none. */
import { fold, latinText } from "../../brazil/index.ts";
import { type Business, orOneOf, perBusiness } from "../business.ts";
import { isServiceWord } from "../choices/free-text.ts";
import { isBareDocument, isBareValue } from "../money/bare-value.ts";
import { plain, tidy, trimEnds } from "../plain.ts";
import { FIRST_NAMES } from "./first-names.ts";

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

const VERB =
  "(?:(?:eu )?(?:quero|queria|prefiro)|pode ser|vai ser|seria|sera|e|eh|fica|vai|sai|faz|fazer|faca|emite|emitir|emita|tira|manda|(?:pode )?(?:coloca|coloque|colocar|ponha|poe|por|bota|bote|botar|escreve|escreva|anota|anote|registra|usa|use|fazer|emitir)(?: ai)?)";
const ROLES = "cliente|pagadora?|destinatari[oa]|contratante|compradora?|responsavel|recebedora?";

export const KIN =
  "mae|pai|marido|esposa|esposo|mulher|filh[oa]|irma|irmao|chefe|patrao|patroa|soci[oa]|amig[oa]|namorad[oa]|vizinh[oa]|tia|tio|avo|vo|sogr[oa]|cunhad[oa]|prim[oa]|noiv[oa]|compadre|comadre|funcionari[oa]";

/** One introduction each; as many as stand in a row are taken off. */
const leadsOf = perBusiness((thing, { people }): readonly RegExp[] => {
  const something = `(?:(?:a |uma )?${thing}(?: (?:e|eh|vai|sai|fica|seria))?)`;
  return [
    /^(?:oi+e?|ola|opa) (?=(?:bom dia|boa tarde|boa noite)\b)/,
    /^(?:e |eh )?(?:(?:pra|para) )?(?:empresa|firma|pessoa (?:fisica|juridica)|eu)(?: mesm[oa])?, /,
    /^(?:nome )?fantasia ?: ?|^n(?:ao)?[, ]+(?:e|eh) (?:o |a )?(?=[a-z]{2,} [a-z])/,
    /^(?:please )?(?:put|use|write) (?:it )?(?:(?:under|in) )?(?:the name (?:of )?)?(?=[a-z])(?!it |out |under |in )|^(?:under|in) the name (?:of )?|^(?:my|his|her|our) [a-z]+'s name(?: is|,|:)? /,
    /^(?:the )?(?:company|client|customer|full|her|his|our|my)(?:'s)? (?:company )?name(?: is|:) /,
    /^(?:o )?(?:nosso|meu) nome (?:e|eh) (?:o |a )?/,
    /^(?:bota|poe|coloca|escreve|anota|manda|usa) a[ei] /,
    /^(?:a |o )?(?:dona|seu) (?=[a-z]{3,}(?: [a-z]|$))(?!nome|cpf|cliente|cnpj)/,
    /^(?:oi+e?|ola|opa|bom dia|boa tarde|boa noite|sim|entao|ok|ah|claro|desculpa|certo|beleza)(?:[,.!]+ |(?<=oi|ola|entao|ok|ah|sim|dia|tarde|noite) (?=(?:(?:eu )?(?:sou|me chamo)|aqui|meu nome|o nome|e|eh|me chamo|pode|coloca|poe|bota|em nome|no nome|pra|para) ))/,
    new RegExp(
      `^(?:${something}[ ,]*)?(?:${VERB} )?(?:[en]m? ?o? nome d[aeo]) (?:cliente |empresa )?`,
    ),
    new RegExp(
      `^(?:${VERB}|fatura|gera|lanca|solta) (?:a |uma )?(?:${thing} )?(?:pra|para|pro|p/) (?:o |a )?`,
    ),
    new RegExp(`^${something}(?: ${VERB})? (?:pra|para|pro|p/) (?:o |a )?`),
    /^(?:seria|sera|vai ser|pode ser) (?:(?:pra|para|pro) )?(?:o |a )?/,
    /^(?:ponha|coloque|bote|escreve|escreva|anota|anote|registra|pode (?:escrever|anotar))(?: ai)?:? /,
    new RegExp(
      `^(?:o |a )?(?:${ROLES}${orOneOf(people)}) ?(?::|(?:e|eh|se chama|chama|seria)\\b) ?(?:o |a )?`,
    ),
    /^(?:(?:ele|ela|(?:o |a )?(?:cliente|empresa|firma|loja)) )?(?:se )?chama(?:-se)? /,
    new RegExp(
      `^(?:(?:pra|para|pro) )?(?:d[ao] |[oa] )?(?:meu|minha|nosso|nossa) (?:${KIN}),?(?: que)?(?: (?:o|a|e|se chama|chama))? (?=[a-z]{2})`,
    ),
    /^(?:it(?:'s| is|s) |this is )?(?:for|under|to|in the name of) (?:the )?(?:client |customer |company )?|^(?:please )?(?:put|make|write|issue) (?:it |that )?(?:out )?(?:under|in the name of|to|for) /,
    /^quem (?:vai receber|vai pagar|recebe|paga|pagou|contratou|pediu|e) (?:e|eh|foi) (?:o |a )?/,
  ];
});
/** So many introductions stand before a name at most. */
const MOST_LEADS = 4;

/** Length of what stands before the name. */
export function leadLength(line: string, business: Business | undefined): number {
  const leads = leadsOf(business);
  let length = 0;
  for (let left = MOST_LEADS; left > 0; left -= 1) {
    const rest = line.slice(length);
    const found = leads.map((lead) => lead.exec(rest)?.[0].length ?? 0).find((size) => size > 0);
    if (found === undefined) break;
    length += found;
  }
  return length;
}

const TAIL =
  /(?:[,;: -]{1,3}(?:tel\.?|fone|zap|whats|cel\.?)?:? ?\(?\d{2}\)? ?9?\d{4}-?\d{4}|,? (?:(?:e |o |a )?(?:meu|minha) (?:mae|pai|marido|esposa|esposo|mulher|filh[oa]|irma|irmao|soci[oa]|chefe|vo|avo|tia|tio|namorad[oa]|cliente))|(?:[,;.! -]| com)*\b(?:cpf|cnpj)\b.{0,40}|[,;: -]{1,3}\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[,;: -]{1,3}\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}| d[oa] (?:financeiro|rh|compras|almoxarifado|recepcao|administrativo|adm|fiscal|faturamento|contas a pagar|secretaria|diretoria)|[,.!]* (?:por favor|por gentileza|pf|pfv|muito obrigad[oa]|obrigad[oa]|obg|please|thanks|viu|ne|(?:ess[ea] )?mesmo|ess[ea] mesma|mesma|msm|ok|ta|ta bom|valeu|vlw|blz|k{2,}))+$/;

/** Length of the courtesy after the name. */
export function tailLength(line: string): number {
  return TAIL.exec(line)?.[0].length ?? 0;
}

const PLACE =
  "empresa|firma|loja|cliente|clinica|igreja|escola|condominio|mercado|padaria|oficina|associacao|prefeitura|ong|faculdade|hospital|academia|salao|restaurante|hotel|escritorio|fabrica|obra|casa|pessoa";

/** Said instead of a name: "o mesmo da outra vez", "minha mãe", "a empresa", "tanto faz". */
const INSTEAD = new RegExp(
  [
    "^(?:consumidor(?: final)?|cliente (?:final|avulso|avulsa|nov[oa])|particular|avuls[oa]|cancelar?|voltar?|ajuda|menu|sair|parar|atendente|humano|ue|uai|eita|oi+ tudo (?:bem|bom)|opa|eai|e ai)$",
    "^(?:deixa|deixe) (?:em branco|vazio|sem|assim|isso|pra la|quieto|pra depois)\\b.*$|^(?:amanha|depois|mais tarde|agora nao|daqui a pouco)(?: .*)?$|^(?:pode ser )?(?:n[oa]|em|pra|pro) d[aeo] (?:meu|minha|nosso|nossa) .*$|^no da (?:minha|empresa).*$|^(?:rua|avenida|av\\.?|travessa|alameda|rodovia) (?!.*\\b(?:ltda|me|epp|eireli|comercio)\\b).*\\d.*$",
    "^prefiro (?:nao|deixar)\\b.*$|^(?:eu )?(?:te|ja te|ja|depois|daqui a pouco|logo|amanha) (?:te )?(?:mando|passo|envio|falo|digo|aviso|informo|respondo)\\b.*$|^(?:k{2,}|(?:rs){2,})? ?(?:pera|perai|peraa|espera)(?: a[ei]|i)?(?: .*)?$|^k{2,}$",
    "^(?:(?:o|a|pr[ao]|para|no|na|do|da) )*(?:mesm[oa]|msm|msma|de sempre|igual)(?: (?:nome|pessoa|cliente|empresa))?(?: (?:d[aeo]s?|del[ae]|que|de) .*)?$",
    "^(?:o |a )?(?:do|da) (?:cadastro|ultima|ultimo|outra vez|outro dia)(?: .*)?$",
    "^igual (?:a|ao|d[aeo]) .*$",
    "^(?:(?:no|em|pro|para o|o) )?(?:meu|nosso|seu|teu) (?:proprio )?nome(?: mesmo)?$|^no nome del[ae]$|^(?:no|em) nome$",
    "^(?:tanto faz|qualquer (?:um|uma|nome|pessoa|coisa)|pode ser (?:sem|qualquer) .*|(?:voce|vc) (?:sabe|que sabe|tem|ja tem|decide|escolhe)|ja (?:te )?(?:falei|mandei|disse|informei|passei|enviei)(?: .*)?|(?:ta|esta) (?:no|ai) .*|ha|hein|hum+|pera|perai|calma|ninguem|alguem|fulan[oa](?: de tal)?|cicrano|beltrano|sem nome)$",
    "^(?:cpf|cnpj|nome|documento|valor)$",
    // "eu sou de Campinas": where from.
    "^(?:eu )?(?:(?:sou|venho) de|moro (?:em|n[ao])) .*$",
    "^(?:nao|n) (?:precisa|importa|quero|tem|sei|lembro)\\b.*$",
    `^(?:(?:o|a|um|uma|pr[ao]|para|d[aeo]) )?(?:(?:meu|minha|nosso|nossa|seu|sua) )?(?:${KIN}|${PLACE})$`,
  ].join("|"),
);

export function isInstead(line: string, business: Business | undefined): boolean {
  return INSTEAD.test(line) || business?.things.includes(line) === true;
}
