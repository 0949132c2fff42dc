/**
 * Turns the machine's output into paragraphs in the person's language.
 *
 * A flow's own catalogue comes before the common one. A language that a flow lacks falls back to the other.
 */
import { type Json, type JsonObject, present } from "../../base/index.ts";
import { Outbound, type Choice, type Paragraph, type ProgramContext } from "../../engine/index.ts";
import type { Ast, ConfirmStep, Step } from "../ast/ast.ts";
import {
  askText,
  confirmText,
  type AskText,
  type Locale,
  badText,
  find,
  type Catalogues,
} from "./catalogue.ts";
import { at, type Facts, pieceMark } from "../moves/facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Out } from "../moves/move.ts";
import { ListWords, SlotNames } from "./slot-words.ts";
import { isAsk } from "../machine/steps.ts";
import { plainText, render, type Scope, type Text } from "./template.ts";
import type { KindContext, Option } from "../authoring/vocabulary.ts";

const NO_VARS: JsonObject = {};
const NO_OPTIONS: readonly Option[] = [];

/** Name of a flow in menus. */
export function titleOf(ast: Ast, own: Catalogues, locale: Locale): string {
  return find(own, locale, (c) => c.title) ?? ast.title;
}

export class Speaker {
  private readonly model: FlowIndex;
  private readonly own: Catalogues;
  private readonly common: Catalogues;
  /** What people call the slots. */
  readonly names: SlotNames;
  private readonly lists: ListWords;

  constructor(model: FlowIndex, own: Catalogues, common: Catalogues) {
    this.model = model;
    this.own = own;
    this.common = common;
    this.names = new SlotNames(model, own);
    this.lists = new ListWords({ model, own, common, speaker: this });
  }

  askEntry(step: Step, locale: Locale): AskText | undefined {
    const slot = isAsk(step) ? step.slot : "";
    const found = find(this.own, locale, (c) => askText(c.ask?.[step.id] ?? c.ask?.[slot]));
    const inline = this.model.ast.texts?.ask?.[slot];
    return found ?? (inline === undefined ? undefined : { text: inline });
  }

  slotEntry(slot: string, locale: Locale): AskText | undefined {
    return find(this.own, locale, (c) => askText(c.ask?.[slot]));
  }

  label(slot: string, locale: Locale): string {
    const named = this.slotEntry(slot, locale)?.label;
    if (named !== undefined) return named;
    const words = slot.replaceAll("_", " ");
    return words.slice(0, 1).toUpperCase() + words.slice(1);
  }

  option(slot: string, id: string, facts: Facts, context: ProgramContext): Option {
    const { locale } = context;
    const repeat = this.model.repeats.mores.get(slot);
    if (repeat) return this.lists.option(repeat, id, facts, context);
    const entry = find(this.own, locale, (c) => c.options?.[slot]?.[id]);
    if (entry === undefined) return { id, label: id };
    return typeof entry === "string"
      ? { id, label: entry }
      : { id, label: entry.label, aliases: entry.names };
  }

  kindContext(facts: Facts, slot: string, context: ProgramContext): KindContext {
    const { now, zone, locale, variant, business } = context;
    const params = this.params(facts, slot, context);
    const options = this.model.hasOptions(slot)
      ? this.model.options(facts, slot, (of, id) => this.option(of, id, facts, context))
      : NO_OPTIONS;
    const given = this.model.given(facts, slot);
    const piece = facts.marks[pieceMark(slot)];
    return { now, zone, locale, variant, params, options, piece, given, business };
  }

  private params(facts: Facts, slot: string, context: ProgramContext): JsonObject {
    const params = this.model.params(facts, slot);
    return this.model.kind(slot)?.resolve?.(params, context) ?? params;
  }

  /** The answer as shown in summaries: the catalogue's form, else the kind's. */
  echo(facts: Facts, slot: string, value: Json, context: ProgramContext): string {
    const form = this.slotEntry(slot, context.locale)?.echo;
    if (form !== undefined) return this.text(form, facts, NO_VARS, context);
    const list = this.model.repeats.lists.get(slot);
    if (list) return this.lists.lines(list, facts, context);
    return (
      this.model.kind(slot)?.echo(value, this.kindContext(facts, slot, context)) ?? plainText(value)
    );
  }

