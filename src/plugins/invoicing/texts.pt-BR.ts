/** What is said about notes beside flows, in Portuguese. */
import type { AddedTexts } from "../../plugin.ts";

export const PORTUGUESE: AddedTexts = {
  say: {
    "no-email":
      "Por e-mail eu não mando, mas a nota chega por aqui com um link que você pode encaminhar pra quem quiser.",
    "not-about-notes":
      "Isso eu não sei responder: por aqui cuido só das notas. Para perguntar a uma pessoa, escreva *atendente*.",
    "note-later":
      "Não consigo agendar a nota. No dia, é só me chamar aqui que a gente faz; se for pra agora, escreva *emitir nota*.",
    "one-note": "Faço uma nota de cada vez. Vamos pela primeira; no fim, é só pedir a outra.",
    "cancel-invoice":
      "Para cancelar uma nota já emitida, preciso de uma pessoa da empresa. Já avisei.",
    "cancel-which":
      "Você quer desistir do pedido que estamos fazendo agora, ou cancelar uma nota que já saiu? Responda *desistir*, ou *cancelar a nota* com o número dela.",
    "cancel-asked":
      "{{name}} pede para *cancelar a nota {{number}}* ({{value}}, para {{taker}}).\nMotivo: {{why}}\nEla ainda vale. Depois de cancelar no sistema da prefeitura, avise o cliente; se o cancelamento por aqui estiver ligado, escreva *cancelar nota {{number}}*.",
    "cancel-told":
      "{{name}} diz que a *nota {{number}}* ({{value}}, para {{taker}}) já foi cancelada no sistema da prefeitura.\nAqui ela ainda consta como emitida. Confira e confirme no painel, ou escreva aqui *cancelei a nota {{number}}*, que eu consulto.",
    "cancel-uncertain":
      "Enviei o cancelamento da nota *{{number}}* e não veio a confirmação. *Não vou enviar de novo*; confira no sistema da prefeitura e registre no painel.",
    "note-waits": {
      by: "role",
      operator:
        "A emissão de notas está parada por enquanto. Esta nota está na fila: sai assim que voltar, e aviso aqui. Se falta saldo, recarregue e escreva *recarreguei*.",
      other:
        "A emissão de notas está parada por enquanto, do lado da empresa. A sua está na fila: sai assim que voltar, e aviso aqui. Não precisa pedir de novo.",
    },
    "note-exists": {
      by: "numbered",
      yes: "A prefeitura confirmou a nota *{{number}}*, de {{value}}, que antes tinha dado como não emitida: ela *vale*. Não precisa pedir de novo.\n{{link}}",
      other:
        "A prefeitura confirmou a nota de {{value}} que antes tinha dado como não emitida: ela *vale*. Não precisa pedir de novo.\n{{link}}",
    },
    "note-not-taken": {
      by: "role",
      operator:
        "Essa outra nota *eu não peguei*: faço uma de cada vez, e a anterior ainda espera a confirmação. Assim que ela sair, mande essa de novo. Se falta saldo, recarregue e escreva *recarreguei*.",
      other:
        "Essa outra nota *eu não peguei*: faço uma de cada vez, e a anterior ainda espera a confirmação. Assim que ela sair, mande essa de novo.",
    },
    "note-for-you":
      "Oi! {{business}} enviou a sua nota fiscal *{{number}}*, de {{value}}.\nChave: {{key}}\n{{link}}",
    "fiscal-held": {
      by: "code",
      uncertain:
        "Nota pedida por {{name}}. {{text}} {{support}} Não emita de novo; acompanhe em Notas, no painel.",
      other: "Nota pedida por {{name}}. {{text}} Não emita de novo; acompanhe em Notas, no painel.",
    },
    "town-words": "A prefeitura disse: “{{words}}”",
    "support-code": "Código para o suporte: *{{code}}*.",
    "fiscal-failed": "Nota pedida por {{name}} sem emissão confirmada. {{text}} {{support}}",
    "fiscal-rejected": "A nota pedida por {{name}} não saiu. {{text}} {{support}}",
    "fiscal-done": {
      by: "own",
      true: "Nota {{number}} emitida para {{name}}.",
      other: "Nota {{number}} emitida para {{recipient}}, a pedido de {{name}}.",
    },
    "alarm-fiscal-waiting":
      "Pedidos de nota ou de cancelamento parados há mais de uma hora, até uma pessoa decidir: {{count}}. Veja em Envios, no painel.",
    "alarm-invoice-stuck":
      "Notas em processamento há mais de uma hora, sem confirmação: {{count}}. Não emita de novo; decida em Envios, no painel.",
    "alarm-invoice-unproven":
      "Avisos sobre notas que não consegui confirmar: {{count}}. Confira em Notas, no painel.",
    "alarm-invoice-contradicted":
      "Notas que existem na prefeitura, embora tenham sido encerradas aqui: {{count}}. Confira em Notas, no painel.",
    "alarm-certificate": {
      by: "days",
      one: "O certificado de {{company}} vence amanhã. Sem um novo não dá pra emitir nota; para enviar, escreva *certificado*.",
      other:
        "O certificado de {{company}} vence em {{days}} dias. Para enviar o novo, escreva *certificado*.",
    },
    "alarm-certificate-over":
      "O certificado de {{company}} venceu: as notas vão ser recusadas até chegar um novo. Para enviar, escreva *certificado*.",
    "alarm-issuer-unkept":
      "Uma empresa foi cadastrada, mas o código dela não veio. Inclua no painel antes de emitir.",
    "report-none": "Nenhuma nota emitida.",
    "report-issued": "Emitidas: {{count}}, no total de {{cents | brl}}.",
    "report-moved":
      "O banco de dados mudou de lugar ou voltou de uma cópia: podem faltar notas nesta conta. Compare com a prefeitura.",
    "report-refused": "Não aceitas pela prefeitura: {{count}}.",
    "report-cancelled": "Canceladas: {{count}}.",
    "report-uncertain":
      "Em processamento, sem confirmação: {{count}} (a mais antiga há {{hours}} h). Não emita de novo; confira em Notas, no painel.",
    "report-processing": "Em processamento na prefeitura: {{count}}.",
    "report-waiting": "Na fila, ainda não enviadas: {{count}} (a mais antiga há {{hours}} h).",
    "report-contradicted":
      "Notas que na prefeitura terminaram de outro jeito que aqui: {{count}}. Confira em Notas, no painel.",
    "report-blocked": "Pedidos repetidos que não enviei de novo: {{count}}.",
    "report-unmatched": "Avisos de notas que não foram pedidas por aqui: {{count}}.",
  },
  bad: { note: { default: "Não entendi qual nota. Pode mandar o número dela?" } },
};
