/** A company as a conversation collects it, and as the interface wants it. Pure. */
import { z } from "zod";
import {
  Address,
  formatCep,
  formatCnpj,
  formatPhone,
  isCnpj,
  type Json,
  latinText,
  textField,
  townByCode,
  townLabel,
} from "../../../plugin.ts";
import { isNational, Issuer, Regime } from "../fiscal/issuer.ts";

/** Shortest limits of the layouts in use; longer ones are refused by some town. */
const LIMITS = { name: 150, street: 125, number: 10, district: 60, registration: 15 } as const;

/** `crt` of the interface. */
const CRT: Readonly<Record<Regime, number>> = { simples: 1, simples_excesso: 2, normal: 3, mei: 4 };

/** What may be said of a company; each field as its slot has it. */
export const CompanyFields = z.object({
  name: z.string().nullish(),
  trade: z.string().nullish(),
  regime: Regime.nullish(),
  /** Municipal and state registration. */
  im: z.string().nullish(),
  ie: z.string().nullish(),
  /** 7 digits, marks allowed. */
  cnae: z.string().nullish(),
  phone: z.string().nullish(),
  email: z.string().nullish(),
  address: Address.nullish(),
  /** By which issuer the town has its notes; asked of regimes that the law leaves to it. It stays with us. */
  portal: z.enum(["national", "town"]).nullish(),
});
export type CompanyFields = z.output<typeof CompanyFields>;

export const NewCompany = CompanyFields.extend({
  cnpj: z.string().refine(isCnpj),
  name: z.string(),
  regime: Regime,
  phone: z.string(),
  email: z.string(),
  address: Address,
  /** Approximate total tax of Simples, percent. It stays with us, and goes into each note. */
  percent: z.number().min(0).max(99.99).nullish(),
}).refine(({ regime, portal }) => regime !== "normal" || typeof portal === "string", {
  message: "of this regime the town decides where notes are issued: say which",
  path: ["portal"],
});
export type NewCompany = z.output<typeof NewCompany>;

/** The fields of the interface that were said, in its names and limits. Nothing that was not said. */
export function fieldsOf(said: CompanyFields): Record<string, Json> {
  const { name, trade, regime, im, ie, cnae, phone, email, address } = said;
  return {
    ...(name ? { razao: latinText(name).slice(0, LIMITS.name) } : {}),
    ...(trade ? { nome: latinText(trade).slice(0, LIMITS.name) } : {}),
    ...(cnae ? { cnae: cnae.replace(/\D/g, "") } : {}),
    ...(regime ? { crt: CRT[regime] } : {}),
    ...(ie ? { ie: registration(ie) } : {}),
    ...(im ? { im: registration(im) } : {}),
    ...(phone ? { telefone: national(phone) } : {}),
    ...(email ? { email } : {}),
    ...(address ? addressOf(address) : {}),
  };
}

/** Marks that people write; letters stay: some towns have them, and ISENTO is a word. */
function registration(text: string): string {
  return text
    .replace(/[^0-9A-Za-z]/g, "")
    .toUpperCase()
    .slice(0, LIMITS.registration);
}

/** The interface's own examples are numbers without the country. */
function national(phone: string): string {
  return /^55\d{10,11}$/.test(phone) ? phone.slice(2) : phone;
}

function addressOf(address: Address): Record<string, Json> {
  const { logradouro, complemento, numero, bairro, codigo_municipio, uf, cep } = address;
  // The interface has no field for what stands behind the number.
  const street = complemento ? `${logradouro} - ${complemento}` : logradouro;
  return {
    rua: latinText(street).slice(0, LIMITS.street),
    numero: latinText(numero).slice(0, LIMITS.number) || "S/N",
    bairro: latinText(bairro).slice(0, LIMITS.district),
    municipio: townByCode(codigo_municipio)?.name ?? "",
    cmun: codigo_municipio,
    uf,
    cep,
  };
}

/** A new issuer of the account: what notes need and the interface does not hold. Null when it does not fit. */
export function issuerOf(
  company: NewCompany,
  emitente_id: string,
  isFirst: boolean,
): Issuer | null {
  const { cnpj, name, regime, address, percent, portal } = company;
  const town = address.codigo_municipio;
  return (
    Issuer.safeParse({
      emitente_id,
      cnpj,
      razao: latinText(name).slice(0, LIMITS.name),
      town,
      regime,
      ...regimeFields(regime, percent ?? undefined),
      nacional: isNational(regime, portal === "national"),
      uf: address.uf,
      default: isFirst,
      zone: townByCode(town)?.zone,
    }).data ?? null
  );
}

/** Simples: all of its taxes, unless it is above the sub-limit: then ISS is paid apart. MEI has neither code nor percent. */
function regimeFields(regime: Regime, percent: number | undefined): Record<string, Json> {
  if (regime !== "simples" && regime !== "simples_excesso") return {};
  return {
    regime_apuracao: regime === "simples" ? "1" : "2",
    ...(percent === undefined ? {} : { percentual_simples: Math.round(percent * 100) / 100 }),
  };
}

