/**
 * Money as the gateway writes it: text, with a comma or a dot, with two or three decimals, depending on the operation.
 * Amounts are integer thousandths of a real inside the sandbox.
 */
import { z } from "zod";

export const MoneyStyle = z.enum(["comma-2", "dot-2", "comma-3", "dot-3"]);
export type MoneyStyle = z.output<typeof MoneyStyle>;

/** The four styles are spread over the operations, so that a client meets all of them. */
const STYLES: Readonly<Record<string, MoneyStyle>> = {
  "invoicing.emitentesCadastro": "comma-2",
  "invoicing.emitentesAtualiza": "dot-2",
  "invoicing.emitentesLista": "comma-3",
  "invoicing.certificadoUpload": "dot-3",
  "invoicing.nfseEnvio": "dot-2",
  "invoicing.nfseConsulta": "comma-3",
  "invoicing.cancelamento": "dot-3",
};

export function moneyStyle(route: string): MoneyStyle {
  return STYLES[route] ?? "comma-3";
}

export function moneyText(thousandths: number, style: MoneyStyle): string {
  const decimals = style.endsWith("2") ? 2 : 3;
  const text = (Math.round(thousandths) / 1_000).toFixed(decimals);
  return style.startsWith("comma") ? text.replace(".", ",") : text;
}

/** Thousandths as a BRL number, the form of the controls. */
export function moneyNumber(thousandths: number): number {
  return thousandths / 1_000;
}
