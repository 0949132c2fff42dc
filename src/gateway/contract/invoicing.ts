/**
 * Invoicing: one address, seven operations told apart by the body field `tipo`. The client writes `tipo`; a caller may
 * leave it out. Bearer only, billed in credits per query.
 */
import { z } from "zod";
import {
  analogy,
  assumed,
  controller,
  routeOfArea,
  shown,
  type Draft,
  type Route,
  type Variants,
} from "./route.ts";
import { Base64, WebUrl, anyRecord, isRecord, record, soft } from "./shapes.ts";
import { ServiceInvoice, serviceInvoiceExample } from "./service-invoice.ts";

const Uuid = z.guid("must be a UUID");
/** The base price of a query, in BRL; operations with a price of their own do not add it. */
export const INVOICING_BASE_PRICE_BRL = 0.5;

/** Fields of every operation: the selector, and test mode (answered from a fixed base, no credit used). */
function operation<T extends string, S extends z.ZodRawShape>(tipo: T, shape: S) {
  return z.strictObject({
    tipo: z.literal(tipo).optional(),
    homolog: z.boolean().optional(),
    ...shape,
  });
}

function invoicing<V extends Variants, R extends z.ZodType>(
  draft: Omit<Draft<V, R, null, "no">, "path"> & {
    readonly tipo: string;
    readonly price: number | null;
  },
): Route<V, R, null, "no"> {
  return routeOfArea(
    { ...draft, path: "/consulta/emissao-notas/credits" },
    {
      area: "invoicing",
      tipo: draft.tipo,
      auth: "bearer",
      version: "v1",
      group: false,
      envelope: "due",
      payload: ["data", "response.data", "response", "top"],
      billing: "credits",
      price: draft.price,
      source: `4.1 ${draft.tipo}`,
      response: {
        error: false,
        message: "Requisição realizada com sucesso",
        balance: "250,700",
        tax: (draft.price ?? INVOICING_BASE_PRICE_BRL).toFixed(3).replace(".", ","),
        api_limit_for: "credit",
        homolog: false,
        data: draft.answer,
      },
    },
  );
}

/** Issuer's company document: digits, and upper-case letters since July 2026. */
const Cnpj = z.string().regex(/^[0-9A-Z]{12}\d{2}$/, "must be 14 positions without marks");
const digits = (length: number) =>
  z.string().regex(new RegExp(`^\\d{${length}}$`), `must be ${length} digits`);

/** 1 Simples Nacional, 2 the same above its ceiling, 3 normal, 4 MEI. */
const REGIMES = "must be 1 to 4";

const issuer = {
  razao: z.string().min(1),
  nome: z.string().optional(),
  cnpj: Cnpj,
  cnae: digits(7).optional(),
  crt: z.int().min(1, REGIMES).max(4, REGIMES).optional(),
  ie: z.string().optional(),
  im: z.string().optional(),
  suframa: z.string().nullable().optional(),
  telefone: z
    .string()
    .regex(/^\d{8,15}$/, "must be 8 to 15 digits")
    .optional(),
  email: z
    .string()
    .max(254)
    .regex(/^\S+@\S+$/, "must be an e-mail address")
    .optional(),
  rua: z.string().optional(),
  numero: z.string().optional(),
  bairro: z.string().optional(),
  municipio: z.string().optional(),
  cmun: digits(7).optional(),
  uf: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be two capital letters")
    .optional(),
  cep: digits(8).optional(),
  logo: z.string().nullable().optional(),
  documentos: z.strictObject({ nfe: z.boolean(), nfce: z.boolean(), nfse: z.boolean() }).optional(),
  webhook_url: WebUrl.optional(),
};
const RegisterIssuer = operation("emitentes-cadastro", issuer);
const UpdateIssuer = operation("emitentes-atualiza", {
  ...issuer,
  razao: issuer.razao.optional(),
  cnpj: Cnpj.optional(),
  emitente_id: Uuid,
});

/** 44 positions as the interface says, or the 50 of the national standard; letters since the documents have them. */
const InvoiceKey = z
  .string()
  .regex(/^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/, "must be 44 or 50 positions");

const Text = z.union([z.string(), z.number()]);
/** An invoice as answered. Nothing of it is shown by the interface (†); names are those of comparable services. */
const IssuedInvoice = record({
  id: soft(Text),
  status: soft(z.string()),
  chave: soft(z.string()),
  numero: soft(Text),
  url: soft(z.string()),
});
export const Issuer = record({
  emitente_id: soft(z.string()),
  razao: soft(z.string()),
  nome: soft(z.string()),
  cnpj: soft(z.string()),
  webhook_url: soft(z.string()),
});
/** A list of issuers: bare, under one key, or a single issuer by itself. Anything else is unreadable. */
const Issuers = z.preprocess((value) => {
  if (!isRecord(value)) return value;
  if ("emitente_id" in value || "cnpj" in value) return [value];
  const arrays = Object.values(value).filter((entry) => Array.isArray(entry));
  return arrays.length === 1 ? arrays[0] : value;
}, z.array(Issuer));

