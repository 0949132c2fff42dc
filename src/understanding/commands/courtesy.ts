/** Politeness around a short answer, which is no part of it: "oi, Campinas viu, obrigada" is Campinas. Of plain text. */

const BEFORE =
  /^(?:(?:oi+e?|ola|opa|bom dia|boa tarde|boa noite|entao|ah|olha|tipo|assim|sim|ok|ta bom|beleza|blz|certo|desculpa)[,.!]* )+(?=[a-z0-9])/;
/** Looked for at the beginning of a run of marks only: from within one it would take the square of the run's length. */
const AFTER =
  /(?<![,.!])(?:[,.!]* (?:por favor|por gentileza|pf|pfv|muito obrigad[oa]|obrigad[oa]|brigad[oa]|obg|vlw|valeu|viu|ok|msm|mesmo|ne|blz|beleza|k{2,}|(?:rs){2,}))+[.!]*$/;

/** How many characters of politeness a text begins and ends with; 0 and 0 when it is nothing else. */
export function courtesy(line: string): { readonly before: number; readonly after: number } {
  const before = BEFORE.exec(line)?.[0].length ?? 0;
  const after = AFTER.exec(line.slice(before))?.[0].length ?? 0;
  return before + after < line.length ? { before, after } : { before: 0, after: 0 };
}

export function withoutCourtesy(line: string): string {
  const { before, after } = courtesy(line);
  return line.slice(before, line.length - after);
}
