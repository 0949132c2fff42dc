/** What is left of a sentence about a note and describes nothing: talk, numbers that were not read, people. */
import { FIRST_NAMES, isServiceWord, plain, UFS } from "../../../plugin.ts";

/** Told, not described: somebody did, owes or wants something. */
const TOLD =
  /\b(?:recebi|recebeu|atendi|atendeu|atendemos|paguei|pagou|pagaram|deve|devem|devia|deu|dei|eram?|tenho|temos|quero|quer|queria|preciso|vou|vai|vamos|fiquei|ficou|estou|esta|ta|to|sou|acho|sei|disse|falou|pediu|mandou|comprou|comprei|fez|fizeram|veio|levou|custa|cobrou|cobrei|combinamos|posso|pode|podem|gostei|chama|lembra|some|sumiu|nao|nunca|digo|quis|quer dizer|alias|ops|desculpa|errei|esqueci|mesm[oa]s?|igual|iguais|sempre|segue|seguem|favor|obrigad[oa]|obg|obgd|vlw|pfv|pf|pls|plis|tks|valeu|dados|abaixo|acima|anexo|nos|eles|elas|meu amigo|fiado|reembolso|imposto(?! de renda)|declarar|convenio|recibo|urgente|blz|td|tdo|tudo (?:bem|certo|bom)|gente|conta d[aeo]|ja|ainda|depois|amanha|quando|porque|pq|mas|entao|tambem|tbm|novamente|de novo|outra vez|se der|assim que|ok|trabalha|mora|vem|faz|pdf|xml|comprovante|link|whats|whatsapp|zap)\b/;
/** Somebody's own, which work may be of as well: "corte e barba do filho". */
const KIN = /\b(?:dele|dela|marido|esposa|mulher|filh[oa]|mae|pai)\b/;
/** "recebi", "cortei", "custou", "venderam": the first word is a verb of the past. */
const PAST =
  /^(?!(?:volei|hoquei|frei|lei|rei|museu|pneu|trofeu|europeu|ateu|judeu|ramos)\b)[a-z]{2,}(?:ei|ou|aram|eram|iram|amos|emos|imos|endi|ndeu|iu)\b/;
/** … or one that asks. */
const ASKS =
  /^[a-z]{2,}ndo\b|^(?:pagar|receber|depositar|transferir|vendi|fui|manda|mande|envia|envie|faz|faca|emite|emita|gera|cobra|cobre|bota|poe|coloca|coloque|lanca|solta|tira|passa|me|eu|ele|ela|voce|vc|e|eh|foi|era|sao|que|quem|qual|como|quanto|onde|se|so|pra|para|pro|por|want|can|could|make|send|please|i|my|you|want)\b/;
/** "320 e pouco", "tresentas": an amount that was not read, and no count of things ("3 aulas"). */
const NUMBERS =
  /^\d{1,3}(?:[.,]\d+)? ?(?:mil|k)\b|^\d{2,}[\d.,]*(?! [a-z]{3,}s\b)|\b(?:reais|r\$)|^\w*[cszt]ent[oa]s?\b(?! )|^(?!\d{1,3} [a-z]).*(?:\b\d{2,}$|\b\d{3,}\b)/;
/** "assessoria – nov/2026", "limpeza da loja 12": numbers that are no amount. */
const TOLD_APART =
  /\b(?:[a-z]{3,9}|\d{1,2})\/\d{2,4}\b|\b(?:bloco|bl|torre|ap|apto|apartamento|sala|loja|lote|quadra|casa|galpao|unidade|filial|andar|turma|modulo|fase|etapa|dentes?|siso|vaga|irpf|elevador|iphone|galaxy|nr|br|km|windows|office|iso|nbr|norma|aro|cg|forno|linha|chale|flat|suite|quarto|poco|gleba|talhao|pavilhao)[ -](?:n[º°o.]{1,2} ?)?\d{1,5}\b(?: e \d{1,2}\b)?|\b\d{1,5}(?:[.,]\d{1,2})? ?(?:kva|kw|btus?|watts|volts|hp|cv|litros|lts|ton|toneladas|m2|m3|metros|mts|pol|polegadas|gb|tb|mega)\b|\b(?:de|d[ao]s|com|em) \d{1,4} (?!(?:reais|contos|pilas|paus|mangos|mais|apos|tres|seis|dos|das|nos|nas)\b)[a-z]{3,}s\b/g;
