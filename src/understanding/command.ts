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
        "nao quero mais mensagens,parar de receber mensagens,para de me mandar mensagem,pare de mandar mensagens,parem,descadastra,me descadastrar,cancelar inscricao,cancelar a inscricao,chega de mensagem,chega de mensagens,nao quero mais receber isso,nao quero receber mais nada,me descadastra,sair da lista",
    ),
  ],
  [
    "cancel",
    set(
      "cancelar,cancela,cancele,cancel,desistir,desisto,desisti,deixa,deixa pra la,deixa para la,deixa quieto,esquece,esquecer,esqueca," +
        "cancelar pedido,cancelar o pedido,cancela o pedido,cancelar solicitacao,cancelar a solicitacao,abortar,nao quero mais,nao quero mais nao,nao quero mais fazer,nao quero continuar,desistir do pedido,forget it,give up,never mind,cancelar esse pedido,cancela esse pedido,deixa nao quero mais,esquece nao precisa,deixa isso pra la,deixa isso,nao vou querer,nao vou querer mais,desiste,nao precisa mais,nao precisa mais nao,nao preciso mais,melhor cancelar,melhor desistir,melhor deixar pra la,mudei de ideia,deixa pra depois,deixa pra outra hora,fica pra depois,fica pra outra hora,desisto de fazer,desisti da nota,nao quero mais a nota,nao quero mais nota,cancela essa,acho melhor cancelar",
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
      "menu,inicio,opcoes,comecar,comeca,0,start,menu principal,voltar ao menu,voltar pro menu,volta pro menu,volta ao menu,voltar para o menu,voltar ao inicio,voltar pro inicio,do zero,comecar de novo,recomecar,ver opcoes,menu inicial,quais as opcoes,quais opcoes,main menu,start over,mostra o menu,mostrar o menu,ver o menu,ver menu,voltar pro comeco,volta pro comeco,do comeco,comecar do zero,reiniciar,ir pro menu,vai pro menu,voltar para o inicio,volta pro inicio,volta para o inicio,ver as opcoes,mostra as opcoes,mostrar as opcoes,mostrar opcoes,lista de opcoes,as opcoes,recomeca,recomece,tela inicial,pagina inicial,quais opcoes eu tenho,quais opcoes tem,quais as opcoes que tem,que opcoes tem,o que tem no menu,me mostra o menu,me mostra as opcoes,manda o menu",
    ),
  ],
  [
    "help",
    set(
      "ajuda,ajude,ajudar,me ajuda,me ajude,socorro,help,como funciona,o que voce faz,o que vc faz,?,preciso de ajuda,de ajuda,nao sei o que fazer,sos,duvida,tenho uma duvida," +
        "como faco,como faz,como que faz,como usar,como usa,como eu faco,nao sei como fazer,nao sei fazer,o que eu faco,uma ajuda,de uma ajuda,duvidas,o que mais voce faz,o que voces fazem,o que vcs fazem,nao sei usar,como que funciona,como isso funciona,o que da pra fazer,o que da para fazer,to perdido,to perdida,estou perdido,estou perdida,to perdido aqui,estou perdida aqui,nao to conseguindo,nao estou conseguindo,nao consigo,nao to achando,me da uma ajuda,uma ajudinha,me da uma ajudinha,nao sei mexer,nao sei mexer nisso,nao sei usar isso,nao sei usar isso aqui,o que posso fazer,o que eu posso fazer,o que posso fazer aqui,como que funciona isso,como funciona isso,como isso aqui funciona,help me,i need help,what can you do,how does it work",
    ),
  ],
  [
    "human",
    set(
      "atendente,humano,pessoa,suporte,atendimento,atendimento humano,falar com alguem,falar com uma pessoa,falar com um atendente,falar com atendente,falar com humano,falar com um humano," +
        "falar com o suporte,falar com suporte,falar com pessoa,um atendente,uma pessoa,alguem de verdade,falar com gente,humana,talk to a person,human,agent,falar com alguem de verdade,conversar com alguem,chama alguem,me transfere,falar com o dono,falar com a empresa,talk to someone,talk to a human,pessoa real,falar com robo,real person,me atende,me atende por favor,alguem me atende,quero ser atendido,quero ser atendida,atendente humano,pessoa de verdade,gente de verdade,humano de verdade,speak to someone",
    ),
  ],
  [
    "repeat",
    set(
      "repetir,repete,repita,repeat,de novo,nao entendi,nao entendi a pergunta,nao entendi nada,como,como assim,o que,oi?,como?,que,repete a pergunta,repetir a pergunta,manda de novo,pode repetir,again,what,say again,qual era a pergunta,qual a pergunta,qual e a pergunta,qual foi a pergunta,como e,fala de novo,repete ai,ha,hein,oq,o q,como e que e,nao entendi direito,nao entendi bem,nao peguei,manda a pergunta de novo,pode repetir a pergunta,qual a pergunta mesmo,perdao nao entendi,i don t understand,i didn t understand",
    ),
  ],
  [
    "skip",
    set(
      "pular,pula,pule,skip,nao tenho,nao tem,n tem,n tenho,nenhum,nenhuma,sem complemento,sem email,sem e-mail,nao possuo,nao possui,prefiro nao informar,prefiro nao dizer,deixa em branco,em branco,pular essa,pula essa,passar,nao se aplica,nao precisa,nao sei dizer,seguir sem,nao tenho isso,nao quero informar,nao quero dizer,nao quero passar,nao tenho essa informacao,passa essa,passa esse,proxima,proxima pergunta,sem isso,seguir sem isso,nao quero preencher,deixa sem,deixa vazio,vazio,none,i don t have,i don t have it,i don t have one,don t have,no email",
    ),
  ],
  [
    "edit",
    set(
      "edit,corrigir,corrige,errei,mudar,muda,trocar,troca,alterar,altera,editar,edita,na verdade,ta errado,esta errado,change,fix,wrong,mudar algo,corrigir algo,alterar algo,errado,me enganei,digitei errado,escrevi errado,coloquei errado,botei errado,corrigir um dado,corrigir uma coisa,mudar uma coisa,mudar uma resposta,mudar resposta,alterar um dado,mudar um dado,trocar uma coisa,tem uma coisa errada,tem algo errado,tem um erro,me confundi,eu me confundi,deixa eu corrigir,deixa eu mudar,deixa eu trocar,da pra mudar,da pra corrigir,da pra trocar,errei uma coisa,errei um dado,errei aqui",
    ),
  ],
  [
    "thanks",
    set(
      "obrigado,obrigada,obg,brigado,brigada,vlw,valeu,tmj,muito obrigado,muito obrigada,valeu mesmo,thanks,thank you,grato,grata,agradeco,agradecido,brigadao,obrigadao,obrigado viu,so isso obrigado,era so isso obrigado,ok obrigado,ok obrigada,tchau,ate mais,bye,goodbye,thank you very much,thanks a lot,thank you so much,tks,gratidao,thx,ty,valeu demais,obrigado tchau,obrigada tchau,era so isso,so isso,so isso mesmo,so isso por enquanto,por enquanto e so,por enquanto e so isso,e so isso,era isso,e so,so isso mesmo obrigado,so isso mesmo obrigada,deus abencoe,deus lhe pague,deus te abencoe,ate amanha,ate a proxima,abraco,abracos,bjs,beijos,um abraco,obrigado ate mais,obrigada ate mais,ate logo,ate breve",
    ),
  ],
  [
    "greeting",
    set(
      "oi,ola,oie,oii,oiii,opa,eai,e ai,hey,hi,hello,bom dia,boa tarde,boa noite,oi tudo bem,ola tudo bem,oi bom dia,oi boa tarde,oi boa noite,ola bom dia,ola boa tarde,ola boa noite,alo,tudo bem,oi tudo bom,salve,bom dia tudo bem,boa tarde tudo bem,good morning,good afternoon,good evening,oi td bem,oi moca,oi moco,bom dia tudo certo,ola tudo bom,oi tudo certo,hi there,hello there",
    ),
  ],
];

