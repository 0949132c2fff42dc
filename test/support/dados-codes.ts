/**
 * Codes of the `dados` checker: documents, towns and postal codes, written from the public rules and from nothing in
 * src/, so that a mistake there is not repeated here.
 */

/** The register's value of a character: its ASCII code less 48, so "A" is 17. */
const worth = (char: string): number => char.charCodeAt(0) - 48;

const remainder = (text: string, weights: readonly number[]): number => {
  const rest = weights.reduce((sum, weight, at) => sum + weight * worth(text[at]!), 0) % 11;
  return rest < 2 ? 0 : 11 - rest;
};

/** CPF: eleven figures, weights 10…2 and 11…2; eleven equal figures pass the sums and are nobody's. */
export function isCpf(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text) || /^(.)\1{10}$/.test(text)) return false;
  return (
    remainder(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === worth(text[9]!) &&
    remainder(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === worth(text[10]!)
  );
}

/** CNPJ since 2026: twelve figures or capitals, then two figures (IN RFB 2.229/2024). */
export function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(text) || /^(.)\1{13}$/.test(text)) return false;
  const second = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return (
    remainder(text, second.slice(1)) === worth(text[12]!) &&
    remainder(text, second) === worth(text[13]!)
  );
}

/** Of each state: the prefix of its town codes (IBGE), and its postal codes (Correios) by their first three figures. */
export const STATES: Readonly<
  Record<string, { prefix: string; ceps: readonly [number, number][] }>
> = {
  RO: { prefix: "11", ceps: [[768, 769]] },
  AC: { prefix: "12", ceps: [[699, 699]] },
  AM: {
    prefix: "13",
    ceps: [
      [690, 692],
      [694, 698],
    ],
  },
  RR: { prefix: "14", ceps: [[693, 693]] },
  PA: { prefix: "15", ceps: [[660, 688]] },
  AP: { prefix: "16", ceps: [[689, 689]] },
  TO: { prefix: "17", ceps: [[770, 779]] },
  MA: { prefix: "21", ceps: [[650, 659]] },
  PI: { prefix: "22", ceps: [[640, 649]] },
  CE: { prefix: "23", ceps: [[600, 639]] },
  RN: { prefix: "24", ceps: [[590, 599]] },
  PB: { prefix: "25", ceps: [[580, 589]] },
  PE: { prefix: "26", ceps: [[500, 569]] },
  AL: { prefix: "27", ceps: [[570, 579]] },
  SE: { prefix: "28", ceps: [[490, 499]] },
  BA: { prefix: "29", ceps: [[400, 489]] },
  MG: { prefix: "31", ceps: [[300, 399]] },
  ES: { prefix: "32", ceps: [[290, 299]] },
  RJ: { prefix: "33", ceps: [[200, 289]] },
  SP: { prefix: "35", ceps: [[10, 199]] },
  PR: { prefix: "41", ceps: [[800, 879]] },
  SC: { prefix: "42", ceps: [[880, 899]] },
  RS: { prefix: "43", ceps: [[900, 999]] },
  MS: { prefix: "50", ceps: [[790, 799]] },
  MT: { prefix: "51", ceps: [[780, 788]] },
  // The Federal District's stretch reaches into figures that Goiás shares: 72800 and 73700 are Goiás.
  GO: {
    prefix: "52",
    ceps: [
      [728, 729],
      [737, 767],
    ],
  },
  DF: {
    prefix: "53",
    ceps: [
      [700, 727],
      [730, 736],
    ],
  },
};

/** Nine towns whose official code does not satisfy the check digit. */
const ODD_TOWNS = new Set(
  "2201919 2201988 2202251 2611533 3117836 3152131 4305871 5203939 5203962".split(" "),
);

/** Seven figures whose last is the check digit of the first six, or one of the nine exceptions. */
export function isTown(code: string): boolean {
  if (!/^[1-5][0-9]{6}$/.test(code)) return false;
  const sum = [...code.slice(0, 6)].reduce((total, figure, at) => {
    const product = Number(figure) * (at % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return (10 - (sum % 10)) % 10 === Number(code[6]) || ODD_TOWNS.has(code);
}

export const townIsIn = (code: string, uf: string): boolean =>
  STATES[uf] !== undefined && code.startsWith(STATES[uf].prefix);

export const cepIsIn = (cep: string, uf: string): boolean => {
  const head = Number(cep.slice(0, 3));
  return (STATES[uf]?.ceps ?? []).some(([low, high]) => head >= low && head <= high);
};
