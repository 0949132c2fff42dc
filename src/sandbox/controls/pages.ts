/** What the sandbox serves besides answers: pictures, status posts, samples to send by URL, invoices as pages, the live feed. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { escapeXml } from "../../base/index.ts";
import { refuse } from "../http/request-body.ts";
import { rowOf } from "../messages/messages.ts";
import type { World } from "../world/world.ts";
import { formatBrl, formatDocument } from "../../brazil/index.ts";
import { objectAt, textAt, type StoredFile } from "../http/bounded.ts";
import { centsOf } from "../invoicing/invoice-rules.ts";
import type { Invoice } from "../invoicing/invoices.ts";
import type { Issuer } from "../invoicing/issuers.ts";

/** Virtual milliseconds that a status post stays visible. */
const POST_MS = 86_400_000;

/** A browser that opens one of these must not run it. */
const SAFE_HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Small files of each sort, by extension: what examples and demos send by URL when they have nothing else. */
const SAMPLES: Readonly<Record<string, StoredFile>> = {
  png: {
    mimetype: "image/png",
    base64:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  },
  ogg: {
    mimetype: "audio/ogg; codecs=opus",
    base64: "T2dnUwACAAAAAAAAAAAAAAAAAAAAAAAAAAABE09wdXNIZWFkAQE4AYC7AAAAAAA=",
  },
  webp: {
    mimetype: "image/webp",
    base64: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  },
  xlsx: {
    mimetype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    base64: "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
  },
  pdf: {
    mimetype: "application/pdf",
    base64: Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64"),
  },
};

export function addPages(app: FastifyInstance, world: () => World): void {
  app.get("/sandbox/events", (_request, reply) => {
    reply.hijack();
    if (!world().feed.add(reply.raw)) {
      reply.raw.writeHead(503, { "retry-after": "5" });
      reply.raw.end();
    }
  });
  app.get<{ Params: { chave: string } }>("/sandbox/danfse/:chave", (request, reply) => {
    const now = world();
    const invoice = now.invoices.ofKey(request.params.chave.toUpperCase());
    const issuer = invoice && now.issuers.any(invoice.emitente_id);
    if (!invoice || !issuer) return refuse(reply, 404, "There is no such invoice.");
    return reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
      .send(danfse(invoice, issuer));
  });
  app.get<{ Params: { id: string } }>("/sandbox/pictures/:id", (request, reply) => {
    const picture = world().pictures.find(request.params.id);
    if (!picture) return refuse(reply, 404, "There is no such picture.");
    return sendFile(reply, picture);
  });
  app.get<{ Params: { name: string } }>("/sandbox/files/:name", (request, reply) => {
    const extension = request.params.name.split(".").at(-1) ?? "";
    const sample = Object.hasOwn(SAMPLES, extension) ? SAMPLES[extension] : undefined;
    if (!sample) return refuse(reply, 404, `Samples are ${Object.keys(SAMPLES).join(", ")}.`);
    return sendFile(reply, sample);
  });
  app.get<{ Querystring: { viewer?: string } }>("/sandbox/status", (request) => {
    const { messages, clock, book } = world();
    const { viewer } = request.query;
    const person = viewer === undefined ? undefined : book.personOf(viewer.trim());
    return messages
      .posts(clock.now() - POST_MS)
      .filter((post) => person === undefined || post.audience?.has(person) === true)
      .map((post) => ({
        ...rowOf(post),
        device: post.device,
        viewers: [...(post.audience ?? [])],
      }));
  });
}

function sendFile(reply: FastifyReply, { mimetype, base64 }: StoredFile): FastifyReply {
  return reply
    .headers({ ...SAFE_HEADERS, "content-type": mimetype })
    .send(Buffer.from(base64, "base64"));
}

/** The page behind an invoice's link: what a person would look at to believe that the note exists. */
function danfse(invoice: Invoice, issuer: Issuer): string {
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
    .map(([name, value]) => `<tr><th>${escapeXml(name)}</th><td>${escapeXml(value)}</td></tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>NFS-e ${escapeXml(invoice.numero ?? "")} (sandbox)</title>
<style>body{font:16px system-ui;margin:2rem auto;max-width:44rem;padding:0 1rem}th{text-align:left;padding-right:1rem;vertical-align:top}td{overflow-wrap:anywhere}</style>
<h1>NFS-e ${escapeXml(invoice.numero ?? "")}</h1>
<p>Documento de teste, sem valor fiscal.</p>
<table>
${table}
</table>
</html>
`;
}