  private scope(facts: Facts, vars: JsonObject, context: ProgramContext): Scope {
    return {
      get: (path) => {
        const [head = "", ...rest] = path.split(".");
        if (Object.hasOwn(vars, head)) return at(vars[head], rest);
        return path === "now" ? context.now : this.model.get(facts, path);
      },
      show: (path, value) => {
        const kind = Object.hasOwn(this.model.ast.slots, path) ? this.model.kind(path) : undefined;
        return kind ? kind.echo(value, this.kindContext(facts, path, context)) : plainText(value);
      },
    };
  }

  text(text: Text, facts: Facts, vars: JsonObject, context: ProgramContext): string {
    return render(text, this.scope(facts, vars, context), {
      locale: context.locale,
      zone: context.zone,
      now: context.now,
      variant: context.variant,
      pipes: this.model.words.pipes,
    });
  }

  word(name: string, facts: Facts, vars: JsonObject, context: ProgramContext): Paragraph[] {
    const text =
      find(this.own, context.locale, (c) => c.repair?.[name]) ??
      find(this.common, context.locale, (c) => c.say?.[name]);
    if (text === undefined) return [];
    return paragraph(name, this.text(text, facts, vars, context));
  }

  /** A common word the machine put out; "why" and "help" prefer the step's own. */
  commonWord(out: Extract<Out, { type: "out.word" }>, context: ProgramContext): Paragraph[] {
    const { word, facts } = out;
    const step = this.model.steps.get(facts.at);
    const [of] = word === "why" ? out.slots : [];
    const told = of === undefined ? undefined : this.slotEntry(of, context.locale)?.why;
    if (told !== undefined) return paragraph(`why.${of}`, this.text(told, facts, NO_VARS, context));
    const own =
      (word === "why" || word === "help") && step
        ? this.stepWord(step, word, context.locale)
        : undefined;
    if (own !== undefined)
      return paragraph(`${word}.${facts.at}`, this.text(own, facts, NO_VARS, context));
    const label = step && isAsk(step) ? this.label(step.slot, context.locale) : "";
    return this.word(word, facts, { list: this.list(out.slots, facts, context), label }, context);
  }

  private stepWord(step: Step, word: "why" | "help", locale: Locale): Text | undefined {
    if (isAsk(step)) return this.askEntry(step, locale)?.[word];
    return find(this.own, locale, (c) => confirmText(c.confirm?.[step.id])?.[word]);
  }

  say(out: Extract<Out, { type: "out.say" }>, context: ProgramContext): Paragraph[] {
    const key = out.text;
    const text = find(this.own, context.locale, (c) => c.say?.[key]) ?? "";
    const rendered = this.text(text, out.facts, out.vars, context);
    const media = Outbound.shape.media.safeParse(out.media).data;
    const location = Outbound.shape.location.safeParse(out.location).data;
    if (!media && !location) return paragraph(`say.${key}`, rendered);
    return [present({ key: `say.${key}`, text: rendered, media, location })];
  }

  /** The question of the current step; for a step that waits for others, the words meanwhile. */
  prompt(step: Step, facts: Facts, again: boolean, context: ProgramContext): Paragraph[] {
    if (isAsk(step)) return this.askPrompt(step, facts, again, context);
    if (step.t === "confirm") return this.confirmPrompt(step, facts, context);
    const rest = find(this.own, context.locale, (c) => c.rest?.[step.id]);
    return rest === undefined
      ? this.word("waiting", facts, NO_VARS, context)
      : paragraph(`rest.${step.id}`, this.text(rest, facts, NO_VARS, context));
  }

