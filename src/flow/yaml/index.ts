/**
 * `flow.yaml`: the second way to write a flow. It is read into the same kit calls that TypeScript makes, so both give the
 * same AST, defaults and ids.
 */
import { present } from "../../base/index.ts";
import { assembled, type PlainOptions } from "../authoring/kit.ts";
import { FLOW_ID, type Ast, type Step } from "../ast/ast.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { type Bag, Making } from "../authoring/making.ts";
import { METHODS } from "../machine/steps.ts";
import { located, type At, type Entry, type Node } from "./located.ts";
import { mapAt, Misfit, Reader, textAt } from "./reader.ts";
import { FLOW_FIELDS } from "./flow-fields.ts";

export { flowSchema } from "./schema.ts";

/** Longest file, in characters: ten times the largest flow that may be loaded. */
export const MAX_FLOW_FILE = 400_000;

/** Where the parts of a flow stand in their file: `step issue`, `slot value`. */
export type Places = ReadonlyMap<string, At>;

export type ParsedFlow =
  | { readonly ok: true; readonly ast: Ast; readonly places: Places }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads a flow. Never throws on a text. Findings have line and column, and the nearest valid name. */
export function parseFlow(text: string, file = "flow.yaml"): ParsedFlow {
  const read = located(text, MAX_FLOW_FILE);
  try {
    if (!read.ok) throw new Misfit(read.problem, read.problem.message);
    return { ok: true, ...new FlowReader().flow(read.root) };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const { line, column, message } = error.problem;
    const finding = { rule: "flow/file", severity: "error", file, line, column, message } as const;
    return { ok: false, findings: [finding] };
  }
}

class FlowReader {
  private readonly prompts: Record<string, string> = {};
  private readonly making = new Making(this.prompts);
  private readonly places = new Map<string, At>();
  private readonly reader = new Reader((node) => this.block(node));

  flow(root: Node): { ast: Ast; places: Places } {
    const { entries, ...at } = mapAt(root, "a flow");
    // Ids that are counted are given to the steps of the conversation first, as in TypeScript.
    const isSteps = ({ key }: Entry): number => (key === "steps" ? 0 : 1);
    const top = { ...at, entries: [...entries].sort((a, b) => isSteps(a) - isSteps(b)) };
    const options = this.reader.fields(FLOW_FIELDS, top, "a flow") as unknown as PlainOptions & {
      flow: string;
      steps: readonly Step[];
    };
    if (!FLOW_ID.test(options.flow))
      throw new Misfit(
        this.entry(top.entries, "flow"),
        `"${options.flow}" is no flow id: a-z, 0-9 and hyphens`,
      );
    const unknown = options.takes?.find((name) => !Object.hasOwn(options.slots, name));
    if (unknown !== undefined)
      throw new Misfit(this.entry(top.entries, "takes"), `"${unknown}" is none of its slots`);
    const slots = top.entries.find(({ key }) => key === "slots")?.value;
    if (slots?.is === "map")
      for (const { key, at } of slots.entries) this.places.set(`slot ${key}`, at);
    const plain = {
      ...options,
      slots: slotsOf(options.slots),
      input: options.input && inputOf(options.input),
    };
    return {
      ast: assembled(options.flow, plain, options.steps, this.prompts),
      places: this.places,
    };
  }

  private entry(entries: readonly Entry[], key: string): At {
    return entries.find((one) => one.key === key)?.value ?? { line: 1, column: 1 };
  }

  private block(node: Node): readonly Step[] {
    if (node.is !== "list") throw new Misfit(node, "steps are a list: - say: hello");
    return node.items.map((item) => this.step(item));
  }

  private step(node: Node): Step {
    const { entries, line, column } = mapAt(node, "a step");
    const [first, ...rest] = entries;
    if (!first) throw new Misfit(node, "this step is empty");
    const name = first.key;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method)
      throw new Misfit(first.at, `no step "${name}".${didYouMean(name, Object.keys(METHODS))}`);
    const isLeftOut = first.value.is === "scalar" && first.value.value === null;
    if (isLeftOut && method.main.needed)
      throw new Misfit(first.at, `"${name}" needs something behind its colon`);
    const main = isLeftOut
      ? undefined
      : this.reader.read(method.main.shape, first.value, `"${name}"`);
    const at = { line, column };
    const options = this.reader.fields(method.fields, { entries: rest, ...at }, `"${name}"`);
    const args = method.args?.(main, options) ?? [main, options];
    const step = method.make(this.making, ...args) as Step;
    this.places.set(`step ${step.id}`, first.at);
    if (name === "form") this.placeAsks(step, rest);
    return step;
  }

  /** The asks of a form stand where they are named; each item is one slot. */
  private placeAsks(step: Step, entries: readonly Entry[]): void {
    const asks = entries.find(({ key }) => key === "ask")?.value;
    if (step.t !== "form" || asks?.is !== "list") return;
    const seen = new Set<string>();
    for (const [index, item] of asks.items.entries()) {
      if (item.is === "map" && item.entries.length !== 1)
        throw new Misfit(item, "one slot and its options: { value: { max: 5 } }");
      const slot = item.is === "map" ? (item.entries[0]?.key ?? "") : textAt(item, "a slot");
      if (seen.has(slot)) throw new Misfit(item, `"${slot}" stands in this form already`);
      seen.add(slot);
      const ask = step.asks[index];
      if (ask) this.places.set(`step ${ask.id}`, item);
    }
  }
}

function slotsOf(slots: Bag): Ast["slots"] {
  return Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => {
      if (typeof slot === "string") return [name, { kind: slot }];
      const { kind, optional, secret, ...params } = slot as Bag;
      return [
        name,
        present({
          kind,
          params: Object.keys(params).length > 0 ? params : undefined,
          secret,
          optional,
        }),
      ];
    }),
  ) as Ast["slots"];
}

function inputOf(input: Bag): NonNullable<Ast["input"]> {
  return Object.fromEntries(
    Object.entries(input).map(([name, how]) => [
      name,
      how === "optional" ? { optional: true as const } : {},
    ]),
  );
}