/** "banho do thor 85 tutor": a number before one thing counts nothing; "200 cada". */
const PRICE_WITHIN =
  / \d{2,4} (?!(?:min|minutos?|anos?|horas?|dias?|kg|km|m2|ml|cm|mm|btus?|kva|graus|[a-z]{2,}s)\b)[a-z]{3,}|\b\d+ (?:reais )?cada\b/;
/** Words that only say how much. */
const COUNTING =
  /\b(?:uns|umas|uma?|outr[ao]s?|ou|e|d[aeo]s?|p|por|mais|menos|quase|cerca|ate|entre|cada|cento|vezes|reais|real|contos?|mil|acho|que|maximo|minimo|desconto|com|sem|euros?|dolar(?:es)?|usd|hora|horas|dia|mes|parcelas?|total|valor)\b/g;
/** What a piece may say that describes nothing. */
const NOTHING = new RegExp(
  "@|^(?:(?:nao|n) (?:tenho|sei|tem|lembro)|sem|semana|mes|ano|meu|minha|tutora?|paciente|alun[oa]|dependente|rua|av|avenida|travessa|alameda|rg|(?:\\d+ )?notas?|ser|foram|dona?|placa|chassi|retid[oa]|retencao|retencoes|\\d{1,3} dias?$|iss|conforme|combinad[oa]|pagamentos?|pgto|a vista|vista|dinheiro|cartao|credito|debito|parcelad[oa]|cravad[oa]|certinho|redond[oa]|urgente|rapid[oa]|cidade|bairro|endereco|cep|contato|ou|vlw|flw|abs|att|na casa|casa d[aeo]|trocar|mudar|esse|essa|este|esta|(?:em|no|na) (?:meu|minha|nosso|nossa)|posto|orcamento|atenciosamente|aguardo|grat[oa]|(?:o )?(?:cert|corret|errad)[oa](?: (?:e|eh|era|seria)|$)|inteir[oa]|nov[oa]|qualquer|alguma?|prezad[oa]s?|equipe|tesouraria|setor|financeiro|rh|contas a|departamento|almoxarifado|diretoria|assunto|at\\.?te|atte|reclamacao|obs|observacao|multa|vencimento|cobro|cobrei|cobramos|separad[oa]s?|conclui\\w+|executad[oa]s?|finalizad[oa]s?|entregues?|encaminhad[oa]|solicitante|fornecedor|as (?:duas|tres)|os (?:dois|tres)|a/c|to|from|dear|team|kindly|hi|hello|thanks|regards|nfs|noite|tarde|manha|madrugada|responsavel|faturamento|transportadora|sua?|seus?|confirma|agendamento|gracas a deus|prof$|fala|oie|beij(?:o|os|ao)|bjs|abs|te|turma em|feit[oa]$|loja$|[a-z]{4,}(?:entinha|enzinho|entao) )\\b",
);
/** "campinas sp": a town. */
const TOWN = new RegExp(
  `^[a-z ]{3,30}[ /-](?:${UFS.map(({ uf }) => uf.toLowerCase()).join("|")})$`,
);
/** The note itself is spoken of, or somebody for whom. */
const OF_NOTE = /\b(?:notas?|notinha|nf|nfs-?e)\b/;
const FOR_SOMEBODY = /\b(?:pra|para|pro)\b/;
const SHORTEST = 3;