  private askPrompt(
    step: Step & { slot: string },
    facts: Facts,
    again: boolean,
    context: ProgramContext,
  ): Paragraph[] {
    const repeat = this.model.repeats.mores.get(step.slot);
    const entry =
      this.askEntry(step, context.locale) ??
      (repeat && find(this.common, context.locale, (c) => askText(c.ask?.["more"])));
    const vars = repeat ? { list: this.lists.lines(repeat, facts, context).trim() } : NO_VARS;
    const text = (again ? entry?.again : undefined) ?? entry?.text ?? "";
    const choices = facts.offer.length > 0 ? facts.offer : this.choices(facts, step.slot, context);
    const value = facts.slots[step.slot];
    const current =
      value === undefined || value === null || repeat
        ? []
        : this.word(
            "current",
            facts,
            { echo: this.echo(facts, step.slot, value, context) },
            context,
          );
    return [
      ...current,
      withChoices(`ask.${step.id}`, this.text(text, facts, vars, context), choices),
    ];
  }

  choices(facts: Facts, slot: string, context: ProgramContext): readonly Choice[] {
    if (!this.model.hasOptions(slot)) return NO_OPTIONS;
    return this.model
      .options(facts, slot, (of, id) => this.option(of, id, facts, context))
      .map(({ id, label }) => ({ id, label }));
  }

  private confirmPrompt(step: ConfirmStep, facts: Facts, context: ProgramContext): Paragraph[] {
    const entry = find(this.own, context.locale, (c) => confirmText(c.confirm?.[step.id]));
    const line = entry?.line ?? "{{label}}: {{echo}}";
    const rows = step.show.flatMap((slot) => {
      const value = this.model.get(facts, slot);
      if (value === undefined) return [];
      const vars = {
        label: this.label(slot, context.locale),
        echo: this.echo(facts, slot, value, context),
      };
      // A list begins in a line of its own.
      return [this.text(line, facts, vars, context).replaceAll(" \n", "\n")];
    });
    const lines = [entry?.title, ...rows, entry?.end].map((part) =>
      part === undefined ? "" : this.text(part, facts, { word: step.word ?? "" }, context),
    );
    const text = lines.filter((part) => part !== "").join("\n");
    return [withChoices(`confirm.${step.id}`, text, this.confirmChoices(step, facts, context))];
  }

  /** What confirms beside the step's word, in whatever language it was read. */
  confirmWords(step: ConfirmStep): string[] {
    return Object.values(this.own).flatMap((c) => confirmText(c.confirm?.[step.id])?.words ?? []);
  }

  /** What declines, in whatever language it was read. */
  confirmNots(step: ConfirmStep): string[] {
    return Object.values(this.own).flatMap((c) => confirmText(c.confirm?.[step.id])?.nots ?? []);
  }

  /** Yes and no as choices. A confirm with a word has none: its word must be written. */
  confirmChoices(step: ConfirmStep, facts: Facts, context: ProgramContext): Choice[] {
    if (step.word !== undefined) return [];
    return ["yes", "no"].flatMap((id) =>
      this.word(id, facts, NO_VARS, context).map(({ text }) => ({ id, label: text })),
    );
  }

  /** What is wrong with an answer. */
  bad(out: Extract<Out, { type: "out.bad" }>, context: ProgramContext): Paragraph[] {
    const kind = this.model.ast.slots[out.slot]?.kind ?? "";
    const found = badText(out, kind, [this.own, this.common], context.locale);
    if (!found) return [];
    const params = this.params(out.facts, out.slot, context);
    const vars = { label: this.label(out.slot, context.locale), ...params };
    const text = this.text(found.text, out.facts, vars, context);
    return [withChoices(`bad.${out.slot}.${found.reason}`, text, out.facts.offer)];
  }

  /** "valor R$ 150,00, descrição corte": what was just put down or changed. */
  list(slots: readonly string[], facts: Facts, context: ProgramContext): string {
    return slots
      .flatMap((slot) => {
        const value = this.model.get(facts, slot);
        return value === undefined
          ? []
          : [`${this.label(slot, context.locale)}: ${this.echo(facts, slot, value, context)}`];
      })
      .join(", ");
  }
}

function withChoices(key: string, text: string, choices: readonly Choice[]): Paragraph {
  return choices.length > 0 ? { key, text, choices } : { key, text };
}

function paragraph(key: string, text: string): Paragraph[] {
  return text === "" ? [] : [{ key, text }];
}
