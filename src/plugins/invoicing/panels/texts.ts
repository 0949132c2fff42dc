/** Words of the invoice panels in both languages, under the same keys. `{name}` stands for a value. */
export const PORTUGUESE = {
  "invoices.title": "Notas",
  "chat.empty.operator":
    "Este é o telefone de quem aprova as notas. Os pedidos dos clientes chegam aqui.",
  "chat.suggest.invoice": "preciso da nota",
  "invoices.none.title": "Nenhuma nota ainda",
  "invoices.none.body": "As notas emitidas no sandbox aparecem aqui com número, valor e chave.",
  "invoices.number": "Nota {number}",
  "invoices.unnumbered": "Sem número",
  "invoices.key": "Chave",
  "invoices.total": "{count} no total",
  "status.autorizada": "autorizada",
  "status.processando": "processando",
  "status.rejeitada": "rejeitada",
  "status.cancelada": "cancelada",
  "status.pendente": "na fila",
  "status.enviando": "enviando",
  "status.incerta": "sem confirmação",
  "sends.none.body":
    "Uma nota sem fim ou um envio sem resposta certa espera aqui até alguém decidir.",
  "sends.note": "Nota de {value} · {name}",
  "sends.key": "Chave de acesso da nota",
  "sends.key.missing": "A chave tem 50 (ou 44) letras e números. Copie-a do sistema da prefeitura.",
  "sends.unrecorded":
    "Um pedido de nota sem registro próprio: não há com o que conferir uma chave. Confira no sistema da prefeitura antes de decidir.",
  "sends.state.pendente":
    "O gateway não leu o pedido (429): a nota não foi enviada. Conforme a conta, sai sozinha quando a pausa acaba.",
  "sends.state.enviando": "A nota está sendo enviada há tempo demais.",
  "sends.state.processando": "A prefeitura recebeu a nota e ainda não decidiu.",
  "sends.state.autorizada":
    "A nota foi emitida e a chave não veio junto: consulte a nota e registre a chave aqui.",
  "sends.state.incerta":
    "A nota foi enviada e a resposta se perdeu: ela pode existir. Confira no sistema da prefeitura antes de decidir.",
  "sends.what.invoice.issue": "Emissão de nota",
  "sends.what.invoice.cancel": "Cancelamento de nota",
  "sends.what.issuer.register": "Cadastro de empresa emissora",
  "sends.why.duplicate_hint": "A prefeitura diz que já pode haver uma igual: confira lá.",
  "sends.why.record_missing": "O registro da nota não foi encontrado.",
  "sends.why.processando": "A prefeitura ainda não decidiu.",
  "sends.do.issued": "A nota existe",
  "sends.do.not_issued": "Não existe: enviar outra vez",
  "sends.do.abandon": "Desistir da nota",
  "sends.sure.issued": "Conferir a chave e encerrar",
  "sends.sure.not_issued": "Enviar a nota agora",
  "sends.sure.abandon": "Encerrar sem nota",
  "sends.hint.retry.invoice.issue": "Nada tinha saído ainda: a nota será emitida agora.",
  "sends.hint.retry.invoice.cancel":
    "O gateway recusou sem ler: o cancelamento será enviado agora à prefeitura.",
  "sends.hint.discard.invoice.cancel":
    "A nota fica com o cancelamento sem confirmação, e ele pode ser pedido de novo. Nada é enviado.",
  "sends.hint.issued":
    "A chave é conferida numa consulta, que é cobrada, e a conversa recebe a nota.",
  "sends.hint.not_issued": "A nota será enviada outra vez. Só faça isso se a prefeitura não a tem.",
  "sends.hint.abandon":
    "A nota não será enviada e fica sem confirmação. Se a prefeitura a tem, ela continua valendo lá.",
  "problem.gone":
    "Quem pediu esta nota apagou seus dados, então ela não pode ser enviada de novo: desista dela. A mesma venda pode ser emitida outra vez um dia depois; a que tem código próprio, ou antes disso, quando alguém registrar que a nota não existe (prosa invoices resolve ID --decision not_issued).",
  "problem.under-way": "O pedido desta nota ainda está a caminho: consulte-a quando ele voltar.",
  "problem.answered":
    "O emissor disse que esta nota foi emitida, e só a chave se perdeu: procure-a lá e diga que ela existe, com a chave. Ela não é enviada outra vez.",
  "problem.key-missing": "Para dizer que a nota existe é preciso a chave de acesso.",
  "problem.key-mismatch": "Essa chave não é deste emissor, deste mês ou está incompleta.",
  "problem.key-unknown": "A prefeitura não conhece nota com essa chave; confira de novo.",
  "problem.key-other": "Essa chave é de outra nota: o valor ou o nome não é o desta.",
  "problem.key-refused":
    "A prefeitura recusou a nota dessa chave, então ela não prova nada. A nota continua aberta: use a chave da que foi emitida, ou diga que não existe.",
  "problem.key-cancelled":
    "A nota dessa chave foi emitida e depois cancelada. A nota continua aberta: desista dela, ou diga que não existe.",
  "problem.key-processing":
    "A prefeitura ainda processa a nota dessa chave; veja de novo mais tarde.",
  "problem.lookup-failed": "Ninguém respondeu sobre essa chave e nada mudou. Tente mais tarde.",
  "fault.lost": "Resposta da emissão se perde",
  "fault.lost.hint": "a nota sai, o bot não fica sabendo",
  "fault.reject": "Emissão recusada",
  "fault.reject.hint": "erro de negócio na próxima nota",
  "fault.balance": "Sem saldo para emitir",
  "fault.balance.hint": "402 na próxima nota",
  "reset.hint": "Apaga mensagens, notas e falhas do sandbox. As sessões do bot continuam.",
} as const;

