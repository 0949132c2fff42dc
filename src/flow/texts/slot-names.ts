/**
 * The names that people use for the slots of one flow, indexed by their first word. So a long form costs no more time than
 * a short one.
 */
import { foldWords } from "../../brazil/index.ts";
import { askText, LOCALES } from "./catalogue.ts";
import type { Catalogues } from "./lookup.ts";
import type { FlowIndex } from "../machine/flow-index.ts";

export interface SlotName {
  readonly slot: string;
  readonly name: string;
}

/** A shorter name would stand in anything. */
const SHORTEST = 2;
const WORD = /[a-z0-9]+/g;
const PLAIN = /^[a-z0-9]+$/;

export class SlotNames {
  private readonly flow: FlowIndex;
  private readonly own: Catalogues;
  private readonly bySlot = new Map<string, readonly string[]>();
  /** By first word. Names that begin with other signs than letters and digits are under the empty word. */
  private index: ReadonlyMap<string, readonly SlotName[]> | undefined;

  constructor(model: FlowIndex, own: Catalogues) {
    this.flow = model;
    this.own = own;
  }

  /** Every name of the slot in both languages, folded. */
  of(slot: string): readonly string[] {
    const kept = this.bySlot.get(slot);
    if (kept) return kept;
    const written = LOCALES.flatMap((locale) => {
      const entry = askText(this.own[locale]?.ask?.[slot]);
      return [...(entry?.label ? [entry.label] : []), ...(entry?.names ?? [])];
    });
    const all = [slot.replaceAll("_", " "), ...written, ...(this.flow.kind(slot)?.names ?? [])];
    const names = [...new Set(all.map(foldWords))];
    this.bySlot.set(slot, names);
    return names;
  }

  /** The names whose first word stands in a folded line. One that opens with another sign may stand there. */
  within(line: string): readonly SlotName[] {
    this.index ??= this.indexed();
    const found = [...(this.index.get("") ?? [])];
    for (const word of new Set(line.match(WORD))) found.push(...(this.index.get(word) ?? []));
    return found;
  }

  private indexed(): ReadonlyMap<string, readonly SlotName[]> {
    const index = new Map<string, SlotName[]>();
    for (const slot of this.flow.order)
      for (const name of this.of(slot)) {
        if (name.length < SHORTEST) continue;
        const first = name.split(" ", 1)[0] ?? "";
        const word = PLAIN.test(first) ? first : "";
        const known = index.get(word);
        if (known) known.push({ slot, name });
        else index.set(word, [{ slot, name }]);
      }
    return index;
  }
}
