/** Who receives the note, of a sentence about one. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { FIRST_NAMES, isInstead, KIN, personOrCompany, plain } from "../../../../plugin.ts";
import { cut, type Draft } from "../sentence.ts";
import { COMPANY, isCapital, isCompanyWord, isKnownName, nameLength } from "./name-length.ts";
import { NUMBER_WORD } from "./sentence-numbers.ts";

/** No name goes on after one of these. */
const ENDS: readonly string[] = [
  "ref|referente|por|valor|no valor|do valor|vlr|cpf|cnpj|pelo|pela|sem|com o|com a|com cpf|com cnpj|com data",
  "(?:(?:de|por|a) )?(?:r\\$ ?\\d[\\d.,]*|\\d[\\d.,]*(?: mil)? (?:reais|real|reias|contos?|pilas?|paus?|mangos?)|\\d[\\d.]*,\\d\\d)",
  "cliente|tomadora?|(?:uma|a|essa) nota|nota|ela|ele|solicita|solicitou|solicitam|pagou|pagar|deu|servico|do servico|tel|telefone|fone|cep|email|e-mail|semana|mes|amanha|que|mas|porque|pq|eh|foi|fez|pediu|quer|esta|ta",
  "(?:e )?(?:nao|n) (?:(?:e |eh )?(?:pra|para|pro|p|no|na|em)|d[ao])|em vez d[aeo]|onde|k{3,}|(?:ha){2,}|e (?:o )?(?:servico|valor|cpf|cnpj)",
  "(?:e|ou|ai|por favor) (?:me |ja |depois )?(?:manda|envia|mande|envie|emite|faz|encaminha|avisa|passa|mandar|enviar|pode|depois|poe|ponha|coloca|coloque|bota)|de novo|tambem|tb|tbm|novamente|outra vez|por favor|pf|pfv|obrigad[oa]|por gentileza",
];

/** No name begins with one of these: "o cliente pediu", "pra emitir". */
const VERBS =
  "pediu|pede|pedem|pediram|exigiu|exige|exigem|ligou|insistiu|quer|queria|precisa|precisou|pagou|emitir|fazer|gerar|tirar|lancar|mandar|emitiu|gerou|fez|mandou|enviou|transferiu|depositou|comprou|contratou|disse|falou|recebeu";
/** Titles and words for whose the name is, none of it. */
const TITLE = String.raw`(?:(?:o|a|os|as|ao) )?(?:(?:senhora?|sr|sra|dr|dra|mr|mrs|ms|dona|prof|profa|professora?|doutora?|seu|eng|arq|pe|herr|frau|cliente|empresa|firma)\.? )?`;
/** A name goes up to a comma, a cut, or a word that begins something else. */
const NAMED = String.raw`${TITLE}(?!(?:${VERBS})\b)([a-z][^,;:\u0001]{1,149}?)(?= (?:${ENDS.join("|")})\b|(?= r\$)| ?[,;:(?!\u0001]|(?<=[a-z]{2})\.$| [-\u2013] (?!(?:me|mei|epp|ltda|eireli|s\/?a)\b)|[?! ]*$)`;
/** After "pra", "para", "em nome de", "cliente". */
const NAME = new RegExp(
  String.raw`\b(?:(?:pra|para|pro|em nome d[aeo]|no nome d[aeo]|(?:in|under) the name of|(?:em|a) favor d[aeo]|(?:cliente|tomadora?)(?: (?:e|eh)(?= [oa] ))?|cliente final(?=:)|destinatari[oa]|contratante|pagadora?(?=:)|resp\.|responsavel(?: financeir[oa])?(?=:| [a-z])|(?:me|eu) chamo)\b:?|(?<= |^)p(?:\/|\b(?= ))|nome(?: completo| empresarial| del[ae]s?| d[aeo] (?:cliente|tomadora?|empresa|cara|moc[oa]|senhora?|rapaz|firma|loja|don[oa]|pessoa|responsavel|paciente)| (?:pra|para|p\/?|da|na) nota)?(?: e| eh|:| (?:tem que|vai|pode|deve) ser)?(?= )|(?:nome(?: completo)?|razao(?: social)?|empresa):|(?<=^|[;,.] ?)a empresa(?= (?!eh? ))|razao(?: social)?(?: e| eh)?(?= )|(?:a )?empresa (?:e|eh)(?= )|(?:fatur\w+|notas?|nf|nfs-?e|emit\w+|emissao|emitid[oa])(?: fiscal)? contra:?) ?${NAMED}`,
  "g",
);
/**
 * Where none of those stands, labels in other words, at the beginning of a clause or before a word with its capital: "Pagante:
 * Regina Pessoa", "Faturar para: Beta Ltda", "noivo Thiago Perrone", "quem paga é a Beta Ltda", "cnpj … que é da Beta Ltda".
 */
