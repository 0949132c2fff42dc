/**
 * The 27 federative units with their CEP ranges, the CEP (postal code), and a postal address as a conversation collects it.
 */
import { z } from "zod";
import { foldWords } from "./fold.ts";

export const Uf = z.enum([
  "AC",
  "AL",
  "AM",
  "AP",
  "BA",
  "CE",
  "DF",
  "ES",
  "GO",
  "MA",
  "MG",
  "MS",
  "MT",
  "PA",
  "PB",
  "PE",
  "PI",
  "PR",
  "RJ",
  "RN",
  "RO",
  "RR",
  "RS",
  "SC",
  "SE",
  "SP",
  "TO",
]);
export type Uf = z.output<typeof Uf>;

export interface UfRow {
  readonly uf: Uf;
  readonly name: string;
  /** First two digits of every IBGE municipality code of the unit. */
  readonly ibge: string;
  /**
   * CEP ranges as inclusive pairs of the first five digits. Source: the range search of the Correios
   * (buscacepinter.correios.com.br, "faixa de CEP por UF"), as republished in several open tables that agree; Rondônia
   * is the range in force since 2008. DF/GO and AM/RR interleave, so some units have two ranges.
   */
  readonly cep: readonly (readonly [number, number])[];
}

export const UFS: readonly UfRow[] = [
  { uf: "AC", name: "Acre", ibge: "12", cep: [[69900, 69999]] },
  { uf: "AL", name: "Alagoas", ibge: "27", cep: [[57000, 57999]] },
  {
    uf: "AM",
    name: "Amazonas",
    ibge: "13",
    cep: [
      [69000, 69299],
      [69400, 69899],
    ],
  },
  { uf: "AP", name: "Amapá", ibge: "16", cep: [[68900, 68999]] },
  { uf: "BA", name: "Bahia", ibge: "29", cep: [[40000, 48999]] },
  { uf: "CE", name: "Ceará", ibge: "23", cep: [[60000, 63999]] },
  {
    uf: "DF",
    name: "Distrito Federal",
    ibge: "53",
    cep: [
      [70000, 72799],
      [73000, 73699],
    ],
  },
  { uf: "ES", name: "Espírito Santo", ibge: "32", cep: [[29000, 29999]] },
  {
    uf: "GO",
    name: "Goiás",
    ibge: "52",
    cep: [
      [72800, 72999],
      [73700, 76799],
    ],
  },
  { uf: "MA", name: "Maranhão", ibge: "21", cep: [[65000, 65999]] },
  { uf: "MG", name: "Minas Gerais", ibge: "31", cep: [[30000, 39999]] },
  { uf: "MS", name: "Mato Grosso do Sul", ibge: "50", cep: [[79000, 79999]] },
  { uf: "MT", name: "Mato Grosso", ibge: "51", cep: [[78000, 78899]] },
  { uf: "PA", name: "Pará", ibge: "15", cep: [[66000, 68899]] },
  { uf: "PB", name: "Paraíba", ibge: "25", cep: [[58000, 58999]] },
  { uf: "PE", name: "Pernambuco", ibge: "26", cep: [[50000, 56999]] },
  { uf: "PI", name: "Piauí", ibge: "22", cep: [[64000, 64999]] },
  { uf: "PR", name: "Paraná", ibge: "41", cep: [[80000, 87999]] },
  { uf: "RJ", name: "Rio de Janeiro", ibge: "33", cep: [[20000, 28999]] },
  { uf: "RN", name: "Rio Grande do Norte", ibge: "24", cep: [[59000, 59999]] },
  { uf: "RO", name: "Rondônia", ibge: "11", cep: [[76800, 76999]] },
  { uf: "RR", name: "Roraima", ibge: "14", cep: [[69300, 69399]] },
  { uf: "RS", name: "Rio Grande do Sul", ibge: "43", cep: [[90000, 99999]] },
  { uf: "SC", name: "Santa Catarina", ibge: "42", cep: [[88000, 89999]] },
  { uf: "SE", name: "Sergipe", ibge: "28", cep: [[49000, 49999]] },
  { uf: "SP", name: "São Paulo", ibge: "35", cep: [[1000, 19999]] },
  { uf: "TO", name: "Tocantins", ibge: "17", cep: [[77000, 77999]] },
];

const byKey = new Map<string, UfRow>();
for (const row of UFS) {
  byKey.set(row.uf.toLowerCase(), row);
  byKey.set(foldWords(row.name), row);
}

/** The unit that a code or a whole name says, accent-free and in any case: `"sp"`, `"Sao Paulo"`. */
export function ufOf(text: string): UfRow | null {
  return byKey.get(foldWords(text)) ?? null;
}

/** All-or-nothing: an address that is sent needs each required part. Lengths are the shortest of the layouts in use. */
export const Address = z.object({
  logradouro: z.string(),
  /** `S/N` when there is none. */
  numero: z.string(),
  complemento: z.string().optional(),
  bairro: z.string(),
  /** IBGE code, 7 digits. */
  codigo_municipio: z.string(),
  uf: z.string(),
  /** 8 digits. */
  cep: z.string(),
});
export type Address = z.output<typeof Address>;

export const ADDRESS_LIMITS = { logradouro: 125, numero: 10, complemento: 60, bairro: 60 } as const;

/** `01310100` → `01310-100`. Text of another length comes back as it is. */
export function formatCep(value: string): string {
  return value.length === 8 ? `${value.slice(0, 5)}-${value.slice(5)}` : value;
}

/** The unit whose range holds the CEP (8 digits, no marks), or null when it is in no known range. */
export function ufOfCep(value: string): Uf | null {
  if (!/^\d{8}$/.test(value)) return null;
  const head = Number(value.slice(0, 5));
  for (const row of UFS)
    for (const [first, last] of row.cep) if (head >= first && head <= last) return row.uf;
  return null;
}
