/** Words of the invoice panels in Portuguese. `{name}` stands for a value. English has the same keys. */
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

export type TextKey = keyof typeof PORTUGUESE;