const OTHERWISE = new RegExp(
  String.raw`(?:(?:^|(?<=[;,.:\u0001] ?))(?:(?:cli|emp|empresa|pagante|pagadora?|sacad[oa]|payer)\b[.:;]?|(?:fatura[r]?|emitir|nota|nf) (?:para|pra|p\/) ?[:;]|(?:em|no) nome d[aeo] ?[:;]|razao(?: social)? ?[:;]|(?:para|pra|noiv[oa]|mae|pai|proprietari[oa]|produtora?|don[oa]|locatari[oa]|inquilin[oa]|moradora?|hospede|compradora?|requerente|interessad[oa]|beneficiari[oa]|segurad[oa]|formand[oa]) ?[:;])|(?<!\b(?:d[aeo]|minha|meu|com|com [oa]|pel[oa]) )\b(?:noiv[oa]|proprietari[oa]|produtor(?: rural)?|pagante|hospede|formand[oa]|locatari[oa]|inquilin[oa]|moradora?|dono|compradora?|tutora?|mae|pai)\b|\bquem (?:paga|pagou|vai pagar|contratou|contrata) (?:e|eh|foi|vai ser)|\bprestad[oa]s? ao?|(?<=\u0001) ?(?:que )?(?:(?:e|eh) )?d[ao]s?) ?${NAMED}`,
  "g",
);
/** After these a name may be in small letters. */
const SHORT_LABEL = /^(?:cli|emp)\b/;
const NOBODY =
  /^(?:(?:so )?del[ae]s?|nao|so|pfvr?|viu|ok|errad[oa]|cert[oa]|corret[oa]|inteiro|ta|tem|nota|que|final|estrangeir[oa]|abaixo|acima|aqui|ainda|todo|faturar|emissao|certificacao|obrigad[oa]|nov[oa]s?|antig[oa]s?|nf|nfs-?e|notas?|prestacao|fins?|conta|ontem|quando|pagamento|reembolso|imposto|declaracao|contabilidade|convenio|plano|seguro|mim|ele|ela|eles|voce|vc|hoje|ontem|amanha|cliente|mes|o mes|esse|essa|este|esta|um|uma|meu|minha|nosso|nossa|emitir|fazer|gente|pedir|tirar|ter|conseguir|receber|por|no|na|isso|la|ca|nos|todos|quem|cada|comprovar|declarar|apresentar|abater|deduzir|levar|entregar|mandar|enviar|whatsapp|whats|zap|email|celular|contador|financeiro|evento|festa|casamento|formatura|aniversario|responsavel|titular|pagadora?|pel[ao])\b/;

export function takeName(draft: Draft): string | null {
  for (const { index, 0: whole } of draft.folded.matchAll(FOR_ONESELF))
    cut(draft, index, index + whole.length);
  const names = namesBehind(draft, NAME);
  const [only, second] = names.length === 0 ? namesBehind(draft, OTHERWISE) : names;
  return second === undefined ? (only ?? null) : null;
}

