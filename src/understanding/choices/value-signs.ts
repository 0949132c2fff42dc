/** What a text has to hold to be an amount, a day or somebody's: signs for values that nobody asked for. */
const NUMBER = /\d|\b(?:reais|real|mil|contos?|pilas?)\b/i;
const MONEY = /r\$|\breais\b|\breal\b|\bconto|\bpila|\bmil\b|,\d{2}\b/i;
const CURRENCY = /r\$|\breais\b/i;
const DAY =
  /\d{1,2}\/\d{2,4}|janeiro|fevereiro|mar[cç]o|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|\b(?:hoje|ontem|anteontem|yesterday|today)\b|\bm[eê]s passado\b|\bdia \d/i;
const WHOSE = /^(?:my|his|her|their|our|the|it|this)\b|['\u2019]s\b/i;

/** Without figures and words of money nothing was told anew. */
export function saysNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** An amount that nobody asked for must say that it is one. */
export function saysMoney(text: string): boolean {
  return MONEY.test(text);
}

/** An amount in so many words. */
export function namesMoney(text: string): boolean {
  return CURRENCY.test(text);
}

export function saysDay(text: string): boolean {
  return DAY.test(text);
}

/** "My husband's is 529…" tells whose it is, not what they are called. */
export function tellsWhose(text: string): boolean {
  return WHOSE.test(text);
}
