/** Only words that say it plainly count as the authority's word that a note is cancelled. */
import { expect, test } from "vitest";
import { saysAlready, saysCancelled } from "../../../src/worker/invoices/cancel-answer.ts";

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
  ...["Documento ja cancelado anteriormente"],
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
])("%s is not", (text) => {
  expect(saysAlready(text)).toBe(false);
});
