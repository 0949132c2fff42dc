/**
 * Words that steer the conversation instead of answering. Only a message that is nothing but a command is one:
 * "cancelamento de contrato" describes a service, "pessoa física" is a choice, "nota cancelada" is neither.
 */
import { plainOf } from "./plain.ts";
import { clear, type Command, type Context, type Understood } from "./understood.ts";

/** Commands are short; whatever is longer is an answer or a story. */
const MAX_WORDS = 12;
const MAX_COMMAND = 160;

function set(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((entry) => entry.trim()));
}

/** Dropped at both ends before comparing. */
const POLITE =
  /^(?:(?:por favor|pf|pfv|desculpa|desculpe|foi mal|ih|poderia|quero pedir|solicito|alguem|beleza|tenho|estou com|to com|tem como|da pra|ok|ta|show|ta bom|me|muito|eu|quero|queria|gostaria de|preciso|posso|pode|vou|vamos|quer|entao|ai|ei|opa|ah|nao|e|so|please|can i|i want to|want to) )+|(?: (?:por favor|pf|pfv|agora|ai|entao|obrigad[oa]|obg|please|ja|mesmo|tudo|isso|essa|esse|essa pergunta|this|it|aqui|querid[oa]|amig[oa]|moc[oa]|direito|por tudo|demais|viu|tchau|flw|pela ajuda|pela atencao|pelo atendimento|so much|disso))+$/g;

/** A greeting in front changes nothing. */
const GREETED =
  /^(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|desculpa|desculpe|foi mal|ah|ih|ok|ta bom|beleza|show|so isso|era so isso|hi|hello|sorry)[ ?]+)+/;

