/** What people say to steer the conversation, word for word and by its shape: whole messages, folded, without marks. */
import { type Command, orOneOf, perBusiness } from "../business.ts";

/** Dropped at both ends before comparing. */
export const POLITE =
  /^(?:(?:por favor|pf|pfv|desculpa|desculpe|foi mal|ih|poderia|quero pedir|deixa eu|me deixa|solicito|alguem|beleza|tenho|estou com|to com|tem como|da pra|ok|ta|show|ta bom|me|muito|eu|quero|queria|gostaria de|preciso|posso|pode|vou|vamos|quer|entao|ai|ei|opa|ah|nao|e|so|please|can i|i want to|want to) )+|(?: (?:por favor|pf|pfv|agora|ai|entao|obrigad[oa]|obg|please|ja|mesmo|tudo|isso|essa|esse|essa pergunta|this|it|aqui|querid[oa]|amig[oa]|moc[oa]|direito|por tudo|demais|viu|tchau|flw|pela ajuda|pela atencao|pelo atendimento|so much|disso))+$/g;

/** A greeting in front changes nothing. */
export const GREETED =
  /^(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|desculpa|desculpe|foi mal|ah|ih|ok|ta bom|beleza|show|so isso|era so isso|hi|hello|sorry)[ ?]+)+/;

/** "oi, tudo joia com vc?": the same greeting, whatever is asked. */
export const GREETING =
  /^(?:oi+|ola|opa|eai|e ai|eae|fala|salve|bom dia|boa tarde|boa noite)(?: (?:gente|pessoal|moca|moco|amig[oa]|querid[oa]|bom dia|boa tarde|boa noite))*(?: (?:tudo|td|tdo) (?:bem|bom|certo|joia|otimo|tranquilo|blz|beleza|ok)|(?<=^(?:oi+|ola|opa|eai|e ai|eae|fala|salve)) (?:blz|beleza|firmeza|suave|de boa))?(?: (?:com|por) (?:vc|vcs|voce|voces|ai))?$/;
/** "pula essa parte", "volta um passo": a step of the conversation is named. */
export const STEP =
  "(?:parte|pergunta|passo|etapa|item|campo|dado|questao|resposta|opcao|tela|informacao)";
export const SKIP = new RegExp(
  [
    `^(?:pul(?:a|ar|e)|passa|passar|ignora|ignorar|skip) (?:a |o |d?ess[ea] |est[ea] |this |that |it\\b ?)?(?:${STEP}|isso|isto|essa|esse|one|question)?(?: ai)?$`,
    `^(?:passa|passar|pula|pular|vai|ir|vamos|segue|seguir)(?: logo)? (?:pra|para|pro|a) (?:a )?(?:proxim[oa])(?: ${STEP})?$`,
    `^deixa (?:(?:o|a|ess[ea]|isso|est[ea]) )?(?:${STEP} )?(?:em branco|vazi[oa])$`,
    "^(?:prefiro|quero) nao (?:falar|informar|dizer|responder|passar|colocar|preencher)(?: (?:isso|agora|ess[ea]))?$",
    "^nao tenho (?:(?:isso|ess[ea]|est[ea]|o|a|nenhum|nenhuma|informacao|dado|numero|nao|mais) ?)+$",
    "^(?:i )?(?:don t|do not) have (?:it|one|that|any)(?: (?:here|now|with me))*$",
  ].join("|"),
);
export const BACK = new RegExp(
  `^(?:volt(?:a|ar|e)|retorn(?:a|ar|e)) (?:(?:la )?(?:(?:a|o|na|no|pra|pro|para|uma|um|para a|para o) )?(?:${STEP} )?(?:anterior|antes|de antes|atras|passada|que passou)|(?:uma|um|duas|dois) ${STEP}s?|la|(?:a|uma|um) ${STEP})$`,
);
/** "corrigir uma coisa": something that was answered, not named yet. */
export const EDIT_SOMETHING =
  /^(?:(?:deixa eu|da (?:pra|para)|tem como|queria|quero) )?(?:corrig(?:ir|e|a)|mud(?:ar|a|e)|troc(?:ar|a)|alter(?:ar|a|e)|edit(?:ar|a|e)|ajust(?:ar|a|e)|consert(?:ar|a)|arrum(?:ar|a)) (?:algo|isso|(?:um|uma|umas|uns|os|as) (?:coisas?|informac(?:ao|oes)|respostas?|negocios?|dados?|itens|item|campos?|detalhes?|erros?|treco))(?: (?:antes|ai|aqui|errad[oa]s?))?$/;
