/** Only words that say it plainly count as the authority's word that a note is cancelled. */
import { expect, test } from "vitest";
import {
  saysAlready,
  saysCancelled,
  saysReplaced,
} from "../../../../src/plugins/invoicing/note/invoice-answer.ts";

test.each(["cancelada", "CANCELADO", "Nota cancelada", "canceled", "cancelamento_homologado"])(
  "%s is a cancellation",
  (status) => {
    expect(saysCancelled({ status })).toBe(true);
    expect(saysCancelled({ situacao: status })).toBe(true);
  },
);

test.each([
  ...["autorizada", "cancelamento_solicitado", "cancelamento rejeitado", "cancelamento_pendente"],
  ...[
    "não cancelada",
    "cancelamento em processamento",
    "cancelamento indeferido",
    "a ser cancelada",
  ],
  ...["cancelamento", "", "cancelada: erro"],
  // What was cancelled is the request, or another note of the same sale stands in its place.
  ...["operação cancelada", "Requisição cancelada", "request_cancelled", "transaction canceled"],
  ...["cancelada por substituição", "CANCELADO_SUBSTITUIDO"],
  ...["cancelamento registrado para análise fiscal", "cancelamento aceito, em análise"],
  ...["cancelamento registrado, sujeito a homologação"],
])("%s is none", (status) => {
  expect(saysCancelled({ status })).toBe(false);
});

test("no status is none", () => {
  for (const answer of [null, {}, "cancelada", ["cancelada"]])
    expect(saysCancelled(answer)).toBe(false);
});

test.each([
  ...[
    "E0840 - Nota já cancelada.",
    "A NFS-e já se encontra cancelada",
    "Esta nota já foi cancelada",
  ],
  ...["Documento ja cancelado anteriormente", "Pedido recusado: a nota já está cancelada"],
])("%s is said of a note that stands no more", (text) => {
  expect(saysAlready(text)).toBe(true);
});

test.each([
  ...["A nota já não pode ser cancelada.", "O prazo já terminou. A nota não foi cancelada"],
  ...[
    "Já expirou o prazo: cancelada não será",
    "Já há pedido de nota cancelada",
    "Nota não cancelada",
  ],
  // The request was, not the note.
  ...["O pedido de cancelamento já foi cancelado", "Solicitação já cancelada."],
  ...["A requisição de cancelamento já está cancelada"],
])("%s is not", (text) => {
  expect(saysAlready(text)).toBe(false);
});

test("a note that another one replaced is told from one that is only cancelled", () => {
  for (const text of [
    "NFS-e já cancelada por substituição",
    "A nota já foi cancelada e substituída",
  ]) {
    expect(saysAlready(text)).toBe(true);
    expect(saysReplaced(text)).toBe(true);
  }
  expect(saysReplaced("E0840 - Nota já cancelada.")).toBe(false);
});
