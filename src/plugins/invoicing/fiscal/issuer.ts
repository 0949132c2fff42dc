/**
 * What an account settles once and nobody is asked in a chat: who issues, and which services with all their tax codes.
 */
import { z } from "zod";
import { Address, isCnpj, isDay, isZone, townByCode, Uf } from "../../../plugin.ts";

/** Upper bounds of the fiscal layouts (ABRASF 2.04 and national 1.01), the stricter of the two. */
export const NAME_LIMIT = 150;
const CODE_LIMIT = 20;

/**
 * Tax regime, as the issuer's `crt`: 1 `simples`, 2 `simples_excesso` (Simples above the sub-limit), 3 `normal`, 4 `mei`.
 */
export const Regime = z.enum(["simples", "simples_excesso", "normal", "mei"]);
export type Regime = z.output<typeof Regime>;

/**
 * Whether notes go to the national issuer. MEI must since 2023-09-01 (CGSN 169/2022), everybody else of Simples since 2026-11-01
 * (CGSN 191/2026), above the sub-limit, too: who is above it has not left Simples. Of other regimes each town decides (LC
 * 214/2025, art. 62, lets towns keep their own issuer), so only the business knows: `said`.
 */
export function isNational(regime: Regime, said: boolean): boolean {
  return regime === "normal" ? said : true;
}

export const Issuer = z
  .object({
    /** The gateway's id of the issuer. */
    emitente_id: z.uuid(),
    /** Normal form; letters allowed. */
    cnpj: z.string().refine(isCnpj, "not a CNPJ in normal form"),
    razao: z.string().min(1).max(NAME_LIMIT),
    /** IBGE code, 7 digits. */
    town: z.string().refine((code) => townByCode(code) !== null, "not a town of the IBGE table"),
    uf: Uf,
    regime: Regime,
    /** 1 taxed in the town … 6 suspended; some towns have lists of their own, so it stays text. */
    natureza_operacao: z.string().min(1).max(4).default("1"),
    /** Simples only: 1 all by Simples, 2 ISS outside, 3 all outside. */
    regime_apuracao: z.enum(["1", "2", "3"]).optional(),
    /** Whether notes go to the national issuer: {@link isNational} says for whom it is the rule. */
    nacional: z.boolean().default(true),
    /** Simples only: approximate total tax, percent, 0–99.99 with at most two decimals. */
    percentual_simples: z
      .number()
      .min(0)
      .max(99.99)
      .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, "two decimals")
      .optional(),
    default: z.boolean().default(false),
    /** IANA zone of the issuer's days and emission times; its town's unless it is given. */
    zone: z.string().refine(isZone, "not an IANA zone").optional(),
    /** Last day of the certificate that was uploaded last, `YYYY-MM-DD`; absent where it was uploaded elsewhere. */
    certificate_until: z.string().refine(isDay, "not a day").optional(),
  })
  .refine((issuer) => townByCode(issuer.town)?.uf === issuer.uf, {
    message: "the town is in another UF",
    path: ["uf"],
  })
  .transform(({ zone, ...issuer }) => ({
    ...issuer,
    zone: zone ?? townByCode(issuer.town)?.zone ?? "America/Sao_Paulo",
  }));
export type Issuer = z.output<typeof Issuer>;

export const Service = z.object({
  /** Stable id in menus, chosen by the account. */
  id: z.string().min(1).max(60),
  name: z.string().min(1).max(120),
  /** Default text of the note, when the account gives one. */
  description: z.string().min(1).max(1000).optional(),
  /** Fixed price in cents, when there is one. */
  price: z.int().positive().optional(),
  /** Service code: LC 116 item (`06.01`) or national code (`060101`). Text: the leading zero matters. */
  codigo: z.string().regex(/^\d{1,2}\.\d{2}(?:\.\d{2})?$|^\d{4,6}$/, "NN.NN or 4 to 6 digits"),
  codigo_interno: z.string().min(1).max(60),
  codigo_tributacao_municipio: z.string().min(1).max(CODE_LIMIT),
  /** 9 digits; dots are taken out. */
  codigo_nbs: z
    .string()
    .transform((code) => code.replaceAll(".", ""))
    .pipe(z.string().regex(/^\d{9}$/, "9 digits")),
  iss_retido: z.boolean().default(false),
});
export type Service = z.output<typeof Service>;

export const Taker = z.object({
  /** CPF or CNPJ in normal form. */
  document: z.string(),
  name: z.string(),
  /** A partial address is legal input and an `address-incomplete` problem, so that a flow can ask for what lacks. */
  address: Address.partial().optional(),
});
export type Taker = z.output<typeof Taker>;
export type AddressGiven = NonNullable<Taker["address"]>;