/** "oi, tudo joia com vc?": the same greeting, whatever is asked. */
const GREETING =
  /^(?:oi+|ola|opa|eai|e ai|eae|fala|salve|bom dia|boa tarde|boa noite)(?: (?:gente|pessoal|moca|moco|amig[oa]|querid[oa]|bom dia|boa tarde|boa noite))?(?: (?:tudo|td|tdo) (?:bem|bom|certo|joia|otimo|tranquilo|blz|beleza|ok))?(?: (?:com|por) (?:vc|vcs|voce|voces|ai))?$/;
/** "pula essa parte", "volta um passo": a step of the conversation is named. */
const STEP =
  "(?:parte|pergunta|passo|etapa|item|campo|dado|questao|resposta|opcao|tela|informacao)";
const SKIP = new RegExp(
  `^(?:pul(?:a|ar|e)|passa|passar|ignora|ignorar) (?:a |o |d?ess[ea] |est[ea] )?(?:${STEP}|isso|isto|essa|esse)(?: ai)?$`,
);
const BACK = new RegExp(
  `^(?:volt(?:a|ar|e)|retorn(?:a|ar|e)) (?:(?:la )?(?:(?:a|o|na|no|pra|pro|para|uma|um|para a|para o) )?(?:${STEP} )?(?:anterior|antes|atras)|(?:uma|um|duas|dois) ${STEP}s?|la|(?:a|uma|um) ${STEP})$`,
);
/** "corrigir uma coisa": something that was answered, not named yet. */
const EDIT_SOMETHING =
  /^(?:(?:deixa eu|da (?:pra|para)|tem como|queria|quero) )?(?:corrig(?:ir|e|a)|mud(?:ar|a|e)|troc(?:ar|a)|alter(?:ar|a|e)|edit(?:ar|a|e)|ajust(?:ar|a|e)|consert(?:ar|a)|arrum(?:ar|a)) (?:algo|isso|(?:um|uma|umas|uns|os|as) (?:coisas?|informac(?:ao|oes)|respostas?|negocios?|dados?|itens|item|campos?|detalhes?|erros?|treco))(?: (?:antes|ai|aqui|errad[oa]s?))?$/;
