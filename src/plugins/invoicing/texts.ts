/** What is said about notes beside flows, in both languages. */
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

export const ENGLISH: AddedTexts = {
  say: {
    "no-email":
      "I do not send e-mail, but the invoice comes here with a link that you can forward to whoever you like.",
    "not-about-notes":
      "I cannot answer that: I only take care of invoices here. To ask a person, write *agent*.",
    "note-later":
      "I cannot put an invoice off for another day. Just write to me then; to make it now, write *new invoice*.",
    "one-note":
      "I make one invoice at a time. Let us begin with the first; at the end, just ask for the other.",
    "cancel-invoice": "Cancelling an issued note takes a person of the business. I have told them.",
    "cancel-which":
      "Do you want to give up the request we are making now, or cancel an invoice that is already out? Answer *give up*, or *cancel invoice* with its number.",
    "cancel-asked":
      "{{name}} asks to *cancel invoice {{number}}* ({{value}}, for {{taker}}).\nReason: {{why}}\nIt still counts. Once it is cancelled in the town's system, tell the customer; if cancelling from here is set up, write *cancel invoice {{number}}*.",
    "cancel-told":
      "{{name}} says that *invoice {{number}}* ({{value}}, for {{taker}}) was cancelled in the town's system.\nHere it still stands as issued. Please check and confirm it in the console, or write *I cancelled invoice {{number}}* here, and I will look it up.",
    "cancel-uncertain":
      "I sent the cancellation of invoice *{{number}}* and got no confirmation. *I will not send it again*; please check in the town's system and record it in the console.",
    "note-waits": {
      by: "role",
      operator:
        "Issuing is stopped for now. This invoice waits in line: it goes out as soon as that is over, and I will tell you here. If the balance is used up, top it up and write *topped up*.",
      other:
        "Issuing is stopped for now, on the business's side. Your invoice waits in line: it goes out as soon as that is over, and I will tell you here. No need to ask again.",
    },
    "note-exists": {
      by: "numbered",
      yes: "The tax authority confirmed invoice *{{number}}* of {{value}}, which it had called not issued before: it *stands*. There is no need to ask again.\n{{link}}",
      other:
        "The tax authority confirmed the invoice of {{value}} that it had called not issued before: it *stands*. There is no need to ask again.\n{{link}}",
    },
    "note-not-taken": {
      by: "role",
      operator:
        "*I did not take* that other invoice: I make one at a time, and the one before it is not confirmed yet. Once it is out, send that one again. If the balance is used up, top it up and write *topped up*.",
      other:
        "*I did not take* that other invoice: I make one at a time, and the one before it is not confirmed yet. Once it is out, send that one again.",
    },
    "note-for-you":
      "Hello! {{business}} has sent you your invoice *{{number}}*, of {{value}}.\nKey: {{key}}\n{{link}}",
    "fiscal-held": {
      by: "code",
      uncertain:
        "Note asked for by {{name}}. {{text}} {{support}} Do not issue it again; follow it under Notes in the console.",
      other:
        "Note asked for by {{name}}. {{text}} Do not issue it again; follow it under Notes in the console.",
    },
    "town-words": "The town said: “{{words}}”",
    "support-code": "Code for support: *{{code}}*.",
    "fiscal-failed": "Note asked for by {{name}} without a confirmed issue. {{text}} {{support}}",
    "fiscal-rejected": "The note asked for by {{name}} was not issued. {{text}} {{support}}",
    "fiscal-done": {
      by: "own",
      true: "Note {{number}} issued for {{name}}.",
      other: "Note {{number}} issued for {{recipient}}, as {{name}} asked.",
    },
    "alarm-fiscal-waiting":
      "Requests to issue or cancel an invoice that have waited for more than an hour until a person decides: {{count}}. See Sends in the console.",
    "alarm-invoice-stuck":
      "Invoices being processed for more than an hour, without confirmation: {{count}}. Do not issue them again; decide under Sends in the console.",
    "alarm-invoice-unproven":
      "Notices about invoices that I could not confirm: {{count}}. See Invoices in the console.",
    "alarm-invoice-contradicted":
      "Invoices that exist at the tax authority although they were closed here: {{count}}. See Invoices in the console.",
    "alarm-certificate": {
      by: "days",
      one: "The certificate of {{company}} ends tomorrow. Without a new one no invoice can be issued; to send it, write *certificate*.",
      other:
        "The certificate of {{company}} ends in {{days}} days. To send the new one, write *certificate*.",
    },
    "alarm-certificate-over":
      "The certificate of {{company}} is over: invoices will be refused until there is a new one. To send it, write *certificate*.",
    "alarm-issuer-unkept":
      "A company was registered, but its id did not come. Add it in the console before you issue.",
    "report-none": "No invoice issued.",
    "report-issued": "Issued: {{count}}, {{cents | brl}} in all.",
    "report-moved":
      "The database moved or came back from a copy: invoices may be missing here. Compare with the tax authority.",
    "report-refused": "Not accepted by the town: {{count}}.",
    "report-cancelled": "Cancelled: {{count}}.",
    "report-uncertain":
      "Being processed, without confirmation: {{count}} (the oldest for {{hours}} h). Do not issue them again; see Invoices in the console.",
    "report-processing": "Being processed by the town: {{count}}.",
    "report-waiting": "In the queue, not sent yet: {{count}} (the oldest for {{hours}} h).",
    "report-contradicted":
      "Invoices that ended otherwise at the tax authority than here: {{count}}. See Invoices in the console.",
    "report-blocked": "Repeated requests that were not sent again: {{count}}.",
    "report-unmatched": "Notices of invoices nobody asked for here: {{count}}.",
  },
  bad: { note: { default: "I did not get which invoice. Could you send its number?" } },
};
