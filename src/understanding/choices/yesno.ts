/**
 * Yes, no, or "yes, but change something". A fiscal act may hang on it, so a mixed or doubtful answer is never a yes.
 *
 * Words are compared with repeated letters folded into one ("simmm", "ss", "blzzz"). A clause of its own counts for
 * itself: "não, pode emitir" agrees, "não pode emitir" does not.
 */
import { perBusiness } from "../business.ts";
import { documentType } from "../../brazil/index.ts";
import { fragmentsOf } from "../people/document-scan.ts";
import {
  HEDGE,
  absent,
  ambiguous,
  clear,
  type TextContext,
  MAX_ANSWER,
  type Understood,
  type YesNo,
} from "../understood.ts";
import { plainOf, tidy } from "../plain.ts";

function squeeze(text: string): string {
  return text.replace(/([a-z])\1+/g, "$1");
}

function set(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((entry) => squeeze(entry.trim())));
}

const YES = set(
  "s,sim,blza,belezinha,okok,claro,certo,certa,certinho,correto,corretissimo,ok,okay,okey,oki,blz,beleza,ta bom,ta otimo,ta certo,esta certo," +
    "esta correto,ta correto,tudo certo,tudo certinho,tudo ok,tudo bem,isso,isso mesmo,isso ai,exato,exatamente,perfeito,confirmo,confirmado,confirmada," +
    "confirmar,confirma,pode,pode ser,pode sim,pode emitir,pode mandar,pode fazer,pode confirmar,pode crer,podem,manda,manda ver," +
    "manda bala,mandar,pode enviar,envia,bora,vamos,fechou,fechado,show,positivo,com certeza,aham,uhum,yes,yep,yeah,y,sure,aceito,aprovo,aprovado," +
    "aprovada,aprovar,emitir,emite,emita,quero,combinado,joia,de acordo,sem problema,sem problemas,nao tem problema,claro que sim,ta,esta bom,concordo,por mim sim,por mim pode,otimo,logico,obvio," +
    "td certo,td ok,td bem,show de bola,confere,conferi,conferido,e esse,esse,esse mesmo,essa,essa mesmo,esta bem,pode mandar bala,pode mandar ver,it s correct,it is right,yes it is,claro q sim,certissimo,pode seguir,pode prosseguir,pode continuar,pode gerar,pode soltar,segue,siga,prossiga,manda brasa,esta ok,ta ok,e,eh,maravilha,excelente,certeza,absoluta,perfect,yup,absolutely,sounds good," +
    "sem duvida,sem duvidas,top,demorou,pode ir,pode ir em frente,tamo de acordo,estamos de acordo,confirmo todos os dados,arra,ta valendo,valendo,dou ok,ta correto os dados,esta correto os dados,os dados estao certos,confirmadissimo,confirmadissima,faz ai,pode fazer ai,tudo certinho,vai em frente,va em frente,segue em frente,vai la,vai fundo,toca ficha,manda pau,pode tocar,pode fechar,fecha,pode lancar,pode liberar,libera,liberado,autorizo,autorizado,pode autorizar,to de acordo,estou de acordo,confirmo os dados,confirmo tudo,dados certos,dados corretos,dados confirmados,os dados estao certos,os dados estao corretos,esta tudo certo,esta tudo correto,tudo correto,tudo em ordem,ta tudo em ordem,em ordem,nos conformes,faz favor,faca favor,faz o favor,ahan,uhun,arram,arran,afirmativo,tranquilo,tranquila,de boa,firmeza,partiu,simbora,vamo,vamos la,vambora,bora la,ctz,com ctz,evidente,evidentemente,e claro,claramente,ta joia,tudo joia,ta show,ta perfeito,esta perfeito,ta lindo,pode finalizar,finaliza,finalizar,pode concluir,conclui,concluir,pode aprovar,aprova,deixa assim,fica assim,pode deixar assim,pode ficar assim,positivo e operante,perfeitamente,certissima,corretissima,fechou entao,manda la,pode mandar la,pode botar,pode passar,pode por,e isso,e isso ai,isso confere,confere sim,tudo confere,emite logo,manda logo,faz logo,tudo certo aqui,tudo certo por aqui,confirmo os dados acima,confirmo acima,dados acima corretos,please proceed,proceed,go on,carry on,ship it,pode faturar,faturar,fatura,faturem,pode processar,processar,dados conferidos,conferidos,tudo conferido,dados ok,dados confere,pode dar andamento,dar andamento,de andamento,pode dar sequencia,pode dar continuidade,esta aprovado,esta aprovada,esta autorizado,esta autorizada,autorizada,ciente e de acordo,estou ciente,ciente,looks good to me,looks right,o mesmo,a mesma,os mesmos,as mesmas,mesma coisa,a mesma coisa,mesmos dados,os mesmos dados,mesmo cadastro,o mesmo cadastro,igual,tudo igual,igual a ultima,igual a anterior,de sempre,o de sempre,a de sempre,o mesmo de sempre,a mesma de sempre,outra igual,same,the same,same as last,same as last time,the usual,that works,go for it,please do,go ahead,of course,correct,right,that s right,that s correct,looks good,all good,confirm,agreed,issue it,do it",
);
const NO = set(
  "nao precisa mais,nao precisa mais nao,nao quero mais,nao quero mais nao,nao preciso mais,nao autorizado,nao autorizada,nao aprovado,nao aprovada,nops,nopes,nein,no thanks,no thank you,deixa quieto,n,nao,num,nope,no,nop,nah,naum,negativo,errado,errada,incorreto,incorreta,jamais,nunca,nem,nem pensar,de jeito nenhum,nada disso," +
    "hoje nao,agora nao,nada certo,melhor nao emitir,melhor nao fazer,por enquanto nao,sem chance,nem a pau,nem ferrando,nao rola,fora de questao,fora de cogitacao,de modo algum,de modo nenhum,nao mesmo,recuso,recusar,recusado,reprovo,reprovado,discordo,claro que nao,com certeza nao,ta errado,esta errado,tudo errado,ainda nao,wrong,incorrect,never,not yet,don t,do not,nananinanao,nananina,nadinha,de maneira nenhuma,de maneira alguma,de forma alguma,de forma nenhuma,melhor nao,prefiro nao",
);
const FILLER = set(
  "aqui,daqui,e,eh,ai,la,assim,patrao,patroa,mestre,campeao,fofa,lindo,linda,jovem,msm,gentileza,por favor,pf,pfv,obrigado,obrigada,obg,vlw,valeu,mesmo,agora,ja,amigo,amiga,querida,querido,chefe,moca,moco,filha,filho,minha filha,meu filho,minha linda,a,o," +
    "que,eu,pra mim,por,favor,amor,meu,minha,mano,cara,brother,doutor,doutora,dr,dra,flor,anjo,irmao,parceiro,tio,tia,dona,sr,sra,vida,tudo,bem,bom,isso,entao,tambem,so,please,thanks,gente,pessoal,senhor,senhora,por mim,muito,mais,viu,ne,com,de,da,do,ser,mim,um,uma,vc,voce",
);
/** What a "não" may refuse; with any other word it may tell of something else ("não recebi", "não consigo"). */
const REFUSED = set(
  "emissao,a emissao,aprovo,aprovado,aprovada,autorizado,autorizada,autorizamos,aprovamos,concordamos,queremos,quero,queria,quer,pode,posso,precisa,preciso,tem,tenho,tinha,possuo,possui,emitir,emite,emita,emiti,melhor,por hora,manda,mandar,mande,envia,enviar,envie,faz,faca,fazer,foi,era,sera,ficou,esta,ta,tao,isso,esse,essa,este,esta,aquele,aquilo,assim,bom,boa,boas,aceito,aceitar,concordo,confirmo,confirmar,confirma,autorizo,gostei,gosto,agora,ainda,hoje,ja,mais,nada,nenhum,nenhuma,nunca,espera,deixa,deixe,obrigado,obrigada,por enquanto,enquanto,momento,disso,desse,dessa,valor,dados,jeito,algum,alguma,pensar,vou,vai,want,need,yet,now,it,right,correct,that,this,is,do,issue,send,thanks,really,sure",
);
const EDIT =
  /\b(?:corrigir|corrige|corrija|corigir|errei|mud(?:a|ar|e|ei|ou|aria)|troc(?:a|ar|ue)|alter(?:a|ar|e)|edit(?:a|ar|e)|ajust(?:a|ar|e)|arrum(?:a|ar|e)|edit|na verdade|actually|change|fix|faltou|esqueci|me enganei|consert(?:a|ar|e)|so falt(?:a|ou)|com outr[oa] (?:valor|nome|cpf|cnpj|data|descricao))\b|\b(?:valor|nome|cpf|cnpj|data) (?:certo|certa|correto|correta)\b|^(?:valor|nome|cpf|cnpj|data|mes|descricao) (?:e|eh|foi|is)\b|\b(?:valor|nome|cpf|cnpj|data|mes|descricao|servico) nao (?:e|eh) (?:ess[ea]|est[ea]|isso)\b|\bnao (?:e|eh) (?:ess[ea]|est[ea]|isso)? ?(?:o|a) (?:valor|nome|cpf|cnpj|data|mes|descricao|servico)\b|\b(?:o certo|(?:o|a|the) (?:valor|nome|cpf|cnpj|documento|data|mes|descricao|servico|endereco|cep|value|name|date)) (?:e|eh|era|foi|seria|is|was)\b|\b(?:valor|nome|cpf|cnpj|data|mes|descricao|servico|endereco|cep) (?:(?:ta|esta|ficou|saiu|veio) )?(?:escrit[oa] )?errad[oa]\b|\b(?:valor|nome|cpf|cnpj|documento|data|mes|descricao|servico|endereco|cep|e-?mail|telefone)\b (?:(?:ta|esta|ficou|saiu|veio) )?incorret[oa]\b|\b(?:nome|sobrenome) (?:del[ae] )?(?:e|eh) (?:com|sem) |\b(?:tira|tire|tirar|remov[ae]|remover|retir[ae]|retirar|inclui|inclua|incluir|acrescent[ae]|acrescentar|adicion[ae]|adicionar) (?:(?:o|a|os|as|meu|minha|esse|essa|d[ao]) )?(?:valor|nome|sobrenome|cpf|cnpj|documento|data|mes|descricao|servico|endereco|cep|e-?mail|telefone|complemento|numero|acento|virgula|ltda|desconto)\b|\berrad[oa] (?:o|a) (?:valor|nome|cpf|cnpj|data|mes|descricao|servico|endereco|cep)\b|\b(?:o|a) (?:valor|nome|cpf|cnpj|data|mes|descricao|servico|endereco|cep) (?:que )?(?:ta|esta|ficou) errad[oa]\b/;