/** Two or more where nobody can tell which; each is cut out. */
function namesBehind(draft: Draft, by: RegExp): readonly string[] {
  const names: string[] = [];
  for (const match of draft.folded.matchAll(by)) {
    // "não é pra Carla, é pra Ana": neither this nor what was done.
    if (DENIED.test(draft.folded.slice(0, match.index))) {
      cut(draft, match.index, match.index + match[0].length);
      continue;
    }
    const begin = match.index + match[0].length - (match[1] ?? "").length;
    const start = begin + roleLength(draft.line.slice(begin, match.index + match[0].length));
    const said = draft.folded.slice(start, match.index + match[0].length);
    const label = draft.folded.slice(match.index, begin);
    // "pra Maria de 150 reais": an amount at the end is not part of a name.
    const tail = amountTail(said, draft.line.slice(start, start + said.length));
    const end = tail < 0 ? start + said.length : start + tail;
    // "pra igreja", "pra minha mãe", "pro aluno Caio": somebody, and no name.
    const small = !isCapital(draft.line.charAt(start));
    if (
      isInstead(said.trim(), NOTE_NOUNS) ||
      NOT_NAMED.test(said) ||
      (small && (SOMEBODY_OF.test(said) || SERVED.test(said))) ||
      (small && isCompanyWord(said.trim()))
    ) {
      cut(draft, match.index, match.index + match[0].length);
      continue;
    }
    if (ONESELF.test(said)) cut(draft, match.index, match.index + match[0].length);
    if (NOBODY.test(said) || (small && OCCASION.test(said))) continue;
    // "cliente espólio não, cliente é Nelson": taken back.
    if (/ nao$/.test(said)) {
      cut(draft, match.index, end);
      continue;
    }
    const bare =
      by === OTHERWISE
        ? !SHORT_LABEL.test(label)
        : /^(?:razao|empresa|responsavel|a empresa|fatur|emit|nota|nf|emissao)[^:]*$/.test(label);
    if (bare && (small || / aqui\b/.test(said))) continue;
    // "pra festa", "pro consumidor": in small letters only what is known to be a name is one.
    const labelled = /^(?:nome|razao|empresa|cliente|tomador|contratante|em |no |cli\b|emp\b)/.test(
      label,
    );
    if (!labelled && !/\p{Lu}/u.test(draft.line.slice(start, end)) && !isKnownName(said)) continue;
    // "pra Ana e de 200 pra Bia": two notes in one sentence, not to be told apart.
    if (/ (?:pra|para|pro) /.test(said)) return TWO;
    // "pra agência: Motor Criativo Ltda": who it is stands behind it.
    if (
      small &&
      isCompanyWord(said.split(" ", 1)[0] ?? "") &&
      NAMED_BEHIND.test(draft.line.slice(end))
    ) {
      cut(draft, match.index, end);
      continue;
    }
    const full = draft.line.slice(start, end);
    // "pra Pedro Alves 100": a person's name ends before a number, "Studio 54" does not.
    const head = plain(full).split(" ", 1)[0] ?? "";
    const number = (
      FIRST_NAMES.has(head) || (LONE_WORD.test(full) && !isCompanyWord(head))
        ? / \d[\d.,]*(?= |$)/
        : / \d+[.,]\d[\d.,]*(?= |$)/
    ).exec(full);
    const length = nameLength(full.slice(0, number?.index));
    // Somebody, though nobody knows who: at least it is not what was done.
    if (length === 0) cut(draft, match.index, end);
    // "dra. Helena Paiva Odontologia Ltda": a company keeps its title.
    const titled = COMPANY.test(full.slice(0, length)) ? (KEPT.exec(label)?.index ?? -1) : -1;
    const from = titled < 0 ? start : match.index + titled;
    const name =
      length === 0 ? null : personOrCompany(draft.line.slice(from, start + length), NOTE_NOUNS);
    if (name === null) continue;
    names.push(name);
    cut(draft, match.index, start + length);
  }
  return names;
}

