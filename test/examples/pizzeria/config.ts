import { defineBot, defineKind, z } from "prosa";
import { COUPONS } from "./prices.ts";

/** A coupon that counts. Raise the version when others count. */
const coupon = defineKind("coupon", {
  version: 1,
  schema: () => z.string(),
  read: (text) => {
    const code = text.trim().toUpperCase();
    return code in COUPONS
      ? { ok: true, value: code, echo: code }
      : { ok: false, reason: "unknown" };
  },
});

export default defineBot({
  languages: ["pt-BR", "en"],
  kinds: [coupon],
  texts: {
    "pt-BR": {
      bad: { coupon: { default: "Esse cupom não vale. Pode conferir, ou escrever *pular*?" } },
    },
    en: {
      bad: { coupon: { default: "That coupon does not count. Could you check, or write *skip*?" } },
    },
  },
});
