/** One door to every kind. Pure: the same text, time and zone always give the same answer. */
import { cep } from "./places/address.ts";
import { city, uf } from "./places/city.ts";
import { command } from "./commands/command.ts";
import { date } from "./dates/date.ts";
import { datetime } from "./moments/datetime.ts";
import { day } from "./moments/day.ts";
import { period } from "./moments/period.ts";
import { time } from "./moments/time.ts";
import { cnpj, cpf, document } from "./people/document.ts";
import { email } from "./people/email.ts";
import { money } from "./money/money.ts";
import { month } from "./dates/month.ts";
import { phone } from "./people/phone.ts";
import type { TextContext, Kind, Understood } from "./understood.ts";
import { yesno } from "./choices/yesno.ts";

const READERS: { readonly [K in Kind]: (text: string, context: TextContext) => Understood<K> } = {
  money,
  date: (text, context) =>
    context.within ? day(text, context, context.within) : date(text, context),
  time,
  datetime,
  period,
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
