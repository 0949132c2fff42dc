/** `issuer.list` and `issuer.show`: the account's own companies, with what the gateway says of each. Free. */
import { z } from "zod";
import { done, localDay, type LocalSpec, refused, textField } from "../../../plugin.ts";
import { cardOf, rowOf } from "./company.ts";
import { idOf, isOperator, issuerAsked, localeOf, recordOf, recordsOf } from "./issuer-access.ts";
import { invoicingOf } from "../account.ts";

/** Companies in one message; who has more reads them in the console. */
const SHOWN = 15;

const Nothing = z.object({});

/**
 * Credentials may be shared by several businesses, so only what the account itself has is told of a list. The day until which
 * a certificate is valid is the gateway's word where it has one, else ours.
 */
export const issuerList: LocalSpec<typeof Nothing> = {
  name: "issuer.list",
  class: "read",
  version: 1,
  input: Nothing,
  result: ["lines", "count", "more", "code", "text", "reason"],
  async perform(work) {
    const { context, begun, account } = work;
    if (!(await isOperator(context, account, begun.contact))) return refused("not_operator");
    const locale = await localeOf(context, account, begun.contact);
    const read = await recordsOf(work);
    if ("outcome" in read) return read;
    const now = context.clock.now();
    const { issuers } = invoicingOf(account);
    const lines = issuers.slice(0, SHOWN).map((issuer) => {
      const row = read.rows.find((one) => idOf(one) === issuer.emitente_id);
      const told = row && textField(row, "certificado_validade")?.slice(0, 10);
      const until = told && /^\d{4}-\d\d-\d\d$/.test(told) ? told : issuer.certificate_until;
      return rowOf(issuer, { until, today: localDay(now, issuer.zone) }, locale);
    });
    const count = issuers.length;
    return done({ lines: lines.join("\n\n"), count, more: Math.max(0, count - SHOWN) });
  },
};

const One = z.object({ issuer: z.string().nullish() });

export const issuerShow: LocalSpec<typeof One> = {
  name: "issuer.show",
  class: "read",
  version: 1,
  input: One,
  result: ["card", "regime", "town", "code", "text", "reason"],
  async perform(work, input) {
    const { context, begun, account } = work;
    const issuer = await issuerAsked(work, input.issuer);
    if ("outcome" in issuer) return issuer;
    const read = await recordOf(work, issuer.emitente_id);
    if ("outcome" in read) return read;
    const card = cardOf(read.record, await localeOf(context, account, begun.contact));
    return done({ card, regime: issuer.regime, town: issuer.town });
  },
};