export function describesNothing(text: string): boolean {
  return (
    NOTHING.test(text) ||
    OF_NOTE.test(text) ||
    // "salgados para festa" says what for; any other piece for whom.
    (FOR_SOMEBODY.test(text) && !isServiceWord(text)) ||
    (TOWN.test(text) && !isServiceWord(text)) ||
    TOLD.test(text) ||
    (KIN.test(text) && !isServiceWord(text)) ||
    PAST.test(text) ||
    ASKS.test(text) ||
    NUMBERS.test(text.replace(TOLD_APART, "")) ||
    / (?:mil|cem|cento|(?:duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)ent[oa]s|(?:vinte|trinta|[a-z]{3,6}enta) (?:e [a-z]+ )?reais)(?= |$)/.test(
      text,
    ) ||
    PRICE_WITHIN.test(text.replace(TOLD_APART, "")) ||
    /\d ?\+|\+ ?\d|[=%]|\b\d{1,2}x(?!\d)/.test(text) ||
    text.replace(COUNTING, "").replace(/[^a-z]/g, "").length < SHORTEST
  );
}

/** "aula de inglês da sofia": whose it is, in small letters. */
export const OF_FIRST_NAME =
  / d[aeo] (?:d\.? |dona |seu )?([a-z]{3,})(?: e (?:d[ao] )?([a-z]{3,}))?$/;

const ONE_CAPITAL = /^\p{Lu}\p{Ll}+$/u;
/** Two or more words in capitals are as well a name as a service. */
const CAPITALS = /^\p{Lu}[\p{Ll}.]+(?: (?:d[aeo]s?|e|a|à|&|\p{Lu}\p{Ll}*\.?))* \p{Lu}\p{Ll}+$/u;
const FIRM = /\b(?:ltda|(?<!\bd[eo] )mei|epp|eireli|s\/a|s\.a)\b/;

/** A person or a company rather than what was done for them. */
export function isSomebody(
  original: string,
  { named, more }: { readonly named: boolean; readonly more: boolean },
): boolean {
  const said = plain(original);
  if (FIRM.test(said) || FIRST_NAMES.has(said.split(/[ .]/, 1)[0] ?? "")) return true;
  const service = isServiceWord(said);
  const capitals = CAPITALS.test(original);
  if (named) return capitals && !service;
  return capitals || / - /.test(original) || (more && ONE_CAPITAL.test(original) && !service);
}

/** "corte e barba Bruno Alves": what was done ends where a person begins. "" when a name in small letters may be one. */
export function withoutName(original: string): string {
  const words = original.split(" ");
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      FIRST_NAMES.has(plain(word).replace(/[^a-z]+$/, "")) &&
      !/^(?:d[aeo]s?|em|n[ao]s?|com|dra?\.?|à|ao|e|santa|santo|sao|são|\p{Lu}.*)$/u.test(
        words[index - 1] ?? "",
      ),
  );
  if (at < 0) return original;
  return /^\p{Lu}/u.test(words[at] ?? "") && /^\p{Ll}/u.test(words[0] ?? "")
    ? words.slice(0, at).join(" ")
    : "";
}

/** Words of talk, of payment and of people: a piece that holds one is no clean description. */
const UNCLEAR =
  /\b(?:cpf|cnpj|ela|ele|dela|dele|delas|deles|eles|elas|meu|minha|nosso|nossa|seu|sua|vcs?|voces?|k{2,}|(?:rs){2,}|(?:ha){2,}|viu|moc[oa]|amor|lind[oa]|querid[oa]|hein|entao|ne|pix|dinheiro|credito|debito|reais|contos?|pila|notinha|pagou|pag[oa]|combinad[oa])\b/;
/** "alisada na Dona Nair". */
const TITLED = /(?:^| )(?:[Dd]ona|[Ss]eu|[Ss]ra?\.?|[Dd]ra?\.?|[Dd]\.|[Ss]enhora?) \p{Lu}/u;

/** Says what was done and nothing else, however it was found. */
export function isClean(text: string): boolean {
  const folded = plain(text);
  return !describesNothing(folded) && !UNCLEAR.test(folded) && !TITLED.test(text);
}

/** Words of work and nothing else: "consultoria financeira", "2 horas de aula". Not "muito curta". */
export function isWork(text: string): boolean {
  const said = plain(text).trim();
  return isServiceWord(said.replace(/^\d{1,3} /, "")) && isClean(text) && !text.includes("?");
}
