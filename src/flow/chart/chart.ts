/**
 * The charts of a flow. In the folded one only steps at which a flow waits are nodes; messages, decisions and jumps between them
 * are the label of the edge. The full one folds nothing.
 */
import type { Step } from "../ast/ast.ts";
import { print } from "../ast/expression-text.ts";
import type { Expr } from "../ast/expression.ts";
import type { Finding } from "../ast/finding.ts";
import { type EdgeConfig, type FlowConfig, targetOf, edgesOf } from "../machine/config.ts";
import type { FlowProgram } from "../machine/program.ts";
import { ROOT_EVENTS } from "../machine/compile.ts";
import { isAsk, kindOf, STEP_KINDS } from "../machine/steps.ts";
import { firstOf } from "../steps/ask.ts";
import { type Coverage, guardText } from "../proof/coverage-sheet.ts";
import type { Chart, ChartEdge, ChartNode } from "./chart-model.ts";

/** Transient steps on one edge; more would be a loop, which lint refuses. */
const MAX_FOLD = 200;

export function chartOf(program: FlowProgram): Chart {
  const { model, machine } = program;
  const folder = new Folder(machine.config, model.steps, model.ast.machine !== undefined);
  const ends = new Set<string>();
  const edges = [
    ...folder.from("start"),
    ...restingOf(model.steps).flatMap((step) => folder.from(step.id)),
  ];
  for (const edge of edges) if (edge.to.startsWith("ended-")) ends.add(edge.to);
  const nodes: ChartNode[] = [
    { id: "start", label: program.title, kind: "start", states: ["start"], chips: [] },
    ...restingOf(model.steps).map((step) => nodeOf(program, step)),
    ...[...ends].map((id): ChartNode => ({
      id,
      label: id.slice("ended-".length),
      kind: "end",
      states: [id],
      chips: [],
    })),
  ];
  const groups = [...model.steps.values()].flatMap((step) =>
    step.t === "form" || step.t === "repeat" ? [{ id: step.id, label: step.id }] : [],
  );
  return {
    flow: program.flow,
    title: program.title,
    hash: program.hash,
    nodes,
    edges,
    groups,
    anywhere: ROOT_EVENTS.filter((event) => event !== "ANSWER" && event !== "BAD"),
  };
}

function restingOf(steps: ReadonlyMap<string, Step>): Step[] {
  return [...steps.values()].filter((step) => kindOf(step).rests);
}

function nodeOf(program: FlowProgram, step: Step): ChartNode {
  const { states } = program.machine.config;
  const rest = `${step.id}-held-rest`;
  const group = states[step.id]?.meta.group;
  return {
    id: step.id,
    label: labelOf(program, step),
    kind: step.t as ChartNode["kind"],
    group,
    states: [step.id, ...(Object.hasOwn(states, rest) ? [rest] : [])],
    chips: chipsOf(step),
  };
}

function labelOf(program: FlowProgram, step: Step): string {
  if (isAsk(step)) return program.speaker.label(step.slot, "pt-BR");
  return kindOf(step).name?.(step) ?? step.id;
}

function chipsOf(step: Step): string[] {
  const chips: string[] = [];
  if ("word" in step && step.word !== undefined) chips.push(step.word);
  if (isAsk(step) && step.max !== undefined) chips.push(`max ${step.max}`);
  if (isAsk(step) && step.onMax) chips.push(`then ${step.onMax}`);
  if ("within" in step) chips.push(`within ${step.within}`);
  if ("remind" in step && step.remind !== undefined) chips.push(`remind ${step.remind}`);
  if ("quiet" in step && step.quiet?.nudge) chips.push(`nudge ${step.quiet.nudge}`);
  if ("repair" in step)
    for (const [event, rule] of Object.entries(step.repair ?? {}))
      chips.push(typeof rule === "string" ? `${event} ${rule}` : event);
  return chips;
}

interface Passed {
  readonly label: readonly string[];
  readonly kind: ChartEdge["kind"];
}

class Folder {
  private readonly config: FlowConfig;
  private readonly steps: ReadonlyMap<string, Step>;

  private readonly isRaw: boolean;

  constructor(config: FlowConfig, steps: ReadonlyMap<string, Step>, isRaw: boolean) {
    this.isRaw = isRaw;
    this.config = config;
    this.steps = steps;
  }

  /** Every edge that leaves a node, followed to the next place where somebody waits. */
  from(id: string): ChartEdge[] {
    const state = this.config.states[id];
    const found: Omit<ChartEdge, "id">[] = [];
    for (const edge of state?.always ?? [])
      this.follow(id, this.target(edge), this.first(id, edge), found, 0);
    // In a machine made by hand a message may be an edge of its own.
    if (this.isRaw)
      for (const [event, edges] of Object.entries(state?.on ?? {}))
        for (const edge of edges)
          if (edge.target)
            this.follow(id, this.target(edge), { label: [event], kind: "outcome" }, found, 0);
    const seen = new Set<string>();
    return found.flatMap((edge, index) => {
      const same = `${edge.to} ${edge.label.join(" ")}`;
      if (seen.has(same)) return [];
      seen.add(same);
      return [{ ...edge, id: `${id}-${index + 1}` }];
    });
  }