/** A name of two words with capitals behind a mark. */
const NAMED_BEHIND = /^ ?[,;:(] ?(?:[oa] )?\p{Lu}[\p{L}&.]+ (?:d[aeo]s? |& )?\p{Lu}/u;
/** Nobody knows which of them. */
const TWO: readonly string[] = ["", ""];
/** Before who is said not to receive it: "não é ", "e não ", "não é pra emitir ". */
const DENIED =
  /\b(?:nao|n) (?:(?:e|eh|era|sai|vai|emit\w+|fa[czç]\w*) )?(?:(?:pra|para) [a-z]+r )?$/;
/** A doctor's or a teacher's title. */
const KEPT = /(?:dra?|profa?)\.? $/;
/** In small letters before a name, none of it: "noiva Elisa", "pai Jorge", "proprietária dona Eulália". */
const ROLE_BEFORE = new RegExp(
  String.raw`^(?:[oa] )?(?:${KIN}|net[oa]|sobrinh[oa]|madrinha|proprietari[oa]|don[oa]|seu|senhora?|sra?\.?|dra?\.?|moradora?|hospede|formand[oa]|produtor(?: rural)?|vocalista|artista|dentista|corretor|pastora?|capitao|locatari[oa]|inquilin[oa]|segurad[oa]|titular|compradora?|autora?|medic[oa]|psicolog[oa]|tutora?|gesseiro) (?=[a-z])`,
);
/** More stand before no name. */
const MOST_ROLES = 3;

function roleLength(said: string): number {
  const folded = plain(said);
  let length = 0;
  for (let left = MOST_ROLES; left > 0; left -= 1) {
    const role = ROLE_BEFORE.exec(folded.slice(length))?.[0];
    if (role === undefined || /\p{Lu}/u.test(said.slice(length, length + role.length))) break;
    length += role.length;
  }
  const rest = said.slice(length);
  return isCapital(rest) || FIRST_NAMES.has(plain(rest).split(" ", 1)[0] ?? "") ? length : 0;
}

/** Where an amount or an address begins that is no part of the name; -1 where none does. "Prefeitura de Três Arroios" has none. */
function amountTail(folded: string, line: string): number {
  const tail = AMOUNT_TAIL.exec(folded);
  if (!tail) return -1;
  const rest = line.slice(tail.index + tail[0].length);
  return /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u.test(rest) ? -1 : tail.index;
}

/** "pra obra da Alfa Ltda", "pro salão nobre do clube": where it was or what for, when in small letters. */
const OCCASION =
  /^(?:obra|palestra|coquetel|viagem|palco|salao nobre|pessoal|grupo d[aeo]|coffee|reuniao|congresso|feira d|inauguracao|lancamento|producao|revenda|entrega|mudanca)\b/;

/**
 * "nota 10 pro atendimento": a service is praised, nobody is named. "pra mãe do Theo", "pra empresa da Ana": somebody else
 * than who is named.
 */
const FOR_ONESELF =
  /\b(?:pra|para) (?:mim|nos|a gente|gente)(?: (?:fazendo favor|faz favor|por favor|por gentileza|pf))?(?= (?:uma |a )?(?:nota|de|no|d[ao]|pr[ao]|para)\b)/g;
const ONESELF = /^(?:mim|ele|ela|eles|elas|nos|gente|a gente)(?: mesm[oa])?[?!. ]*$/;
const NOT_NAMED =
  /^(?:(?:alun[oa]|paciente|tutora?|dependente|bot|app|aplicativo|site|pessoa (?:fisica|juridica)|pf|pj|cnpj|cpf)\b|(?:d[aeo]s?|e)(?: |$))/;
const SERVED = /^(?:atendimento|servico|trabalho|sistema)\b/;
const SOMEBODY_OF =
  /^(?:empresa|firma|loja|escritorio|conta|casa|convenio|plano|turma|equipe|pessoal|mae|pai|marido|esposa|esposo|mulher|filh[oa]|irma|irmao|chefe|soci[oa]|amig[oa]|namorad[oa]|vizinh[oa]|tia|tio|avo|sogr[oa]|cunhad[oa]|prim[oa]|noiv[oa]|net[oa]|sobrinh[oa]|secretaria|funcionari[oa]s?|alunos|moradores|colaboradores|clientes|equipe) (?:(?:d[aeo]s?) |del[ae](?: |$))/;

const AMOUNT_TAIL = new RegExp(
  ` (?:de|por|no valor de|valor) (?=\\d|r\\$|(?:${NUMBER_WORD})\\b)|,? (?:rua|r\\.|av\\.?|avenida|travessa|alameda|rg) (?!(?:[a-z]+ ){0,2}(?:ltda|me|s\\/?a|eireli|epp)\\b)`,
);
/** "emite pro Caíque 75". */
const LONE_WORD = /^\p{Lu}\p{Ll}+ \d{2,}$/u;