/** "não quero cancelar" is the contrary of a command. */
export const NOT_CANCEL =
  /\b(?:nao|nunca|don t|do not)(?: (?:quero|vou|queria|pode|precisa|era|e|pra|para|want|to|mais)){0,4} (?:cancel\w*|desist\w*|parar|sair|esquec\w*|stop)\b/;
const ANSWERS =
  "valor|nome|cpf|cnpj|documento|endereco|cep|data|descricao|servico|email|e-mail|cidade|numero|mes|telefone|bairro|rua";
/** "me explica como funciona", "pra que serve isso?": how all this works. */
export const HELP =
  /^(?:(?:nao|n) (?:sei|entendi|entendo) |(?:me )?(?:explic\w+|ensin\w+|mostr\w+|diz|fala) |(?:queria|quero|gostaria de) (?:saber|entender) )*(?:como|pra que|para que|o que)(?: e)?(?: que)?(?: (?:isso|isto|aqui|eu|a gente|voce|voces|vc|vcs))*(?: (?:sabe|pode|consegue|posso|consigo|devo))? (?:funciona|uso|usa|usar|mexo|mexer|serve|faz|fazer|faco|peco|comeco)(?: (?:isso|isto|aqui|ai|voce|vc|eu|pra comecar|com isso))*$|^(?:socorro|help|ajuda|ajudinha)(?: (?:me|ajuda|ajude|please|aqui|aí|ai|moca|moco|gente))+$|^(?:(?:eu )?(?:to|tou|estou|fiquei|tenho|tenha) )?(?:com )?(?:uma|umas|muitas?)? ?duvidas?(?: aqui)?$|^(?:can|could) you help(?: me)?$|^(?:eu )?(?:(?:to|tou|estou|tava|estava) )?precisando (?:muito )?(?:de |da )(?:uma |sua )?(?:ajuda|ajudinha|maozinha|orientacao)(?: (?:aqui|ai|nisso|com isso))?$|^how (?:does|do) (?:this|it|i) (?:work|use (?:this|it)|start)$/;
/** "abre o menu", "quais são as opções": every word of it belongs to the way there. */
export const MENU =
  /^(?:(?:abr\w+|lev\w+|mostr\w+|ver|vai|ir|volt\w+|mand\w+|quer\w*|quais|qual|que|sao|e|tem|eu|tenho|lista\w*|me|a|as|o|os|de|ao|pro|pra|para|no|aqui|show|open|the|go|back|to|all) )*(?:menu|opcoes|options)(?: (?:principal|inicial|que tem|tem|aqui|ai|disponiveis|de novo))*$|^(?:(?:quero|vamos|vou|bora|pode) )?(?:recomec\w+|reinici\w+|comec\w+)(?: (?:tudo|isso|de novo|do zero|outra vez|novamente|do inicio|do comeco))+$|^(?:(?:quero|queria|preciso|vou|pode|bora|me) )*(?:ir|vai|vamos|volt\w+|retorn\w+|lev\w+)(?: (?:la|me))* (?:pro|para o|pra o|ao) (?:inicio|comeco|menu)(?: (?:de tudo|da conversa|do atendimento|do bot))?$/;
