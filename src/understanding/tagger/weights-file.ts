/**
 * How weights are written down: for each template of features its values, each followed by its weights, one letter each, in
 * eighths. Short enough to be a source file, and read once.
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ZERO = 32;
const PER_ONE = 8;
const MOST = 31;

/** Of each feature (`template=value`) its weights, in eighths. */
export type Weights = ReadonlyMap<string, Int8Array>;
export type Written = Readonly<Record<string, string>>;

/** The nearest weight that can be written, in eighths. */
export function inEighths(weight: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(weight * PER_ONE)));
}

export function fromEighths(eighths: number): number {
  return eighths / PER_ONE;
}

export function readWeights(written: Written, each: number): Weights {
  const weights = new Map<string, Int8Array>();
  for (const [template, entries] of Object.entries(written))
    for (const entry of entries.split(" ")) {
      const end = entry.length - each;
      const list = new Int8Array(each);
      for (let at = 0; at < each; at += 1)
        list[at] = LETTERS.indexOf(entry.charAt(end + at)) - ZERO;
      weights.set(`${template}=${entry.slice(0, end)}`, list);
    }
  return weights;
}

/** Only what stands safely in a string between double quotes; in the order of the letters. */
const SAFE = /^[!#-&(-[\]-~]*$/;

export function writeWeights(weights: Weights): Written {
  const written: Record<string, string[]> = {};
  for (const feature of [...weights.keys()].filter((one) => SAFE.test(one)).sort()) {
    const [template = ""] = feature.split("=", 1);
    const letters = [...(weights.get(feature) ?? [])].map((one) => LETTERS.charAt(one + ZERO));
    (written[template] ??= []).push(feature.slice(template.length + 1) + letters.join(""));
  }
  return Object.fromEntries(
    Object.entries(written).map(([template, list]) => [template, list.join(" ")]),
  );
}
