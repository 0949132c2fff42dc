/** Amounts in Portuguese words, as people write them out: what the properties of money are tried with. */
const UNITS =
  "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove".split(
    " ",
  );
const TENS = [
  "",
  "",
  "vinte",
  "trinta",
  "quarenta",
  "cinquenta",
  "sessenta",
  "setenta",
  "oitenta",
  "noventa",
];
const HUNDREDS =
  ",cento,duzentos,trezentos,quatrocentos,quinhentos,seiscentos,setecentos,oitocentos,novecentos".split(
    ",",
  );

/** 1–999 in words. */
function group(value: number): string {
  if (value === 100) return "cem";
  const words: string[] = [];
  if (value >= 100) words.push(HUNDREDS[Math.floor(value / 100)] ?? "");
  const rest = value % 100;
  if (rest > 0 && rest < 20) words.push(UNITS[rest] ?? "");
  else if (rest > 0) {
    words.push(TENS[Math.floor(rest / 10)] ?? "");
    if (rest % 10 > 0) words.push(UNITS[rest % 10] ?? "");
  }
  return words.join(" e ");
}

function integerInWords(value: number): string {
  const parts: string[] = [];
  const millions = Math.floor(value / 1_000_000);
  const thousands = Math.floor(value / 1_000) % 1_000;
  const rest = value % 1_000;
  if (millions > 0) parts.push(`${group(millions)} ${millions === 1 ? "milhão" : "milhões"}`);
  if (thousands > 0) parts.push(thousands === 1 ? "mil" : `${group(thousands)} mil`);
  if (rest > 0) {
    // "mil e cem", "mil e vinte", but "mil duzentos e dez": the joining "e" stands before the last simple number.
    const join = parts.length > 0 && (rest < 100 || rest % 100 === 0) ? "e " : "";
    parts.push(join + group(rest));
  }
  return parts.join(" ");
}

/**
 * The amount in Portuguese words, `120010` → `"mil e duzentos reais e dez centavos"`.
 * `cents` is an integer from 1 on.
 */
export function brlInWords(cents: number): string {
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  const parts: string[] = [];
  if (whole > 0) {
    const of = whole % 1_000_000 === 0 ? " de" : "";
    parts.push(`${integerInWords(whole)}${of} ${whole === 1 ? "real" : "reais"}`);
  }
  if (rest > 0) parts.push(`${group(rest)} ${rest === 1 ? "centavo" : "centavos"}`);
  return parts.join(" e ");
}
