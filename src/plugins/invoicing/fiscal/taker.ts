/** Who receives the note (tomador), as a conversation collects it. */
import { z } from "zod";
import { Address } from "../../../plugin.ts";

export const Taker = z.object({
  /** CPF or CNPJ in normal form. */
  document: z.string(),
  name: z.string(),
  /** A partial address is legal input and an `address-incomplete` problem, so that a flow can ask for what lacks. */
  address: Address.partial().optional(),
});
export type Taker = z.output<typeof Taker>;
export type AddressGiven = NonNullable<Taker["address"]>;
