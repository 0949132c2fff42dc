/** A postal address, as a conversation collects it. */
import { z } from "zod";

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
