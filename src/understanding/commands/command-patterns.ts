/** Shapes of what people say to steer the conversation: whole messages, folded, without marks. */
import { orOneOf, perBusiness } from "../business.ts";

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
