/**
 * The check digit of Brazilian documents and access keys: modulo 11, remainder under 2 gives 0, else 11 − remainder.
 * A letter counts as its ASCII code − 48, as for a digit (COCAD/SUARA/RFB 49/2024).
 */
const ASCII_ZERO = 48;

/** `body` is `[0-9A-Z]+`; weights go 2, 3 … `maxWeight`, from the right, again and again. */
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