export const ENGLISH: Readonly<Record<keyof typeof PORTUGUESE, string>> = {
  "invoices.title": "Invoices",
  "chat.empty.operator":
    "This is the phone of the person who approves invoices. Customers' requests arrive here.",
  "chat.suggest.invoice": "preciso da nota",
  "invoices.none.title": "No invoice yet",
  "invoices.none.body": "Invoices issued in the sandbox show here with number, value and key.",
  "invoices.number": "Invoice {number}",
  "invoices.unnumbered": "No number",
  "invoices.key": "Key",
  "invoices.total": "{count} in all",
  "status.autorizada": "authorised",
  "status.processando": "processing",
  "status.rejeitada": "rejected",
  "status.cancelada": "cancelled",
  "status.pendente": "queued",
  "status.enviando": "being sent",
  "status.incerta": "unconfirmed",
  "sends.none.body":
    "An invoice without an end, or a send without a clear answer, waits here until a person decides.",
  "sends.note": "Invoice of {value} · {name}",
  "sends.key": "Access key of the invoice",
  "sends.key.missing": "The key has 50 (or 44) letters and digits. Copy it from the town's system.",
  "sends.unrecorded":
    "A request for an invoice without a record of its own: no key can be checked against it. Check the town's system before you decide.",
  "sends.state.pendente":
    "The gateway did not read the request (429): the invoice was not sent. As the account is set, it leaves by itself once the pause is over.",
  "sends.state.enviando": "The invoice has been on its way for too long.",
  "sends.state.processando": "The town took the invoice and has not decided yet.",
  "sends.state.autorizada":
    "The invoice was issued and its key did not come along: look it up and write it down here.",
  "sends.state.incerta":
    "The invoice was sent and the answer was lost: it may exist. Check the town's system before you decide.",
  "sends.what.invoice.issue": "Issuing an invoice",
  "sends.what.invoice.cancel": "Cancelling an invoice",
  "sends.what.issuer.register": "Registering an issuing company",
  "sends.why.duplicate_hint": "The town says that there may be one already: please check there.",
  "sends.why.record_missing": "The invoice's record was not found.",
  "sends.why.processando": "The town has not decided yet.",
  "sends.do.issued": "The invoice exists",
  "sends.do.not_issued": "There is none: send again",
  "sends.do.abandon": "Give the invoice up",
  "sends.sure.issued": "Check the key and close",
  "sends.sure.not_issued": "Send the invoice now",
  "sends.sure.abandon": "Close without an invoice",
  "sends.hint.retry.invoice.issue": "Nothing had left yet: the invoice will be issued now.",
  "sends.hint.retry.invoice.cancel":
    "The gateway turned it away unread: the cancellation will be sent to the town now.",
  "sends.hint.discard.invoice.cancel":
    "The invoice shows that its cancellation was not confirmed, and cancelling it can be asked for again. Nothing is sent.",
  "sends.hint.issued":
    "The key is checked with a lookup, which is charged, and the conversation gets the invoice.",
  "sends.hint.not_issued":
    "The invoice will be sent again. Only do this if the town does not have it.",
  "sends.hint.abandon":
    "The invoice will not be sent and stays without confirmation. If the town has it, it remains valid there.",
  "problem.gone":
    "Whoever asked for this invoice is erased, so it cannot be sent again: give it up. Its sale may be issued anew a day later; one with an id of its own, or sooner, once somebody records that the invoice does not exist (prosa invoices resolve ID --decision not_issued).",
  "problem.under-way":
    "The request of this invoice is still on its way: look it up once it is back.",
  "problem.answered":
    "The gateway said that this invoice was issued, and only its key was lost: look it up there and say that it exists, with its key. It is not sent again.",
  "problem.key-missing": "To say that the invoice exists its access key is needed.",
  "problem.key-mismatch": "That key is not of this issuer or this month, or it is not whole.",
  "problem.key-unknown": "The town knows no invoice of that key; look at it again.",
  "problem.key-other": "That key is of another invoice: its value or its name is not this one's.",
  "problem.key-refused":
    "The town refused the invoice of that key, so it proves nothing. This one stays open: give the key of the one that was issued, or say that there is none.",
  "problem.key-cancelled":
    "The invoice of that key was issued and cancelled since. This one stays open: give it up, or say that there is none.",
  "problem.key-processing": "The town still works on the invoice of that key; look again later.",
  "problem.lookup-failed": "Nobody answered about that key and nothing changed. Try again later.",
  "fault.lost": "Answer of the issue is lost",
  "fault.lost.hint": "the invoice is issued, the bot is not told",
  "fault.reject": "Issue refused",
  "fault.reject.hint": "business error for the next invoice",
  "fault.balance": "No balance to issue",
  "fault.balance.hint": "402 for the next invoice",
  "reset.hint": "Drops the sandbox's messages, invoices and faults. The bot's sessions stay.",
};
