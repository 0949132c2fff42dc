/** Free text of an answer (a description): what official documents can carry of it, and the words that tell of work. */
import { latinText } from "../../brazil/index.ts";
import { type Business, perBusiness } from "../business.ts";
import { isBareDocument } from "../money/bare-value.ts";
import { plain, tidy, trimEnds } from "../plain.ts";

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

/** Short forms and single words. */
const HEADS =
  "corte|cortes|conserto|consertos|frete|fretes|carreto|aluguel|banho|banhos|tosa|unhas?|manicure|pedicure|escova|hidratacao|projeto|projetos|curso|cursos|" +
  "treino|treinos|terapia|sessao|sessoes|diarias?|mensalidades?|fotos?|ensaio|ensaios|show|shows|buffet|bolos?|doces|salgados|jardinagem|troca|trocas|" +
  "som|arte|artes|logo|logos|logotipo|site|sites|laudo|laudos|parecer|exames?|implante|mudanca|entregas?|transporte|traducao|design|plantao|plantoes|" +
  "pacote|pacotes|combo|kit|drenagem|barba|sobrancelha|maquiagem|make|penteado|luzes|progressiva|depilacao|podologia|bronzeamento|quiropraxia|" +
  "fono|fonoaudiologia|psico|psicoterapia|fisio|fisioterapia|nutricao|pilates|yoga|personal|avaliacao|check-up|vacina|vacinas|castracao|hotelzinho|creche|" +
  "poda|podas|roco|dedetizacao|desinsetizacao|faxinas?|diarista|lavanderia|passadoria|revisao|retifica|funilaria|guincho|suporte|hospedagem|trafego|gestao|" +
  "criacao|edicao|filmagem|video|videos|locucao|dublagem|mixagem|decoracao|cerimonial|animacao|assessoria|consultoria|auditoria|pericia|mentoria|coaching|" +
  "honorarios|contabilidade|despachante|vistoria|obra|reparo|reparos|solda|soldagem|torno|usinagem|letreiro|placa|placas|banner|banners|cartao|cartoes|" +
  "panfletos|impressao|impressoes|copia|copias|encadernacao|chaveiro|croche|trico|bordados?|vestidos?|xerox|marmitas?|bolinhos|mao de obra|pecas?|chave|chaves|afiacao|estofado|montagem|instalacao|motoboy|moto-frete|taxi|viagem|passeio|" +
  "excursao|workshop|palestra|palestras|aulas?|reforco|musica|dj|garcom|garcons|seguranca|portaria|vigilancia|zeladoria|haircuts?|lessons?|" +
  "ajustes?|analise|bateria|treinamento|faixas?|degustacoes|corretagem|interpretacao|registro|abertura|encerramento|baixa|calculo|imposto de renda|irpf|usucapiao|inventario|divorcio|alvara|degustacao|doma|capina|rocada|rocagem|trancas?|mega hair|dreads?|cilios|botox|peeling|" +
  "clareamento|protese|restauracao|radiografia|ultrassom|acupuntura|adestramento|discotecagem|cobertura|transmissao|drone|diagramacao|formatacao|cabeamento|backup|hospedagem|" +
  "retirada|coleta|remocao|escavacao|demolicao|perfuracao|sondagem|topografia|terraplenagem|regularizacao|escritura|elaboracao|redacao|digitacao|transcricao|folha de pagamento|balanco|balancete|" +
  "certificado digital|licenca|assinatura|comissao|representacao|intermediacao|corretagem|administracao|gerenciamento|monitoramento|mensalidade|anuidade|banca|arbitragem|natacao|judo|danca|ballet|" +
  "traslado|translado|transfer|corrida|polimento|martelinho|alinhamento|balanceamento|cambagem|regulagem|calibracao|afericao|colocacao|aplicacao|reposicao|substituicao|ligacao|religacao|" +
  "forro|drywall|gesso|reboco|alvenaria|impermeabilizacao|telhado|calcada|toldo|persiana|cortina|papel de parede|moveis|convites?|lembrancinhas?|arranjos?|buque|cestas?|tortas?|cupcakes?|" +
  "brigadeiros?|coxinhas?|churrasco|feijoada|quentinhas?|salgadinhos?|docinhos?|brownies?|coffee break|coquetel|album|book|pedreiro|eletricista|encanador|jardineiro|faxineira|baba|cuidadora?|" +
  "motorista|chapa|ajudante|servente|calheiro|gesseiro|serralheiro|marceneiro|empreitada|mecanica diesel|inspecao|interpreter|translator|inspection|tutoring|painting|plumbing|haircut|" +
  "translation|massage|consulting|training|cleaning|website|support|photos?|repair|maintenance";

/** "roof leak repair": what was done ends with its noun. */
const IN_ENGLISH =
  "(?:(?!(?:the|a|an|my|your|our|his|her|for|of|and|or|to|in|on|by|i|we|you|pode|emite|quero|taught|gave|had|did|made|need|much|one|two|three|four|five|service|services|request) )[a-z-]{2,} ){0,3}(?:repairs?|cleaning|painting|mowing|towing|trimming|lessons?|classes|replacement|installation|maintenance|catering|translation|transfer|grooming|tutoring|photography|inspection|haircut|massage)";

export const SERVICE = new RegExp(
  "^(?:(?!(?:associa|organiza|funda|constru|comunica|alimenta|confec|prefeitura|agencia)\\w*)[a-z]{3,}(?:agem|agens|cao|coes|mento|mentos|oria|terapia|logia|grafia|ncia|tura)|" +
    "(?:pint|faxin|costur|reform|limpez|consult|pales|visto|revis|manuten|assess)\\w*|servicos?|tratamentos?|" +
    `(?:${HEADS})|${IN_ENGLISH})\\b`,
);

export function isServiceWord(word: string): boolean {
  return SERVICE.test(word);
}

/** "Consultoria financeira", "2 horas de aula": words of work and nothing else. Not "muito curta". */
export function isWork(text: string, business?: Business): boolean {
  if (business?.describes) return business.describes(text);
  return (
    isServiceWord(
      plain(text)
        .trim()
        .replace(/^\d{1,3} /, ""),
    ) && !text.includes("?")
  );
}
