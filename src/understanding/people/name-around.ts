/** What people write before and after a name, and what they write instead of one. Of plain text. */
import { type Business, orOneOf, perBusiness } from "../business.ts";

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