  private target(edge: EdgeConfig): string {
    return targetOf(this.config, edge) ?? "";
  }

  private first(id: string, edge: EdgeConfig): Passed {
    const params = edge.guard?.params ?? {};
    const is = typeof params.is === "string" ? params.is : undefined;
    const option = typeof params.option === "string" ? params.option : undefined;
    const step = this.steps.get(id);
    if (option !== undefined) return { label: [option], kind: "answer" };
    if (is === undefined) return { label: [], kind: "answer" };
    if (step?.t === "confirm")
      return { label: [is === "yes" ? (step.word ?? is) : is], kind: "answer" };
    if (step?.t === "handoff") return { label: ["given back"], kind: "outcome" };
    return { label: [is], kind: is === "late" || is === "expired" ? "timer" : "outcome" };
  }

  private follow(
    from: string,
    to: string,
    passed: Passed,
    found: Omit<ChartEdge, "id">[],
    depth: number,
  ): void {
    const state = this.config.states[to];
    if (!state || depth > MAX_FOLD) return;
    const { t } = state.meta;
    const step = this.steps.get(to);
    if (t === "held-rest") {
      found.push({ from, to: state.meta.step, ...passed });
      return;
    }
    if (state.type === "final" || (step && kindOf(step).rests)) {
      found.push({ from, to, ...passed });
      return;
    }
    const next = (id: string, more: Passed): void => this.follow(from, id, more, found, depth + 1);
    if (step?.t === "goto") {
      const landing = this.steps.get(step.to);
      next(landing ? firstOf(landing) : step.to, { label: passed.label, kind: "goto" });
      return;
    }
    if (step?.t === "say") {
      const [edge] = state.always ?? [];
      next(this.target(edge ?? {}), {
        ...passed,
        label: [...passed.label, `“${step.text ?? step.id}”`],
      });
      return;
    }
    for (const edge of state.always ?? [])
      next(this.target(edge), step?.t === "when" ? conditional(passed, edge, step.if) : passed);
  }
}

function conditional(passed: Passed, edge: EdgeConfig, condition: Expr): Passed {
  const text = edge.guard ? print(condition) : "otherwise";
  const kind = passed.kind === "answer" && passed.label.length === 0 ? "condition" : passed.kind;
  return { label: [...passed.label, text], kind };
}

/** `3/4 tested` on each node; its edges are those of the states it stands for. */
export function withCoverage(chart: Chart, program: FlowProgram, coverage: Coverage): Chart {
  const edges = edgesOf(program.machine.config);
  return withChips(chart, (states) => {
    const own = (one: { readonly state: string }): boolean => states.includes(one.state);
    const all = edges.filter(own).length;
    const missing = coverage.edges.missing.filter(own).length;
    return all === 0 ? [] : [`${all - missing}/${all} tested`];
  });
}

/** `2 findings` and their rules on each node they are about. */
export function withFindings(chart: Chart, findings: readonly Finding[]): Chart {
  return withChips(chart, (states) => [
    ...new Set(
      findings.flatMap(({ flow, step, rule, severity }) =>
        flow === chart.flow && step !== undefined && states.includes(step)
          ? [`${severity === "error" ? "error" : "warning"} ${rule}`]
          : [],
      ),
    ),
  ]);
}

function withChips(chart: Chart, of: (states: readonly string[]) => readonly string[]): Chart {
  const nodes = chart.nodes.map((node) => ({
    ...node,
    chips: [...node.chips, ...of(node.states)],
  }));
  return { ...chart, nodes };
}

/** The sort of node a state is drawn as: a step that rests has its own. */
function sortOf(t: string): ChartNode["kind"] {
  if (t === "start") return t;
  return t in STEP_KINDS && STEP_KINDS[t as Step["t"]].rests ? (t as ChartNode["kind"]) : "wait";
}

/** The chart of the whole machine: every state and every edge, nothing folded. It is for debugging the kit. */
export function fullChart(program: FlowProgram): Chart {
  const { config } = program.machine;
  const states = Object.entries(config.states).filter(([id]) => id !== "idle");
  const nodes = states.map(([id, { type, meta }]): ChartNode => ({
    id,
    label: type === "final" ? id.slice("ended-".length) : id,
    kind: type === "final" ? "end" : sortOf(meta.t),
    group: meta.group,
    states: [id],
    chips: type === "final" ? [] : [meta.t],
  }));
  const edges = edgesOf(config)
    .filter(({ state }) => state !== "*" && state !== "idle")
    .map(({ id, state, event, edge }): ChartEdge => ({
      id,
      from: state,
      to: targetOf(config, edge) ?? state,
      label: [
        ...(event === "always" ? [] : [event]),
        ...(edge.guard ? [`[${guardText(edge.guard)}]`] : []),
      ],
      kind: event === "always" ? "condition" : "outcome",
    }));
  const groups = [...new Set(nodes.flatMap(({ group }) => group ?? []))];
  return {
    flow: program.flow,
    title: program.title,
    hash: program.hash,
    nodes,
    edges,
    groups: groups.map((id) => ({ id, label: id })),
    anywhere: Object.keys(config.on),
  };
}
