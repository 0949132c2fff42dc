/** A postal address, as a conversation collects it, and its CEP (postal code). */
import { z } from "zod";
import { type Uf, UFS } from "./uf.ts";

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