const emitente_id = "6f1f7d3e-0000-4000-8000-000000000001";
const chave = "35261111222333000181550010000000011123456780";
const issuerExample = {
  razao: "Loja Um Serviços Ltda",
  nome: "Loja Um",
  cnpj: "11222333000181",
  cnae: "6209100",
  crt: 1,
  ie: "ISENTO",
  im: "12345678",
  suframa: null,
  telefone: "1130000000",
  email: "fiscal@loja.example",
  rua: "Avenida Paulista",
  numero: "1000",
  bairro: "Bela Vista",
  municipio: "São Paulo",
  cmun: "3550308",
  uf: "SP",
  cep: "01310100",
  logo: null,
  documentos: { nfe: false, nfce: false, nfse: true },
  webhook_url: "https://bot.example.org/webhooks/invoicing/token",
};
const invoiceExample = { status: "autorizada", chave, numero: "1" };

const REASON = "must have 15 to 255 characters";

export const invoicingRoutes = controller("invoicing", {
  /** Registers an issuer. 19.00 BRL per call: an unclear end is settled by the list, never by a repeat. */
  emitentesCadastro: invoicing({
    tipo: "emitentes-cadastro",
    class: "costly",
    price: 19,
    variants: { default: shown(RegisterIssuer, issuerExample) },
    response: anyRecord(Issuer.shape),
    answer: { ...issuerExample, emitente_id },
  }),
  /** Updates an issuer. */
  emitentesAtualiza: invoicing({
    tipo: "emitentes-atualiza",
    class: "replace",
    repeat: "harmless",
    price: null,
    variants: { default: shown(UpdateIssuer, { ...issuerExample, emitente_id }) },
    response: anyRecord(Issuer.shape),
    answer: { ...issuerExample, emitente_id },
  }),
  /** Lists issuers; `emitente` names one. Costs nothing, so it serves as the probe of the invoicing side. */
  emitentesLista: invoicing({
    tipo: "emitentes-lista",
    class: "read",
    price: 0,
    variants: {
      default: shown(operation("emitentes-lista", { emitente: Uuid.optional() }), {
        emitente: emitente_id,
      }),
    },
    response: Issuers,
    answer: [{ ...issuerExample, emitente_id }],
  }),
  /**
   * Submits a service invoice. Never sent twice by a machine: without a definite answer it may be issued. Send the same
   * frozen bytes if, and only if, the first attempt provably never left.
   */
  nfseEnvio: invoicing({
    tipo: "nfse-envio",
    class: "fiscal",
    price: 0,
    variants: {
      default: shown(operation("nfse-envio", { emitente_id: Uuid, dados: ServiceInvoice }), {
        emitente_id,
        dados: serviceInvoiceExample,
      }),
    },
    response: anyRecord(IssuedInvoice.shape),
    answer: invoiceExample,
  }),
  /** Looks an invoice up by its key. */
  nfseConsulta: invoicing({
    tipo: "nfse-consulta",
    class: "read",
    price: null,
    variants: {
      default: shown(operation("nfse-consulta", { emitente_id: Uuid, chave: InvoiceKey }), {
        emitente_id,
        chave,
      }),
    },
    response: IssuedInvoice,
    answer: invoiceExample,
  }),
  /** Uploads an issuer's certificate and its password. Neither is ever logged, told or kept by the client. */
  certificadoUpload: invoicing({
    tipo: "certificado-upload",
    class: "replace",
    repeat: "harmless",
    price: null,
    variants: {
      default: shown(
        operation("certificado-upload", {
          dados: z.strictObject({
            emitente_id: Uuid,
            senha: z.string().min(1),
            certificado: Base64,
          }),
        }),
        { dados: { emitente_id, senha: "exemplo-de-senha", certificado: "MIIKFAIBAzCC" } },
      ),
    },
    response: anyRecord({ validade: soft(z.string()) }),
    answer: { emitente_id, validade: "2027-11-20" },
  }),
  /** Cancels an invoice (†: selector and body are not shown; a profile names the deployment's `tipo`). */
  cancelamento: invoicing({
    tipo: "nfse-cancelamento",
    class: "fiscal",
    price: null,
    variants: {
      default: assumed(
        z.looseObject({
          tipo: z.string().optional(),
          homolog: z.boolean().optional(),
          emitente_id: Uuid,
          chave: InvoiceKey,
          /** Reason code of the national event: 1 issued in error, 2 service not rendered, 9 other. */
          codigo_motivo: z.enum(["1", "2", "9"]).optional(),
          motivo: z.string().min(15, REASON).max(255, REASON),
        }),
        { emitente_id, chave, codigo_motivo: "1", motivo: "Emitida com o valor errado" },
        analogy(
          "Key and reason follow the cancellation event of the national standard (codes 1, 2, 9; 15 to 255 characters).",
          "cancelTipo",
        ),
      ),
    },
    response: anyRecord(IssuedInvoice.shape),
    answer: { ...invoiceExample, status: "cancelada" },
  }),
});

/** Of what is billed in credits the route that costs nothing: it shows whether the others would be answered. */
export const FREE_IN_CREDITS = "invoicing.emitentesLista";
