/** Several answers that each name their slot: "o valor é 250 e o nome é Ana Lima", or a form of lines. Pure. */
import type { Json } from "../base/index.ts";
import { labelled } from "./meaning-labels.ts";
import { flow, type MeantFlow, wrong } from "./meant.ts";
import type { Expectation, FlowEvent, ProgramContext, SlotReading } from "./program.ts";

/** Longer texts are stories. */
const LONGEST = 400;
/** Places where another slot may be named. */
const MOST_PLACES = 12;
/** What stands between two of them. */
const BETWEEN = /\s*(?:[,;\n]|\.(?=\s))\s*(?:(?:e|and)\s+)?|\s+(?:e|and|mas|but)\s+/gi;

interface Told {
  readonly slot: string;
  readonly event: FlowEvent;
  readonly reading?: Extract<SlotReading, { ok: false }>;
}

/** What all parts say together; undefined unless each names a slot of its own, two at least. */
export function severalLabelled(
  expectation: Expectation,
  text: string,
  context: ProgramContext,
): MeantFlow | undefined {
  if (text.length > LONGEST) return undefined;
  const named = listed(expectation, text, context);
  if (named) return named;
  const told = parts(text, (part) => toldBy(expectation, part, context));
  if (!told || new Set(told.map(({ slot }) => slot)).size < told.length) return undefined;
  const values: Record<string, Json> = {};
  const again: Told[] = [];
  for (const one of told)
    if ("values" in one.event) Object.assign(values, one.event.values);
    else again.push(one);
  const [first] = again;
  if (!first) {
    const corrects = told.some(({ event }) => event.type === "CORRECT");
    return flow({ type: corrects ? "CORRECT" : "ANSWER", values });
  }
  return {
    ...flow({ type: "EDIT", slots: again.map(({ slot }) => slot) }),
    ...wrong(first.reading),
    ...(Object.keys(values).length > 0 ? { beside: values } : {}),
  };
}

const IN_LIST = /\s*,\s*(?:(?:e|and)\s+)?|\s+(?:e|and)\s+/i;
const ALL_WRONG =
  /[\s,]+(?:(?:t[aá]|est[aá]|t[aã]o|est[aã]o|ficaram|sa[ií]ram|vieram|are) )?(?:errad[oa]s?|incorret[oa]s?|trocad[oa]s?|wrong)[\s.!]*$/i;
const MOST_NAMES = 6;

/** "O nome e o valor estão errados", "quero mudar o valor e a descrição": slots by their names alone, to be asked again. */
function listed(
  expectation: Expectation,
  text: string,
  context: ProgramContext,
): MeantFlow | undefined {
  const names = text.replace(ALL_WRONG, "").split(IN_LIST);
  const [head = ""] = names;
  if (names.length < 2 || names.length > MOST_NAMES) return undefined;
  const edit = (part: string): string | undefined => {
    const told = toldBy(expectation, part, context);
    return told?.event.type === "EDIT" && !told.reading ? told.slot : undefined;
  };
  const asks = ALL_WRONG.test(text) || expectation.rests === "confirm" || edit(head) !== undefined;
  if (!asks) return undefined;
  const slots = names.map((name) => edit(name) ?? edit(`mudar ${name}`));
  if (!slots.every((slot) => slot !== undefined)) return undefined;
  return new Set(slots).size < slots.length ? undefined : flow({ type: "EDIT", slots });
}

/** The text cut where another slot is named; what names none belongs to the one before. */
function parts(text: string, read: (part: string) => Told | undefined): Told[] | undefined {
  const places = [...text.matchAll(BETWEEN)];
  if (places.length === 0 || places.length > MOST_PLACES) return undefined;
  const cuts: { readonly from: number; readonly to: number }[] = [];
  let from = 0;
  for (const { index, 0: between } of places) {
    const rest = text.slice(index + between.length);
    const next = rest.slice(0, nextPlace(rest));
    if (!read(next)) continue;
    cuts.push({ from, to: index });
    from = index + between.length;
  }
  if (cuts.length === 0) return undefined;
  cuts.push({ from, to: text.length });
  const told = cuts.map((cut) => read(text.slice(cut.from, cut.to).trim()));
  return told.every((one) => one !== undefined) ? told : undefined;
}

/** "CPF 529.982.247-25", "valor 99": digits right behind a word are its value in a list of others. */
function marked(part: string): string {
  return part.replace(/^(\p{L}+)[ .]+(?=(?:r\$ ?)?\d)/iu, "$1: ");
}

function nextPlace(rest: string): number | undefined {
  return [...rest.matchAll(BETWEEN)].find(({ index }) => index > 0)?.index;
}

function toldBy(expectation: Expectation, part: string, context: ProgramContext): Told | undefined {
  const label =
    labelled(expectation, part, context) ?? labelled(expectation, marked(part), context);
  if (!label?.ok) return undefined;
  const { event, reading } = label;
  const [slot, second] =
    "values" in event ? Object.keys(event.values) : "slots" in event ? event.slots : [];
  if (slot === undefined || second !== undefined) return undefined;
  return { slot, event, ...(reading ? { reading } : {}) };
}