/** "não entendi o que você quer", "what was the question". */
export const REPEAT =
  /^(?:eu )?nao (?:entendi|compreendi|peguei|li)(?: (?:o|a|os|nada|que|q|voce|vc|quer|quis|disse|falou|dizer|perguntou|escreveu|mandou|e|era|pra|fazer|do|da|sua|essa|esse|pergunta|mensagem|direito|bem|muito|ai|parte|ultima))*$|^(?:(?:qual|what) (?:e|era|foi|is|was)|(?:fala|manda|diz|repete|faz)) (?:a |the |sua |essa )?(?:ultima |last )?(?:pergunta|question|mensagem)(?: (?:mesmo|de novo|outra vez|again))*$|^(?:say|ask) (?:that|it) again$|^(?:(?:pode|poderia|da pra) )?(?:repet(?:e|ir|a)|(?:manda|fala|diz|escreve)(?:r)? (?:de novo|outra vez|novamente))(?: (?:ai|aqui|isso|a pergunta|a mensagem|a ultima))* (?:que|pq|porque|pois) (?:eu )?(?:(?:nao|n) (?:vi|li|ouvi|entendi|peguei|deu pra (?:ler|ver|ouvir))|perdi|apaguei|sumiu)(?: (?:direito|bem|nada|sem querer|a mensagem|aqui))*$/;
/** "vamos deixar pra outro dia", "fica pra depois". */
export const PUT_OFF_TO =
  /^(?:(?:vamos|vou|melhor|prefiro|pode|quero|e melhor) )?(?:deixa|deixar|fica|ficar|vamos) (?:isso |tudo |essa |esse )?(?:(?:pra|para) (?:la|depois|outro dia|outra hora|outra vez|amanha|mais tarde|semana que vem|quando der)|quieto|isso)$|^(?:eu )?nao (?:vou|quero|preciso|precisa)(?: (?:mais|querer|fazer|continuar|disso|isso|nada|nao))+$/;
/** Nothing but thanks and parting. */
export const THANKS =
  /^(?=.*\b(?:obrigad\w+|valeu|brigad\w+|grat[oa]|agradec\w+|thanks|thank you)\b)(?:(?:muit\w+|obrigad\w+|valeu|brigad\w+|grat[oa]|agradec\w+|mesmo|demais|so|isso|era|por|tudo|pel[ao]|ajuda|atencao|paciencia|atendimento|servico|de|coracao|viu|tchau|ate|mais|logo|amanha|bom|boa|dia|tarde|noite|deus|te|abencoe|abraco|a|o|e|voce|voces|vc|vcs|gente|querid[oa]|amig[oa]|moc[oa]|mano|brother|chefe|patrao|thanks|thank|you|very|much|lot|again|bye|for|your|the|help) ?)+$/;
/** Something already answered is named: "muda o valor", "o nome tá errado", "na verdade é 200". */
export const editOf = perBusiness((thing, business) => {
  const answer = `(?:${ANSWERS}${orOneOf(business.months)})`;
  return new RegExp(
    [
      "^(?:corrig(?:ir|e|a)|mud(?:ar|a|e)|troc(?:ar|a)|troque|alter(?:ar|a|e)|edit(?:ar|a|e)|ajust(?:ar|a|e)|change|fix) " +
        `(?:(?:o|a|os|as|meu|minha|essa?|esse|the|para|pra|pro)\\b|${answer}\\b)`,
      `^(?:ta|esta|ficou|saiu|veio) errad[oa] (?:o|a) ${answer}$`,
      "^na verdade\\b|^errei\\b",
      `^(?:tem|ha|achei) (?:um |uma |algum |alguma )?(?:err\\w+|coisa errada|problema|engano)(?: (?:n[oa]s?|em) (?:${answer}|${thing}|dados))?(?: (?:ai|aqui))?$`,
      `^(?:eu )?(?:preciso|quero|queria|tenho que|da pra|tem como|posso) (?:corrigir|mudar|trocar|alterar|ajustar|arrumar) (?:(?:o|a|os|as|meu|minha|um|uma) )?(?:${answer}|coisa|dados?)\\b`,
      `^(?:coloquei|escrevi|digitei|botei|mandei|passei|falei) (?:o|a) ${answer} errad[oa]$`,
      `^(?:(?:o|a) )?${answer} (?:(?:(?:ta|esta|ficou|saiu|veio) )?(?:errad[oa]|incorret[oa])$)`,
      `^(?:o|a) ${answer} (?:(?:ta|esta|ficou|saiu|veio) (?:errad[oa]|incorret[oa])|e\\b|eh\\b|era\\b|nao e\\b)`,
    ].join("|"),
  );
});
/** Somebody of flesh is asked for, by whatever name. */
export const HUMAN =
  /^(?:(?:falar|conversar|tratar|fala) com|(?:me )?(?:passa|passe|transfere|transfira|coloca|conecta|liga)(?: (?:pra|para|pro|com))?|(?:me )?(?:chama|chame|chamar)|tem|cade|(?:quero|preciso)(?: de)?|de|talk to|speak to) (?:um |uma |o |a |algum |alguma |an )?(?:atendente|humano|humana|pessoa|alguem|gente|suporte|contador|contadora|dono|dona|responsavel|gerente|financeiro|empresa|voces|vcs|operador|operadora|person|human|agent|someone)(?: (?:de verdade|real|humano|humana|ai|aqui|da empresa|da loja|do suporte))*(?: (?:pra|para|que) (?:me )?(?:atender|atenda|ajudar|ajude|falar|resolver)(?: comigo)?)?$/;
