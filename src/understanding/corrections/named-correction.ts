/**
 * A correction that names what it changes: "muda o valor para 200", "o cpf tá errado", "o nome dela é Ana". It says where the
 * name ends and its value begins; whether that is a value of it, the caller finds out. Of plain text.
 */
import { type Business, oneOf, perBusiness } from "../business.ts";
import {
  ARTICLE,
  CHANGES,
  IS,
  IS_OR_WAS,
  NAMING_LEAD,
  PUTS,
  TO,
  WRONG,
} from "./correction-words.ts";

export interface Named {
  /** The name as it was written. */
  readonly name: string;
  /** It says that what stands is wrong. */
  readonly isWrong: boolean;
  /** "Muda o valor" changes what stands, "coloca o cpf" may also begin a whole sentence. */
  readonly verb: "change" | "put" | undefined;
  /** A word or a mark leads from the name to a value: "é", ":", "para". */
  readonly isSigned: boolean;
  /** Nothing stands behind the name. */
  readonly isBare: boolean;
  /** Where the value begins. */
  readonly at: number;
}

/** Whose it is, between the name and its value: "o nome dela é", "o valor do pedido é". */
const whose = perBusiness(
  (_, { people, things }) =>
    new RegExp(
      `^ (?:del[ae]s?|d[ao] (?:cliente|empresa|pedido|casa|rua|endereco|predio|loja|${oneOf(people)}|${oneOf(things)})|of the (?:house|street))(?= )`,
    ),
);
const IS_WRONG = new RegExp(`^(?:,? |['\u2019]s )?${WRONG}\\b`);
const MARKS = /^[,;.:! ]+/;
const SIGN = new RegExp(
  `^ ?(?:[:=,-])? ?(?:(?:(?:o |a )?(?:certo|certa|correto|correta) |right )?(?:${IS}|${TO})\\b|:|=) ?`,
);
/** Behind what is wrong, more leads to the right value. */
const RIGHT = new RegExp(
  `^(?:(?:o|a|the) )?(?:(?:certo|certa|correto|correta|right one|correct one) )?(?:na verdade )?(?:${IS_OR_WAS})\\b[: ]+`,
);
const BARE = /^(?: (?:tambem|tb|tbm|also|too))?[ .!?]*$/;

/** The pattern of a correction of something that is called by a name. `name`: a pattern of it. */
export function naming(name: string): RegExp {
  return new RegExp(`^${NAMING_LEAD}(${WRONG} )?(?:(${CHANGES})|(${PUTS}))?${ARTICLE}(${name})`);
}

/** Undefined where the line does not begin with a correction of what is called by that name. */
export function namedIn(line: string, pattern: RegExp, business?: Business): Named | undefined {
  const head = pattern.exec(line);
  if (!head) return undefined;
  const [{ length: end }, amiss, changes, puts, written = ""] = head;
  const behind = line.slice(end);
  const owner = lengthOf(whose(business), behind);
  const wrong = lengthOf(IS_WRONG, behind.slice(owner));
  const isWrong = amiss !== undefined || wrong > 0;
  let at = owner + wrong;
  if (isWrong) at += lengthOf(MARKS, behind.slice(at));
  const rest = behind.slice(at);
  const sign = Math.max(lengthOf(SIGN, rest), isWrong ? lengthOf(RIGHT, rest) : 0);
  return {
    name: written,
    isWrong,
    verb: changes !== undefined ? "change" : puts !== undefined ? "put" : undefined,
    isSigned: sign > 0,
    isBare: BARE.test(behind.slice(owner)),
    at: end + at + sign,
  };
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

/** "Com dois n": how it is spelt, which is no value. */
const SPELT = /^(?:com|sem|with|without)\b/;

export function isSpelling(value: string): boolean {
  return SPELT.test(value.toLowerCase());
}