const EXACT: readonly (readonly [Command, ReadonlySet<string>])[] = [
  [
    "stop",
    set(
      "sair,sai,encerrar,encerra,parar,para,pare,stop,quit,exit,unsubscribe,descadastrar,me tira da lista,me remove,remover meu numero,nao me mande mais mensagens," +
        "nao me manda mais mensagem,nao quero mais receber mensagens,nao quero mais receber mensagem,nao quero receber mensagens,nao quero receber mais mensagens," +
        "nao quero mais mensagens,parar de receber mensagens,para de me mandar mensagem,pare de mandar mensagens,parem,descadastra,me descadastrar,me descadastra,sair da lista",
    ),
  ],
  [
    "cancel",
    set(
      "cancelar,cancela,cancele,cancel,desistir,desisto,desisti,deixa,deixa pra la,deixa para la,deixa quieto,esquece,esquecer,esqueca," +
        "cancelar pedido,cancelar o pedido,cancela o pedido,cancelar solicitacao,cancelar a solicitacao,abortar,nao quero mais,nao quero mais nao,nao quero mais fazer,nao quero continuar,desistir do pedido,forget it,give up,never mind,cancelar esse pedido,cancela esse pedido,deixa nao quero mais,esquece nao precisa,deixa isso pra la,deixa isso,nao vou querer,nao vou querer mais,desiste",
    ),
  ],
  [
    "back",
    set(
      "voltar,volta,anterior,volte,back,pergunta anterior,voltar uma,volta uma,voltar atras,passo anterior,voltar pergunta,go back,voltar uma pergunta,volta uma pergunta,volta a pergunta,voltar a pergunta,volta pra anterior,voltar pra anterior,volta atras,retornar,a anterior,voltar para a anterior,voltar para anterior,volta para anterior,volta para a anterior,voltar pra pergunta anterior,voltar para a pergunta anterior",
    ),
  ],
  [
    "menu",
    set(
      "menu,inicio,opcoes,comecar,comeca,0,start,menu principal,voltar ao menu,voltar pro menu,volta pro menu,volta ao menu,voltar para o menu,voltar ao inicio,voltar pro inicio,do zero,comecar de novo,recomecar,ver opcoes,menu inicial,quais as opcoes,quais opcoes,main menu,start over,mostra o menu,mostrar o menu,ver o menu,ver menu,voltar pro comeco,volta pro comeco,do comeco,comecar do zero,reiniciar,ir pro menu,vai pro menu,voltar para o inicio,volta pro inicio,volta para o inicio,ver as opcoes,mostra as opcoes,mostrar as opcoes,mostrar opcoes,lista de opcoes,as opcoes",
    ),
  ],
  [
    "help",
    set(
      "ajuda,ajude,ajudar,me ajuda,me ajude,socorro,help,como funciona,o que voce faz,o que vc faz,?,preciso de ajuda,de ajuda,nao sei o que fazer,sos,duvida,tenho uma duvida," +
        "como faco,como faz,como que faz,como usar,como usa,como eu faco,nao sei como fazer,nao sei fazer,o que eu faco,uma ajuda,de uma ajuda,duvidas,o que mais voce faz,o que voces fazem,o que vcs fazem,nao sei usar,como que funciona,como isso funciona,o que da pra fazer,o que da para fazer,help me,i need help,what can you do,how does it work",
    ),
  ],
  [
    "human",
    set(
      "atendente,humano,pessoa,suporte,atendimento,atendimento humano,falar com alguem,falar com uma pessoa,falar com um atendente,falar com atendente,falar com humano,falar com um humano," +
        "falar com o suporte,falar com suporte,falar com pessoa,um atendente,uma pessoa,alguem de verdade,falar com gente,humana,talk to a person,human,agent,falar com alguem de verdade,conversar com alguem,chama alguem,me transfere,falar com o dono,falar com a empresa,talk to someone,talk to a human,pessoa real,falar com robo,real person,speak to someone",
    ),
  ],
  [
    "repeat",
    set(
      "repetir,repete,repita,repeat,de novo,nao entendi,nao entendi a pergunta,nao entendi nada,como,como assim,o que,oi?,como?,que,repete a pergunta,repetir a pergunta,manda de novo,pode repetir,again,what,say again,qual era a pergunta,qual a pergunta,qual e a pergunta,qual foi a pergunta,como e,fala de novo,repete ai,i don t understand,i didn t understand",
    ),
  ],
  [
    "skip",
    set(
      "pular,pula,pule,skip,nao tenho,nao tem,n tem,n tenho,nenhum,nenhuma,sem complemento,sem email,sem e-mail,nao possuo,nao possui,prefiro nao informar,prefiro nao dizer,deixa em branco,em branco,pular essa,pula essa,passar,nao se aplica,nao precisa,nao sei dizer,seguir sem,nao tenho isso,nao quero informar,nao quero dizer,nao quero passar,nao tenho essa informacao,none,i don t have,i don t have it,i don t have one,don t have,no email",
    ),
  ],
  [
    "edit",
    set(
      "edit,corrigir,corrige,errei,mudar,muda,trocar,troca,alterar,altera,editar,edita,na verdade,ta errado,esta errado,change,fix,wrong,mudar algo,corrigir algo,alterar algo,errado,me enganei,digitei errado,escrevi errado,coloquei errado,botei errado,corrigir um dado,corrigir uma coisa,mudar uma coisa,mudar uma resposta,mudar resposta,alterar um dado,mudar um dado,trocar uma coisa",
    ),
  ],
  [
    "thanks",
    set(
      "obrigado,obrigada,obg,brigado,brigada,vlw,valeu,tmj,muito obrigado,muito obrigada,valeu mesmo,thanks,thank you,grato,grata,agradeco,agradecido,brigadao,obrigadao,obrigado viu,so isso obrigado,era so isso obrigado,ok obrigado,ok obrigada,tchau,ate mais,bye,goodbye,thank you very much,thanks a lot,thank you so much,tks,gratidao,thx,ty,valeu demais,obrigado tchau,obrigada tchau,era so isso,so isso,so isso mesmo,ate logo,ate breve",
    ),
  ],
  [
    "greeting",
    set(
      "oi,ola,oie,oii,oiii,opa,eai,e ai,hey,hi,hello,bom dia,boa tarde,boa noite,oi tudo bem,ola tudo bem,oi bom dia,oi boa tarde,oi boa noite,ola bom dia,ola boa tarde,ola boa noite,alo,tudo bem,oi tudo bom,salve,bom dia tudo bem,boa tarde tudo bem,good morning,good afternoon,good evening,oi td bem,oi moca,oi moco,bom dia tudo certo,ola tudo bom,oi tudo certo,hi there,hello there",
    ),
  ],
];

const NOTE = "(?:nota|notas|nf|nfs|nfse|nfs-e|nota fiscal|invoice|cobranca)";
/** "não quero cancelar" is the contrary of a command. */
const NOT_CANCEL =
  /\b(?:nao|nunca|don t|do not)(?: (?:quero|vou|queria|pode|precisa|era|e|pra|para|want|to|mais)){0,4} (?:cancel\w*|desist\w*|parar|sair|esquec\w*|stop)\b/;