/** The account's issuer after an update of the interface's record. */
export function issuerAfter(issuer: Issuer, said: CompanyFields): Issuer {
  const { name, regime, address } = said;
  const { regime_apuracao: _apuracao, percentual_simples, ...rest } = issuer;
  const next = {
    ...rest,
    ...(name ? { razao: latinText(name).slice(0, LIMITS.name) } : {}),
    ...(address
      ? {
          town: address.codigo_municipio,
          uf: address.uf,
          zone: townByCode(address.codigo_municipio)?.zone,
        }
      : {}),
    // Another town has notes by its own way, so a move may say it without a word of the regime.
    ...(regime || said.portal
      ? { nacional: isNational(regime ?? issuer.regime, said.portal === "national") }
      : {}),
    ...(regime && regime !== issuer.regime
      ? { regime, ...regimeFields(regime, percentual_simples) }
      : {
          ...(_apuracao === undefined ? {} : { regime_apuracao: _apuracao }),
          ...(percentual_simples === undefined ? {} : { percentual_simples }),
        }),
  };
  return Issuer.safeParse(next).data ?? issuer;
}

type Locale = "pt-BR" | "en";
const WORDS = {
  razao: { "pt-BR": "Razão social", en: "Legal name" },
  nome: { "pt-BR": "Nome fantasia", en: "Trade name" },
  cnpj: { "pt-BR": "CNPJ", en: "CNPJ" },
  crt: { "pt-BR": "Regime", en: "Tax regime" },
  im: { "pt-BR": "Inscrição municipal", en: "Municipal registration" },
  ie: { "pt-BR": "Inscrição estadual", en: "State registration" },
  cnae: { "pt-BR": "CNAE", en: "CNAE" },
  telefone: { "pt-BR": "Telefone", en: "Phone" },
  email: { "pt-BR": "E-mail", en: "E-mail" },
  endereco: { "pt-BR": "Endereço", en: "Address" },
  until: { "pt-BR": "certificado até", en: "certificate until" },
  over: { "pt-BR": "certificado vencido em", en: "certificate expired on" },
  none: { "pt-BR": "sem certificado", en: "no certificate" },
} as const satisfies Record<string, Record<Locale, string>>;

const REGIMES: Readonly<Record<string, Record<Locale, string>>> = {
  "1": { "pt-BR": "Simples Nacional", en: "Simples Nacional" },
  "2": { "pt-BR": "Simples Nacional acima do sublimite", en: "Simples Nacional above the limit" },
  "3": { "pt-BR": "Lucro presumido ou real", en: "Presumed or actual profit" },
  "4": { "pt-BR": "MEI", en: "MEI" },
};

/** A registration as the interface answers it, one line per thing it tells. */
export function cardOf(record: Json, locale: Locale): string {
  const told: Record<string, string | undefined> = {
    razao: textField(record, "razao"),
    nome: textField(record, "nome"),
    cnpj: formatCnpj(textField(record, "cnpj") ?? ""),
    crt: REGIMES[textField(record, "crt") ?? ""]?.[locale],
    im: textField(record, "im"),
    ie: textField(record, "ie"),
    cnae: textField(record, "cnae")?.replace(/^(\d{4})(\d)(\d{2})$/, "$1-$2/$3"),
    telefone: formatPhone(`55${textField(record, "telefone") ?? ""}`).replace(/^55$/, ""),
    email: textField(record, "email"),
    endereco: addressLine(record),
  };
  return Object.entries(told)
    .flatMap(([name, value]) =>
      value ? [`${WORDS[name as keyof typeof WORDS][locale]}: ${value}`] : [],
    )
    .join("\n");
}

function addressLine(record: Json): string | undefined {
  const [rua, numero, bairro, cmun, cep] = ["rua", "numero", "bairro", "cmun", "cep"].map((name) =>
    textField(record, name),
  );
  const town = townByCode(cmun ?? "");
  if (!rua || !town) return undefined;
  const street = [rua, numero, bairro].filter((part) => part).join(", ");
  return `${street}, ${townLabel(town)}${cep ? `, ${formatCep(cep)}` : ""}`;
}

/** One company of a list, two lines. `until`: last day of its certificate, `YYYY-MM-DD`. */
export function rowOf(
  issuer: Pick<Issuer, "razao" | "cnpj" | "town">,
  certificate: { readonly until: string | undefined; readonly today: string },
  locale: Locale,
): string {
  const town = townByCode(issuer.town);
  const { until, today } = certificate;
  const word = until === undefined ? "none" : until < today ? "over" : "until";
  const said = WORDS[word][locale] + (until === undefined ? "" : ` ${dayOf(until)}`);
  const place = town ? `${townLabel(town)} · ` : "";
  return `*${issuer.razao}* · ${formatCnpj(issuer.cnpj)}\n${place}${said}`;
}

/** `2027-11-20` → `20/11/2027`. */
export function dayOf(day: string): string {
  return day.split("-").reverse().join("/");
}
