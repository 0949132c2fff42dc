/** The amount in a sentence that begins a task of a note that exists: "repete a última, 200 reais", "igual à anterior, só que 250". */
import { type ProgramContext, understand } from "../../../plugin.ts";

/** In so many words; a bare number may be anything, but at the very end behind a comma. */
const AMOUNT = /r\$|\b(?:reais|real|contos?|pilas?|mil)\b/i;
const AT_THE_END = /,\s*(\d[\d.]*(?:,\d\d)?)\s*$/;
/** "Só que 200", "valor de 350", "mas por 1.200 dessa vez": what it shall be, whatever else stands before. */
const NEW_AMOUNT = new RegExp(
  String.raw`(?:^|[\s,])(?:valor|s[o\u00f3] que|mas|por[e\u00e9]m|agora|dessa vez|desta vez|por|com|but|now|for|with)` +
    String.raw`(?:,|\s)+(?:(?:agora|o|no|valor|de|por|com|\u00e9|e|s\u00e3o|the|value|of|for|at|is)\s+){0,3}` +
    String.raw`((?:r\$\s*)?\d[\d.]*(?:,\d{1,2})?(?:\s*(?:mil|k))?)(?:\s*(?:reais|real|contos?|pilas?))?` +
    String.raw`(?:,?\s*(?:agora|dessa vez|desta vez|now|this time|por favor|pf|please))?\s*[.!?]*$`,
  "iu",
);
/** Longer than any such sentence. */
const LONGEST = 300;

/** Integer cents. `alone`: no number in the text tells which note is meant, so that one in so many words can be nothing else. */
export function saidAmount(
  text: string,
  { now, zone, locale }: ProgramContext,
  alone: boolean,
): number | undefined {
  if (text.length > LONGEST) return undefined;
  const read = (said: string): number | undefined => {
    const money = understand("money", said, { now, zone, locale });
    return money.ok && typeof money.value === "number" ? money.value : undefined;
  };
  const all = alone && AMOUNT.test(text) ? read(text) : undefined;
  if (all !== undefined) return all;
  const figure = NEW_AMOUNT.exec(text)?.[1] ?? (alone ? AT_THE_END.exec(text)?.[1] : undefined);
  return figure === undefined ? undefined : read(`${figure} reais`);
}
