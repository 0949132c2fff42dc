/** The page behind an invoice's link: what a person would look at to believe that the note exists. */
import { formatBrl, formatDocument } from "../../brazil/index.ts";
import { objectAt, textAt } from "../http/bounded.ts";
import { centsOf } from "./invoice-rules.ts";
import type { Invoice } from "./invoices.ts";
import type { Issuer } from "./issuers.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? "");
}

export function danfse(invoice: Invoice, issuer: Issuer): string {
  const taker = objectAt(invoice.dados, "tomador");
  const service = objectAt(invoice.dados, "servico");
  const document = textAt(taker, "cpf") ?? textAt(taker, "cnpj") ?? "";
  const rows: readonly (readonly [string, string])[] = [
    ["Número", invoice.numero ?? ""],
    ["Situação", invoice.status],
    ["Chave de acesso", invoice.chave ?? ""],
    ["Código de verificação", invoice.codigo_verificacao ?? ""],
    ["Emissão", textAt(invoice.dados, "data_emissao") ?? ""],
    ["Competência", textAt(invoice.dados, "data_competencia") ?? ""],
    [
      "Prestador",
      `${textAt(issuer.fields, "razao") ?? ""} · ${formatDocument(textAt(issuer.fields, "cnpj") ?? "")}`,
    ],
    ["Tomador", `${textAt(taker, "razao_social") ?? ""} · ${formatDocument(document)}`],
    ["Serviço", textAt(service, "discriminacao") ?? ""],
    ["Valor", formatBrl(centsOf(service["valor_servicos"]) ?? 0)],
  ];
  const table = rows
    .map(([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(value)}</td></tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>NFS-e ${escape(invoice.numero ?? "")} (sandbox)</title>
<style>body{font:16px system-ui;margin:2rem auto;max-width:44rem;padding:0 1rem}th{text-align:left;padding-right:1rem;vertical-align:top}td{overflow-wrap:anywhere}</style>
<h1>NFS-e ${escape(invoice.numero ?? "")}</h1>
<p>Documento de teste, sem valor fiscal.</p>
<table>
${table}
</table>
</html>
`;
}
