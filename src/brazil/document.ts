/**
 * CPF and CNPJ: normal form, check, marks and masks. The CNPJ is alphanumeric (IN RFB 2.229/2024): twelve letters or
 * digits and two digits; a numeric one is a special case, and neither "/0001" nor digits may be assumed anywhere.
 *
 * The CNPJ check comes from `cpf-cnpj-validator`; its loose mode drops foreign characters, so only already normal text is
 * handed to it. Its CPF check is not used: it refuses `123.456.789-09`, whose check digits are right.
 */
import { cnpj as cnpjRules } from "cpf-cnpj-validator";

export const CPF_LENGTH = 11;
export const CNPJ_LENGTH = 14;

const CPF_FORM = /^\d{11}$/;
const CNPJ_FORM = /^[0-9A-Z]{12}\d{2}$/;
const ASCII_ZERO = 48;

export type DocumentType = "cpf" | "cnpj";

/** Letters and digits only, letters in upper case: the form that is stored and sent. */
export function bareDocument(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
}

/** Whether `value` is a CPF in normal form (11 digits, right check digits, not one digit repeated). */
export function isCpf(value: string): boolean {
  if (!CPF_FORM.test(value) || /^(\d)\1*$/.test(value)) return false;
  const first = modulo11(value.slice(0, 9), CPF_LENGTH);
  const second = modulo11(value.slice(0, 10), CPF_LENGTH);
  return value.endsWith(`${first}${second}`);
}

/** Whether `value` is a CNPJ in normal form (`[0-9A-Z]{12}` + 2 digits, right check digits, not one digit repeated). */
export function isCnpj(value: string): boolean {
  return CNPJ_FORM.test(value) && cnpjRules.isValid(value);
}

/** Which document a normal form is, or null when it is neither. Well formed is not the same as existing. */
export function documentType(value: string): DocumentType | null {
  if (isCpf(value)) return "cpf";
  return isCnpj(value) ? "cnpj" : null;
}

/** `52998224725` → `529.982.247-25`. Text of another length comes back as it is. */
export function formatCpf(value: string): string {
  if (value.length !== CPF_LENGTH) return value;
  return `${value.slice(0, 3)}.${value.slice(3, 6)}.${value.slice(6, 9)}-${value.slice(9)}`;
}

/** `12ABC34501DE35` → `12.ABC.345/01DE-35`. Text of another length comes back as it is. */
export function formatCnpj(value: string): string {
  if (value.length !== CNPJ_LENGTH) return value;
  return `${value.slice(0, 2)}.${value.slice(2, 5)}.${value.slice(5, 8)}/${value.slice(8, 12)}-${value.slice(12)}`;
}

export function formatDocument(value: string): string {
  return value.length === CNPJ_LENGTH ? formatCnpj(value) : formatCpf(value);
}

/**
 * For summaries, logs and the console: `52998224725` → `***.982.247-**`, `11222333000181` → `**.222.333/0001-**`, the same five
 * inner groups that public registers show. What is neither by length is hidden whole.
 */
export function maskDocument(value: string): string {
  const bare = bareDocument(value);
  if (bare.length === CPF_LENGTH) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`;
  if (bare.length !== CNPJ_LENGTH) return "***";
  return `**.${bare.slice(2, 5)}.${bare.slice(5, 8)}/${bare.slice(8, 12)}-**`;
}

/**
 * The check digit of Brazilian documents and access keys: modulo 11; a remainder under 2 gives 0, else 11 − remainder. A letter
 * counts as its ASCII code − 48, as a digit does (COCAD/SUARA/RFB 49/2024). `body` is `[0-9A-Z]+`; the weights are 2, 3 …
 * `maxWeight`, from the right, and begin again at 2.
 */
export function modulo11(body: string, maxWeight: number): number {
  let sum = 0;
  let weight = 2;
  for (let at = body.length - 1; at >= 0; at -= 1) {
    sum += (body.charCodeAt(at) - ASCII_ZERO) * weight;
    weight = weight === maxWeight ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