const UNSURE =
  /\b(?:acho|talvez|nao sei|n sei|sei la|depende|quem sabe|maybe|vou ver|deixa eu ver|mais ou menos|sim (?:e|ou) nao|pode ser que|nao entendi|como assim|(?:depois|amanha|mais tarde) (?:confirmo|vejo|respondo)|confirmo (?:depois|amanha|mais tarde))\b/;
const COMPANY = /\b(?:s\.?\/?a\.?|ltda|eireli|epp)(?:$| )/;
const BUT = /\b(?:mas|porem|so que|exceto|menos o|menos a|but|except)\b/;
const NEGATION = /^(?:n|nao|num|naum|nem|nunca|jamais|no|not)$/;

/** What is said of a thing of the business: "faz a pizza", "mesma pizza". */
const OF_THING = ["faz a *", "confirmo a *", "mesma *", "a mesma *", "* igual"];

/** Words of a yes, of a no, and around them, with those of the business. */
interface Words {
  readonly yes: ReadonlySet<string>;
  readonly filler: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** "os dados estão ok", "o valor tá certinho sim": what is shown is right, however it is put. */
  readonly allRight: RegExp;
}

const wordsOf = perBusiness((thing, { things }): Words => ({
  yes: new Set([
    ...YES,
    ...things.flatMap((one) => OF_THING.map((form) => squeeze(form.replace("*", one)))),
  ]),
  filler: new Set([...FILLER, ...things, ...things.map((one) => `a ${one}`)]),
  refused: new Set([...REFUSED, ...things]),
  allRight: new RegExp(
    `^(?:(?:sim|ja|eu|aqui|por mim|pra mim|entao|olha) )*(?:(?:os|as|o|a|ess[ea]s?|todos|todas) )*(?:(?:${thing}|dados|informacoes|valores|tudo|valor|nome|isso|resumo|ai|aqui) )*(?:ta|tao|esta|estao|ficou|ficaram|confere|conferem|bate|batem)(?: (?:tudo|todos|todas|bem|muito|mesmo|bem))*(?: (?:cert[oa]s?|certinh[oa]s?|corret[oa]s?|ok|okay|bom|boa|bons|perfeit[oa]s?|otim[oa]s?|joia|show|em ordem|conferid[oa]s?|batendo|exat[oa]s?))?(?: (?:sim|mesmo|ai|aqui|viu|pra mim|por mim|demais|moca|moco|tudo))*$`,
  ),
}));