/** What is said beside a command, before or after it, that only tells why. */
const REASONS: readonly (readonly [Command, RegExp])[] = [
  [
    "cancel",
    /^(?:eu )?(?:(?:nao|n) (?:quero|precis[ao]|vou|da|vai)\b.*|mudei de ideia|fica pra (?:depois|outra hora)|desisti|deixa|deixa pra la|esquece|melhor nao)$/,
  ],
  [
    "help",
    /^(?:eu )?(?:(?:nao|n) (?:to|tou|estou|consigo|consegui|sei|entendi|acho|achei)\b.*|(?:to|estou) (?:perdid|com duvida|confus)\w*(?: aqui)?|ta (?:dificil|confuso|complicado))$/,
  ],
  [
    "human",
    /^(?:eu )?(?:(?:nao|n) (?:to|tou|estou|consigo|consegui|sei|entendi|resolveu|adiantou|e isso|quero (?:falar com )?(?:robo|maquina))\b.*|(?:to|estou) (?:perdid|com duvida|confus)\w*(?: aqui)?|ta (?:dificil|confuso|complicado))$/,
  ],
  [
    "repeat",
    /^(?:(?:desculpa|perdao|oi|ha|hein) )?(?:(?:nao|n) (?:entendi|peguei|compreendi)\b.*|como(?: assim)?|o que|oi|hein|ha)$/,
  ],
  [
    "back",
    /^(?:eu )?(?:errei|me confundi|me enganei|(?:digitei|coloquei|escrevi|mandei|respondi) errado)(?: aqui)?$/,
  ],
  [
    "edit",
    /^(?:eu )?(?:errei|me confundi|me enganei|(?:digitei|coloquei|escrevi|mandei|respondi) errado)(?: aqui)?$/,
  ],
  [
    "skip",
    /^(?:eu )?(?:nao|n) (?:tenho|sei|lembro|possuo|tem|quero (?:informar|dizer|passar))\b.*$/,
  ],
];
/** "mudei de ideia cancela": the reason in front, without a comma between. */
const REASON_FIRST =
  /^(?:eu )?((?:nao|n) (?:entendi(?: nada| direito)?|(?:to|estou|tou) \w+ndo|consigo|quero mais|preciso mais|precisa mais)|mudei de ideia|me confundi|errei)(?: (?:entao|pode|por favor|ai))* (?=[a-z]{4})/;

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
  const asked = words
    .replace(/[ ?]+$/, "")
    .replace(/^((?:eu )?)n (?=[a-z]{3})/, "$1nao ")
    .replace(/ q /g, " que ");
  // Nothing below is said in digits alone: most answers end here.
  if (!/[a-z]/.test(words)) return COMMANDS.get(words) ?? COMMANDS.get(asked) ?? "none";
  const explained = withReason(line, asked);
  if (explained) return explained;
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
  for (const form of [asked, polite, ungreeted]) {
    if (SKIP.test(form)) return "skip";
    if (BACK.test(form)) return "back";
    if (EDIT_SOMETHING.test(form)) return "edit";
    if (GREETING.test(form)) return "greeting";
  }
  if (EDIT.test(asked) || EDIT.test(polite)) return "edit";
  return "none";
}

/** One command and nothing else but why: "esquece, não precisa mais", "não entendi, repete". */
function withReason(line: string, asked: string): Command | null {
  const clauses = line
    .split(/[,.;!]+/)
    .map((clause) =>
      clause
        .replace(/[^a-z0-9 -]+/g, " ")
        .replace(/ {2,}/g, " ")
        .trim(),
    )
    .filter((clause) => clause !== "");
  const [, reason] = REASON_FIRST.exec(asked) ?? [];
  if (clauses.length === 1 && reason !== undefined)
    return told([reason, asked.slice(REASON_FIRST.exec(asked)?.[0].length ?? 0)]);
  return clauses.length === 2 ? told(clauses) : null;
}

function told(clauses: readonly string[]): Command | null {
  for (const [at, clause] of clauses.entries()) {
    const name = COMMANDS.get(clause) ?? COMMANDS.get(clause.replace(POLITE, "").trim());
    const why = REASONS.find(([command]) => command === name)?.[1];
    const other = clauses[1 - at] ?? "";
    if (name && why?.test(other)) return name;
  }
  return null;
}