/** An issued note is named: "cancelar a nota 12", "cancela aquela nota", "quero cancelar minha nota fiscal de ontem". */
const CANCEL_INVOICE = new RegExp(
  `^(?:cancel(?:ar|a|e|o)?|como cancel(?:o|ar|a)|o cancelamento d[ae]|anul(?:ar|a|e)|estorn(?:ar|a|e)|cancelamento d[ae])(?: (?:a|o|as|aquela|essa|esta|minha|uma|ultima|da|the|my)){0,3} ${NOTE}\\b`,
);
const ANSWER =
  "(?:valor|nome|cpf|cnpj|documento|endereco|cep|data|descricao|servico|email|e-mail|cidade|numero|mes|competencia|telefone|bairro|rua)";
/** Something already answered is named: "muda o valor", "o nome tá errado", "na verdade é 200". */
const EDIT = new RegExp(
  [
    "^(?:corrig(?:ir|e|a)|mud(?:ar|a|e)|troc(?:ar|a)|troque|alter(?:ar|a|e)|edit(?:ar|a|e)|ajust(?:ar|a|e)|change|fix) " +
      `(?:(?:o|a|os|as|meu|minha|essa?|esse|the|para|pra|pro)\\b|${ANSWER}\\b)`,
    "^na verdade\\b|^errei\\b",
    `^(?:coloquei|escrevi|digitei|botei|mandei|passei|falei) (?:o|a) ${ANSWER} errad[oa]$`,
    `^(?:(?:o|a) )?${ANSWER} (?:(?:(?:ta|esta|ficou|saiu|veio) )?(?:errad[oa]|incorret[oa])$)`,
    `^(?:o|a) ${ANSWER} (?:(?:ta|esta|ficou|saiu|veio) (?:errad[oa]|incorret[oa])|e\\b|eh\\b|era\\b|nao e\\b)`,
  ].join("|"),
);
/** Somebody of flesh is asked for, by whatever name. */
const HUMAN =
  /^(?:(?:falar|conversar|tratar|fala) com|(?:me )?(?:passa|passe|transfere|transfira|coloca|conecta|liga)(?: (?:pra|para|pro|com))?|(?:me )?(?:chama|chame|chamar)|tem|(?:quero|preciso)(?: de)?|de|talk to|speak to) (?:um |uma |o |a |algum |alguma |an )?(?:atendente|humano|humana|pessoa|alguem|gente|suporte|contador|contadora|dono|dona|responsavel|gerente|financeiro|empresa|voces|vcs|operador|operadora|person|human|agent|someone)(?: (?:de verdade|real|humano|humana|ai|aqui|da empresa|da loja|do suporte))?$/;
/** No more messages, however it is put. */
const STOP =
  /^(?:(?:para|pare|parem|parar) (?:de|com) (?:me )?(?:mandar|enviar|receber|escrever|mensag\w+|as mensagens)\b|nao (?:me )?(?:mand|envi|escrev)\w+ mais\b|nao (?:quero |desejo )(?:mais )?(?:receber )?(?:mais )?(?:essas )?(?:mensag\w+)|nao quero (?:mais )?receber (?:mais )?nada|(?:me )?(?:remov|tir|descadastr)\w+ (?:me |o )?(?:meu numero|meu contato|d[ae]s?s?[ae]? lista)\b|stop (?:sending|messaging|texting)\b)/;
/**
 * What somebody says at a price before they leave: "19 reais? deixa pra lá", "nossa, que caro, esquece". Nothing but the price
 * and the dismay: any other question in front ("precisa do cep? esquece") may be all that is to be forgotten.
 */
const PUT_OFF =
  /^(?=.*(?:[?]|\b(?:car[oa]|carissim[oa]|nossa|eita|credo|vixe|caramba|expensive)\b))(?:(?:nossa|eita|credo|vixe|ixi|caramba|poxa|ah|hum|serio|tudo|isso|que|e|eh|por|sao|custa|cobra|paga|pago|muito|mt|demais|car[oa]|carissim[oa]|ta|tao|assim|r|\d+|reais|real|contos?|pila|too|so|that|much|expensive|entao)\b[ ?]+)+((?:deixa|esquece|desisto|cancela|nao quero|forget|never)\b.*)$/;