/** Words as thumbs write them. */
const IN_FULL: Readonly<Record<string, string>> = {
  hj: "hoje",
  ctz: "certeza",
  td: "tudo",
  tds: "todos",
  q: "que",
  tao: "estao",
  mto: "muito",
  mt: "muito",
};
const SHORT_FORM = /\b(?:hj|ctz|td|tds|q|tao|mto|mt)\b/g;
/** "aprovado pela diretoria": by whom says nothing more. */
const BY_WHOM =
  /\b((?:aprov|autoriz|conferi|liber)ad?[oa]) (?:pel[oa]s?|aqui|com) (?:[oa] )?(?:diretoria|cliente|chefe|financeiro|gerencia|gerente|sindic[oa]|socio|socia|patrao|patroa|contador|contadora|fiscal|gente|mim|nos)\b/g;
/** A yes for another day is none. */
const LATER =
  /\b(?:amanha|depois|mais tarde|semana que vem|mes que vem|outro dia|outra hora|tomorrow|later)\b/;

const THUMBS_UP = /[👍👌✅🆗☑✔]/u;
const THUMBS_DOWN = /[👎❌🚫✖]/u;

const ECHO: Readonly<Record<YesNo, readonly [string, string]>> = {
  yes: ["sim", "yes"],
  no: ["não", "no"],
  edit: ["quero mudar", "change it"],
};

