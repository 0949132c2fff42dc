/** A Brazilian phone number → digits with 55. Never adds the ninth digit or an area code by itself: it proposes. */
import { formatCpf, formatPhone, isAreaCode, isCpf, phoneType } from "../../brazil/index.ts";
import { tidy } from "../plain.ts";
import {
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Option,
  type Understood,
} from "../understood.ts";

const FORM = /(?<![\dA-Za-z])\+?\(?\d(?:[ ().\-–]{0,3}\d){5,15}(?![\dA-Za-z])/g;

export function phone(text: string): Understood<"phone"> {
  if (text.length > MAX_ANSWER) return absent("phone", "too-long");
  // "0xx86", "86/98659-1982": ways to write the area code apart.
  const line = tidy(text)
    .replace(/(?<![\dA-Za-z])0[xX]{2} ?(?=\(?\d{2})/g, "0")
    .replace(/(?<![\d/])(\d{2}) ?\/ ?(?=9?\d{4}[ .-]?\d{4}(?![\d/]))/g, "$1 ");
  const found = line.match(FORM) ?? [];
  const [raw] = found;
  if (raw === undefined) return /\d{3}/.test(line) ? invalid("phone", "length") : absent("phone");
  if (found.length > 1) {
    const fit = found.map(national).filter((digits) => phoneType(digits) !== null);
    return ambiguous("phone", "which", [...new Set(fit)].map(optionOf));
  }
  return one(raw);
}

function optionOf(digits: string): Option {
  return { value: `55${digits}`, echo: formatPhone(`55${digits}`) };
}

/** Digits without country code and trunk zero. */
function national(raw: string): string {
  const digits = raw.replace(/\D/g, "");
  if (/^55\d{10,11}$/.test(digits)) return digits.slice(2);
  return digits.replace(/^0(?=\d{10,11}$)/, "");
}

function one(raw: string): Understood<"phone"> {
  if (raw.startsWith("+") && !/^\+ ?55/.test(raw)) return invalid("phone", "foreign");
  const digits = national(raw);
  // Marked as a CPF is marked: no phone, whatever its digits are.
  if (/^\d{3}\.\d{3}\.\d{3}[-.]?\d{2}$/.test(raw) && !isCpf(digits))
    return invalid("phone", "format");
  const type = phoneType(digits);
  // Eleven bare digits that also pass as a CPF are one or the other; marks say which.
  const marked = /[()+\-– ]/.test(raw) && !/^\d{3}\.\d{3}\.\d{3}-?\d{2}$/.test(raw);
  if (isCpf(digits) && !(type && marked)) {
    const cpf: Option = { value: digits, echo: formatCpf(digits), kind: "cpf" };
    return type === null
      ? invalid("phone", "is-cpf", [cpf])
      : ambiguous("phone", "cpf-or-phone", [optionOf(digits), cpf]);
  }
  if (type) return clear("phone", `55${digits}`, formatPhone(`55${digits}`));
  if (/^(?:9\d{8}|[2-5]\d{7})$/.test(digits)) return invalid("phone", "ddd");
  if (digits.length === 10 && isAreaCode(digits.slice(0, 2)) && /^..[6-9]/.test(digits))
    return ambiguous("phone", "ninth-digit", [
      optionOf(`${digits.slice(0, 2)}9${digits.slice(2)}`),
    ]);
  if (digits.length === 10 || digits.length === 11)
    return invalid("phone", isAreaCode(digits.slice(0, 2)) ? "format" : "ddd");
  return invalid("phone", "length");
}
