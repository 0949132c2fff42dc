/** What makes two requests for a note the same sale, however they are made. */
import { z } from "zod";
import type { Account, JsonObject } from "../../../plugin.ts";
import type { Issuer } from "../fiscal/index.ts";
import { itemsOf, type IssueInput } from "./issue-input.ts";
import { invoicingOf } from "../account.ts";

/**
 * The sale's key. The business's own id of a sale names it whatever else is said: another sale has an id of its own. Without one a
 * person's "again" makes it a sale of its own, as does an account without a window for similar notes; the effect's id then keeps
 * it from being issued twice all the same.
 */
export function businessKey(
  input: IssueInput,
  issuer: Issuer,
  options: { effect: string; similarHours: number },
): string {
  if (input.sale) return JSON.stringify(["sale", issuer.cnpj, input.sale]);
  const own = input.again === true || options.similarHours === 0;
  const { document, competence } = input;
  const items = itemsOf(input);
  const note = { cnpj: issuer.cnpj, document, competence, items };
  return noteKey(note, own ? options.effect : undefined);
}

function noteKey(
  note: {
    readonly cnpj: string;
    readonly document: string;
    readonly competence: string;
    readonly items: readonly { readonly service: string; readonly value: number }[];
  },
  effect: string | undefined,
): string {
  const { cnpj, document, competence, items } = note;
  const value = items.reduce((sum, one) => sum + one.value, 0);
  // In whatever order they were told.
  const several = items.map((one) => `${one.service}=${one.value}`).sort();
  const what = items.length === 1 ? items[0]?.service : several.join("+");
  const sale = ["note", cnpj, document, value, competence.slice(0, 7), what];
  return JSON.stringify(effect === undefined ? sale : [...sale, effect]);
}

const RawItem = z.object({
  codigo: z.string().catch(""),
  codigo_interno: z.string().catch(""),
  valor_servicos: z.number().catch(0),
});

/** What of a body of `nfse-envio` names the sale; a missing part reads as empty. */
const RawNote = z.object({
  emitente_id: z.string().catch(""),
  dados: z
    .object({
      data_competencia: z.string().catch(""),
      tomador: z.object({ cpf: z.string().optional(), cnpj: z.string().optional() }).catch({}),
      servico: z.object({
        codigo: z.string().catch(""),
        codigo_interno: z.string().catch(""),
        valor_servicos: z.number().catch(0),
        itens: z.array(RawItem).catch([]),
      }),
    })
    .catch({
      data_competencia: "",
      tomador: {},
      servico: { codigo: "", codigo_interno: "", valor_servicos: 0, itens: [] },
    }),
});

/** Cents and business key of a note that a flow wrote itself: the key is the one `invoice.issue` gives the same sale. */
export function rawNote(
  body: JsonObject,
  account: Account,
  options: { effect: string; similarHours: number },
): { readonly cents: number; readonly key: string } {
  const { issuers, services } = invoicingOf(account);
  const { emitente_id, dados } = RawNote.parse(body);
  const { tomador, servico, data_competencia: competence } = dados;
  // One item is the note itself, told twice.
  const items = (servico.itens.length > 1 ? servico.itens : [servico]).map((item) => {
    const { codigo, codigo_interno, valor_servicos } = item;
    const known = services.find(
      (one) => one.codigo === codigo && one.codigo_interno === codigo_interno,
    );
    return { service: known?.id ?? codigo, value: Math.round(valor_servicos * 100) };
  });
  const key = noteKey(
    {
      cnpj: issuers.find((one) => one.emitente_id === emitente_id)?.cnpj ?? emitente_id,
      document: (tomador.cpf ?? tomador.cnpj ?? "").toUpperCase(),
      ...{ competence, items },
    },
    options.similarHours === 0 ? options.effect : undefined,
  );
  return { cents: Math.round(servico.valor_servicos * 100), key };
}