export function yesno(
  text: string,
  context?: Pick<TextContext, "locale" | "business">,
): Understood<"yesno"> {
  if (text.length > MAX_ANSWER) return absent("yesno", "too-long");
  const known = wordsOf(context?.business);
  const line = plainOf(withoutDocuments(text))
    .replace(SHORT_FORM, (word) => IN_FULL[word] ?? word)
    .replace(BY_WHOM, "$1");
  const done = (value: YesNo): Understood<"yesno"> =>
    clear("yesno", value, ECHO[value][context?.locale === "en" ? 1 : 0]);
  const unsure = (hint: "unsure" | "question" = "unsure"): Understood<"yesno"> =>
    ambiguous("yesno", hint);
  // A house number and an abbreviation, not an answer: "nº 12", "n. 12", "s/n".
  if (/^s ?\/ ?n\b/.test(line)) return unsure();
  if (/^n[º°o.]? ?\d/.test(line)) return absent("yesno");
  const edits = EDIT.test(line);
  if (
    edits &&
    /\b(?:nao|nem|sem|n)\b(?: \w+){0,2} (?:mud|troc|alter|corrig|edit|ajust)|\bnada (?:pra|para|a) (?:mud|troc|alter|corrig)/.test(
      line,
    )
  )
    return unsure();
  if (edits) return done("edit");
  if (COMPANY.test(line)) return absent("yesno");
  if (UNSURE.test(line) || HEDGE.test(line)) return unsure();
  // "sim, mas não agora" is neither a yes nor a wish to change something.
  if (/\b(?:mas|porem|but) (?:nao|not)\b/.test(line)) return unsure();
  const but = line.search(BUT);
  // "tá, mas e o valor?": asked before anything is agreed; "sim, mas só amanhã": not now.
  if (but > 0 && line.includes("?")) return unsure("question");
  if (but > 0 && LATER.test(line.slice(but))) return unsure();
  if (but > 0 && judge(line.slice(0, but), known) === "yes") return done("edit");
  const clauses: readonly Verdict[] = line.split(/[,.;!:]+/).map((clause) => judge(clause, known));
  const up = THUMBS_UP.test(line);
  const down = THUMBS_DOWN.test(line);
  const says = (verdict: Verdict): boolean => clauses.includes(verdict);
  const yes = says("yes") || up;
  const no = says("no") || says("unknown-no") || says("lone-no") || says("both") || down;
  if (!yes && !no) return absent("yesno");
  if (line.includes("?")) return unsure("question");
  if (yes && but > 0) return done("edit");
  if ((up && down) || says("both") || (says("unknown-no") && !says("lone-no"))) return unsure();
  // "não, é 300": the no is about something, and here is what it should be.
  if (RATHER.test(line) || NOT_BUT.test(line)) return done("edit");
  if (CORRECTS.test(line) && !(yes && AGREED.test(line))) return done("edit");
  // Anything more than a yes may be a correction; anything more than a no is still a no.
  if (/\d/.test(line) || says("unknown")) return no && !yes ? done("no") : unsure();
  if (!(yes && no)) return done(yes ? "yes" : "no");
  // "não, pode emitir": a bare no followed by a clause of consent takes back the doubt, not the wish.
  const said = clauses.filter((one) => one !== "empty");
  const order = said[0] === "lone-no" && said.slice(1).every((one) => one === "yes");
  return order && CONSENT.test(line) && !down ? done("yes") : unsure();
}

/** Groups of letters and digits, joined by their marks, as long as a document. */
const LONG_NUMBER = /[\da-z./-]{11,}/gi;