/** What a person may have none of: "não tenho e-mail", "sem cnpj". */
const NONE_OF =
  /^(?:(?:nao|n) (?:tenho|tem|possuo|possui)|sem) (?:o |a |um |uma )?(?:email|e-mail|cnpj|cpf|complemento|cep|telefone|celular|bairro|endereco)$|^(?:nao|n) tenho numero$/;

const LABELS: Readonly<Record<Command, readonly [string, string]>> = {
  cancel: ["cancelar", "cancel"],
  cancel_invoice: ["cancelar nota", "cancel an invoice"],
  back: ["voltar", "back"],
  menu: ["menu", "menu"],
  help: ["ajuda", "help"],
  human: ["falar com alguém", "talk to a person"],
  stop: ["parar", "stop"],
  repeat: ["repetir", "repeat"],
  skip: ["pular", "skip"],
  edit: ["corrigir", "edit"],
  thanks: ["obrigado", "thanks"],
  greeting: ["oi", "hello"],
  none: ["nenhum comando", "no command"],
};

/** All of {@link EXACT}, by what is said; what stands in two lists is the earlier one's. */
const COMMANDS = new Map<string, Command>();
for (const [name, forms] of EXACT)
  for (const form of forms) if (!COMMANDS.has(form)) COMMANDS.set(form, name);

/** The text read last: a turn asks several times what one message means. */
let last: { readonly text: string; readonly value: Command } | undefined;

function refusal(asked: string): Command {
  const found =
    COMMANDS.get(asked) ??
    COMMANDS.get(asked.replace(/(?: (?:por favor|mesmo|viu|direito))+$/, ""));
  if (found) return found;
  if (STOP.test(asked)) return "stop";
  if (/^nao quero falar com (?:robo|maquina)/.test(asked)) return "human";
  return NONE_OF.test(asked) ? "skip" : "none";
}

/** Always clear; `none` when the text is no command. */
export function command(text: string, context?: Pick<Context, "locale">): Understood<"command"> {
  if (last?.text !== text)
    last = { text, value: text.length > MAX_COMMAND ? "none" : commandOf(plainOf(text)) };
  const { value } = last;
  return clear("command", value, LABELS[value][context?.locale === "en" ? 1 : 0]);
}

function commandOf(line: string): Command {
  if (/^[?!]+$/.test(line) && line.includes("?")) return "help";
  if (/^(?:🙏|❤️?|🤝)+$/u.test(line)) return "thanks";
  const words = line
    .replace(/[^a-z0-9 ?-]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  if (words === "" || words.split(" ").length > MAX_WORDS) return "none";
  const asked = words.replace(/[ ?]+$/, "");
  // Nothing below is said in digits alone: most answers end here.
  if (!/[a-z]/.test(words)) return COMMANDS.get(words) ?? COMMANDS.get(asked) ?? "none";
  if (NOT_CANCEL.test(asked) || / nao$/.test(asked)) return COMMANDS.get(asked) ?? "none";
  const polite = asked.replace(POLITE, "").trim();
  const stretched = asked.replace(/([a-z])\1{2,}/g, "$1");
  // "não quero ajuda", "não volta": the contrary, unless the whole says something itself ("não quero mais").
  const bare = asked.replace(GREETED, "");
  if (/^(?:eu )?(?:nao|nunca)\b/.test(bare)) return refusal(bare);
  const ungreeted = bare.replace(POLITE, "").trim();
  const single = polite.replace(/([a-z])\1+/g, "$1");
  for (const form of [words, asked, stretched, polite, bare, ungreeted, single]) {
    const found = COMMANDS.get(form);
    if (found) return found;
  }
  const [, leaving = ""] = PUT_OFF.exec(asked) ?? [];
  for (const form of [leaving, leaving.replace(POLITE, "")])
    if (COMMANDS.get(form) === "cancel") return "cancel";
  if (STOP.test(asked) || STOP.test(polite)) return "stop";
  if (HUMAN.test(asked) || HUMAN.test(polite) || HUMAN.test(ungreeted)) return "human";
  if (CANCEL_INVOICE.test(polite)) return "cancel_invoice";
  if (NONE_OF.test(asked)) return "skip";
  if (EDIT.test(asked) || EDIT.test(polite)) return "edit";
  return "none";
}
