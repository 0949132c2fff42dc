/** An amount in figures that takes the place of another: "na verdade é 180", "não é 150, é 130", "são 200 e não 150". */
import { plainOf } from "../plain.ts";
import {
  CHANGES_TO,
  HOLDS_NO_MORE,
  IS_OR_WAS,
  LEAD,
  NOT,
  TAKING_BACK,
  TO,
} from "./correction-words.ts";

export interface SaidFigure {
  /** As it was written, without its currency. */
  readonly figure: string;
  /** It says that it is money: by a currency or by cents. */
  readonly isMoney: boolean;
  /** The amount that it is not. */
  readonly denied: string | undefined;
  /** Words lead to it that say an amount, or that change one. */
  readonly isLed: boolean;
  /** It begins by taking something back: "não, 180", "ops, 180". */
  readonly takesBack: boolean;
  /** It says that something said before does not hold: "na verdade é 180". */
  readonly holdsNoMore: boolean;
}

/** Longer is more than one amount. */
const LONGEST = 120;
const BEFORE = `(?:(?:${IS_OR_WAS}|deu|da|custou|de|${TO}) )`;
const SIGN = "(?:r\\$ ?)";
const UNIT = "(?: ?(?:reais|real|contos?|pilas?|brl))";
const FIGURE = "\\d(?:[\\d.,]*\\d)?";
const END = "(?: (?:mesmo|msm|viu|ta|ok|por favor|pf|please|certo))?[ .!]*$";
/** "É 130, não 150". */
const THIS = new RegExp(
  `^(${LEAD})(${CHANGES_TO})?(${BEFORE})?(${SIGN})?(${FIGURE})(${UNIT})?(?:[ ,;.]+(?:(?:e|and) )?${NOT}(?: (?:e|era|sao|foi|de|os))* ${SIGN}?(${FIGURE})${UNIT}?)?${END}`,
);
/** "Não é 150, é 130". */
const NOT_BUT = new RegExp(
  `^${LEAD}(?:it['\\u2019]?s )?${NOT}(?: (?:e|eh|era|sao|foi|foram|de))* ${SIGN}?(${FIGURE})${UNIT}?[ ,;.]+(?:(?:mas|sim|e|but)[ ,]+)?${BEFORE}?(${SIGN})?(${FIGURE})(${UNIT})?${END}`,
);
const TAKES_BACK = new RegExp(`^${TAKING_BACK}(?:e )?$`);
const CENTS = /,\d\d$/;

/** The amount that a text says, and nothing else. */
export function figureIn(text: string): SaidFigure | undefined {
  if (text.length > LONGEST || !/\d/.test(text)) return undefined;
  const line = plainOf(text);
  const [, denied, sign, figure = "", unit] = NOT_BUT.exec(line) ?? [];
  if (denied !== undefined) {
    const isMoney = Boolean(sign ?? unit) || CENTS.test(figure);
    return { figure, isMoney, denied, isLed: true, takesBack: false, holdsNoMore: false };
  }
  const found = THIS.exec(line);
  if (!found) return undefined;
  const [, lead = "", verb, is, ahead, said = "", behind, notThat] = found;
  return {
    figure: said,
    isMoney: Boolean(ahead ?? behind) || CENTS.test(said),
    denied: notThat,
    isLed: lead !== "" || Boolean(verb ?? is),
    takesBack: !verb && TAKES_BACK.test(lead),
    holdsNoMore: HOLDS_NO_MORE.test(lead),
  };
}

const IN_LETTERS = new RegExp(`^${LEAD}(?:${CHANGES_TO})?${BEFORE}?`);

/** How far the words go that lead to an amount in letters: "é cento e noventa". Of plain text. */
export function leadToAmount(line: string): number {
  return IN_LETTERS.exec(line)?.[0].length ?? 0;
}

const DENIED = new RegExp(
  `(?<=\\d|reais|real)[ ,;]+(?:e |and )?(?:n[a\\u00e3]o|not)(?: (?:\\u00e9|e|eh|era|de))* (?:r\\$ ?)?\\d[\\d.,]*(?: ?reais)?[ .!]*$`,
  "i",
);
const BEHIND = /[ ,]+(?:na verdade|na real|mesmo|msm|viu|actually|instead)[ .!]*$/i;

/** "180 e não 150", "180 na verdade": the amount alone. */
export function withoutDenied(text: string): string {
  return text.replace(DENIED, "").replace(BEHIND, "");
}