/** A company's number may hold "SIM" and "NAO": it is a number. */
function withoutDocuments(text: string): string {
  if (!text.match(LONG_NUMBER)?.some((one) => /\d\d/.test(one))) return text;
  const found = fragmentsOf(text).filter(({ bare }) => documentType(bare) !== null);
  return found.reduceRight(
    (line, { start, end }) => `${line.slice(0, start)}0${line.slice(end)}`,
    tidy(text),
  );
}

const CORRECTS = /^(?:n|nao|naum|no)\b[ ,.!:]+(?:e|eh|sao|foi|era|eram|it's|it is)\b.*\d/;
/** "é 180, não 150": what it should be, and what it is not. */
const RATHER =
  /\d.*\bnao (?:e |eh |era )?(?:r\$ ?)?\d|\bnao (?:e|eh|era|foi) (?:de )?(?:r\$ ?)?\d[\d.,]*(?: reais)?[ ,.;]+(?:e|eh|sim|mas|foi|sao|era)\b.*\d/;
/** "é Luiza com z, não com s". */
const NOT_BUT =
  /^(?:e|eh|era|foi|sao) [^,?]{3,60}, ?(?:e )?nao (?:com |o |a |e |eh |era )?(?!precis|sei|quer|mud|mex|tem|obrigad|pode|manda|falt|vi|ha|isso|mais)[\w.]+[.!]*$/;
const AGREED = /\b(?:sim|isso|pode|certo|ok)\b/;
const CONSENT =
  /\b(?:pode|podem|manda|mandar|emite|emitir|emita|confirm\w+|segu\w+|prossiga|prosseguir|continuar|ta (?:certo|bom|tudo)|tudo certo|isso mesmo|esta (?:certo|correto))\b/;

/** Longest phrase of consent, in words. */
const LONGEST_PHRASE = 4;

/** Nothing but phrases of consent and small words: "sim | está certo | por favor". */
function agrees(words: readonly string[], { yes, filler }: Words): boolean {
  let at = 0;
  let agreed = false;
  while (at < words.length) {
    let size = Math.min(LONGEST_PHRASE, words.length - at);
    while (size > 0 && !yes.has(words.slice(at, at + size).join(" "))) size -= 1;
    if (size === 0 && !filler.has(words[at] ?? "")) return false;
    agreed ||= size > 0;
    at += Math.max(size, 1);
  }
  return agreed;
}

function isKnown(word: string, { yes, filler }: Words): boolean {
  return yes.has(word) || NO.has(word) || filler.has(word);
}

const SAYS_RIGHT =
  /\b(?:cert|corret|ok|bom|boa|bons|perfeit|otim|joia|show|em ordem|conf|batendo|bate|batem|exat)/;

type Verdict = "yes" | "no" | "lone-no" | "unknown-no" | "both" | "unknown" | "empty";

/** "N3" is a request's code, "s2" a heart, "797N-30" the end of a company's number: letters beside digits are no yes or no. */
const WORD = /[a-z\d/_-]+/g;
const LETTERED = /[a-z]\d|\d[a-z]/;

function judge(clause: string, known: Words): Verdict {
  const { yes, filler, refused, allRight } = known;
  const words =
    squeeze(clause.replace(WORD, (word) => (LETTERED.test(word) ? " " : word)))
      .match(/[a-zñ]+/g)
      ?.map((word) => (word === "ñ" ? "n" : word)) ?? [];
  if (words.length === 0) return "empty";
  if (words.length > 1 && /^(?:n|naum|num)$/.test(words[0] ?? "")) words[0] = "nao";
  const whole = words.join(" ");
  const said = clause.trim();
  if (yes.has(whole) || (SAYS_RIGHT.test(said) && allRight.test(said))) return "yes";
  if (words.length === 1 && NEGATION.test(whole)) return "lone-no";
  if (NO.has(whole)) return "no";
  if (words.includes("mais") && words.length > 1) return "unknown";
  const core = words.filter((word) => !filler.has(word) || yes.has(word));
  const rest = core.join(" ");
  if (yes.has(rest) || agrees(words, known)) return "yes";
  // "não sim" may be a slip of the finger on either word.
  if (words.includes("sim") && words.some((word) => NEGATION.test(word))) return "both";
  // Any negation makes the clause a no, wherever it stands: "isso não", "pode não", "não pode emitir", "não tem".
  if (words.some((word) => NEGATION.test(word)))
    return words.every((word) => NEGATION.test(word) || refused.has(word) || isKnown(word, known))
      ? "no"
      : "unknown-no";
  if (words.some((word) => NO.has(word))) return "no";
  if (core.length === 0) return "empty";
  return "unknown";
}
