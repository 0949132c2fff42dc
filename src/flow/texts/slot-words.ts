/**
 * How texts and people call slots: the names of a flow's slots, and the items of its lists in lines, with the possible answers after
 * each.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { ProgramContext } from "../../engine/index.ts";
import type { Facts } from "../moves/facts.ts";
import { find, type Catalogues, type AskText, type Locale, askText, LOCALES } from "./catalogue.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Repeat } from "../moves/repeats.ts";
import type { Text } from "./template.ts";
import type { Option } from "../authoring/vocabulary.ts";
import { foldWords } from "../../brazil/index.ts";

interface SlotName {
  readonly slot: string;
  readonly name: string;
}

/** A shorter name would stand in anything. */
const SHORTEST = 2;
const WORD = /[a-z0-9]+/g;
const PLAIN = /^[a-z0-9]+$/;

/** Names are indexed by their first word. So a long form costs no more time than a short one. */
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

/** Longest label of a choice. */
const LABEL_MAX = 200;

/** How the flow speaks beside its lists. */
interface Words {
  text(text: Text, facts: Facts, vars: JsonObject, context: ProgramContext): string;
  echo(facts: Facts, slot: string, value: Json, context: ProgramContext): string;
  slotEntry(slot: string, locale: Locale): AskText | undefined;
}

interface Parts {
  readonly model: FlowIndex;
  readonly own: Catalogues;
  readonly common: Catalogues;
  readonly speaker: Words;
}

/** Texts of a flow's lists. */
export class ListWords {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Another one, no more, or an item that goes: the flow's own words, else the common ones. */
  option(repeat: Repeat, id: string, facts: Facts, context: ProgramContext): Option {
    const { model, own, common, speaker } = this.parts;
    const { locale } = context;
    const [name = "", number = ""] = id.split("-");
    const slot = repeat.step.more?.slot ?? "";
    const entry =
      find(own, locale, (c) => c.options?.[slot]?.[name]) ??
      find(common, locale, (c) => c.options?.["more"]?.[name]);
    const { label, names } = typeof entry === "object" ? entry : { label: entry ?? id };
    const item = model.repeats.all(facts, repeat)[Number(number) - 1];
    const line = item ? this.line(repeat, item, facts, context) : "";
    return {
      id,
      label: speaker.text(label, facts, { item: line, number }, context).slice(0, LABEL_MAX),
      aliases: names,
    };
  }

  /** One item of a list in a line: by the catalogue's `item`, else its answers one after the other. */
  private line(repeat: Repeat, item: JsonObject, facts: Facts, context: ProgramContext): string {
    const { model, speaker } = this.parts;
    const held = model.repeats.holding(facts, repeat, item);
    const form = speaker.slotEntry(repeat.step.slot, context.locale)?.item;
    if (form !== undefined) return speaker.text(form, held, {}, context);
    return repeat.slots
      .flatMap((slot) => {
        const value = item[slot];
        return value === undefined ? [] : [speaker.echo(held, slot, value, context)];
      })
      .join(", ");
  }

  /** The items of a list, each in a line of its own; a single one without a number. */
  lines(repeat: Repeat, facts: Facts, context: ProgramContext): string {
    const { model } = this.parts;
    const items = model.repeats.all(facts, repeat);
    const lines = items.map((item) => this.line(repeat, item, facts, context));
    return lines.length === 1
      ? (lines[0] ?? "")
      : lines.map((line, index) => `\n${index + 1}. ${line}`).join("");
  }
}
