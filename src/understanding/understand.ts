/** One door to every kind. Pure: the same text, time and zone always give the same answer. */
import { cep } from "./cep.ts";
import { city } from "./city.ts";
import { command } from "./command.ts";
import { date } from "./date.ts";
import { cnpj, cpf, document } from "./document.ts";
import { email } from "./email.ts";
import { money } from "./money.ts";
import { month } from "./month.ts";
import { phone } from "./phone.ts";
import { uf } from "./uf.ts";
import type { TextContext, Kind, Understood } from "./understood.ts";
import { yesno } from "./yesno.ts";

const READERS: { readonly [K in Kind]: (text: string, context: TextContext) => Understood<K> } = {
  money,
  date,
  month,
  yesno,
  cpf,
  cnpj,
  document,
  cep,
  phone,
  email,
  uf,
  city,
  command,
};

export const KINDS = Object.keys(READERS) as readonly Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(READERS, text);
}

/**
 * What `text` means as an answer of one kind. `now` in epoch ms, `zone` an IANA name. Never throws on any text; texts over
 * 2,000 letters are `absent` with hint `too-long`, unread. See {@link Understood} for the shape.
 */
export function understand<K extends Kind>(
  kind: K,
  text: string,
  context: TextContext,
): Understood<K> {
  const reader = READERS[kind] as (text: string, context: TextContext) => Understood<K>;
  return reader(text, context);
}