/** No more messages, however it is put. */
export const STOP =
  /^(?:(?:para|pare|parem|parar) (?:de|com) (?:me )?(?:mandar|enviar|receber|escrever|mensag\w+|as mensagens)\b|nao (?:me )?(?:mand|envi|escrev)\w+ mais\b|nao (?:quero |desejo )(?:mais )?(?:receber )?(?:mais )?(?:essas )?(?:mensag\w+)|nao quero (?:mais )?receber (?:mais )?nada|(?:me )?(?:remov|tir|descadastr)\w+ (?:me |o )?(?:meu numero|meu contato|d[ae]s?s?[ae]? lista)\b|stop (?:sending|messaging|texting)\b)/;
/**
 * What somebody says at a price before they leave: "19 reais? deixa pra lá", "nossa, que caro, esquece". Nothing but the price
 * and the dismay: any other question in front ("precisa do cep? esquece") may be all that is to be forgotten.
 */
export const PUT_OFF =
  /^(?=.*(?:[?]|\b(?:car[oa]|carissim[oa]|nossa|eita|credo|vixe|caramba|expensive)\b))(?:(?:nossa|eita|credo|vixe|ixi|caramba|poxa|ah|hum|serio|tudo|isso|que|e|eh|por|sao|custa|cobra|paga|pago|muito|mt|demais|car[oa]|carissim[oa]|ta|tao|assim|r|\d+|reais|real|contos?|pila|too|so|that|much|expensive|entao)\b[ ?]+)+((?:deixa|esquece|desisto|cancela|nao quero|forget|never)\b.*)$/;
/** What a person may have none of: "não tenho e-mail", "sem cnpj". */
export const NONE_OF =
  /^(?:(?:nao|n) (?:tenho|tem|possuo|possui)|sem) (?:o |a |um |uma )?(?:email|e-mail|cnpj|cpf|complemento|cep|telefone|celular|bairro|endereco)$|^(?:nao|n) tenho numero$/;

function set(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((entry) => entry.trim()));
}

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
        "cancelar pedido,cancelar o pedido,cancela o pedido,cancelar solicitacao,cancelar a solicitacao,abortar,nao quero mais,nao quero mais nao,nao quero mais fazer,nao quero continuar,desistir do pedido,forget it,give up,never mind,cancelar esse pedido,cancela esse pedido,deixa nao quero mais,esquece nao precisa,deixa isso pra la,deixa isso,nao vou querer,nao vou querer mais,desiste,nao precisa mais,nao precisa mais nao,nao preciso mais,melhor cancelar,can you cancel it,can you cancel this,can you cancel,could you cancel it,could you cancel this,melhor desistir,melhor deixar pra la,mudei de ideia,deixa pra depois,deixa pra outra hora,fica pra depois,fica pra outra hora,desisto de fazer,cancela essa,acho melhor cancelar",
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

/** All of {@link EXACT}, by what is said; what stands in two lists is the earlier one's. */
export const COMMANDS = new Map<string, Command>();
for (const [name, forms] of EXACT)
  for (const form of forms) if (!COMMANDS.has(form)) COMMANDS.set(form, name);
