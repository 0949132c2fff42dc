/** What people say to steer the conversation, word for word; folded, without marks. */
import type { Command } from "../business.ts";

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
