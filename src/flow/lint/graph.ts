/** `graph/`: every step can be reached and left. Works on the compiled states. */
import { compile } from "../machine/compile.ts";
import type { FlowConfig } from "../machine/config.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import type { Block } from "../ast/ast.ts";
import { found, type LintContext, type LintRule } from "./context.ts";
import { jumpsBack } from "./steps/jumps.ts";

export const graphRules: LintRule = (context) => {
  const unknown = context.places.flatMap(({ step }) =>
    step.t === "goto" && !context.model.steps.has(step.to)
      ? [
          found(
            context,
            "graph/goto-unknown",
            `No step "${step.to}".${didYouMean(step.to, context.model.steps.keys())}`,
            step.id,
          ),
        ]
      : [],
  );
  if (unknown.length > 0) return unknown;
  const config = compile(context.ast);
  const turning = loops(context, config);
  return [
    ...unreachable(context, config),
    ...(turning.length > 0 ? turning : jumpsBack(context, config)),
    ...outcomes(context),
    ...intoBranch(context),
    ...deadEnds(context),
    ...fallsOff(context),
  ];
};

function targets(config: FlowConfig, id: string): string[] {
  const state = config.states[id];
  const edges = [...(state?.always ?? []), ...Object.values(state?.on ?? {}).flat()];
  const prefix = `#${config.id}.`;
  return edges.flatMap((edge) => (edge.target ? [edge.target.slice(prefix.length)] : []));
}

function unreachable(context: LintContext, config: FlowConfig): Finding[] {
  const reached = new Set<string>();
  const roots = Object.values(config.on).flatMap((edges) =>
    edges.flatMap((edge) => (edge.target ? [edge.target.slice(config.id.length + 2)] : [])),
  );
  const queue = ["start", ...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    queue.push(...targets(config, id));
  }
  return context.places.flatMap(({ step }) =>
    step.t !== "form" && !reached.has(step.id)
      ? [found(context, "graph/unreachable", `Nothing leads to "${step.id}".`, step.id)]
      : [],
  );
}

/** Cycles of states without one that waits: they would run for ever. Backward jumps go through `start` and do wait. */
function loops(context: LintContext, config: FlowConfig): Finding[] {
  const resting = new Set(
    context.places.flatMap(({ step }) =>
      ["ask", "choose", "confirm", "effect", "subflow", "notify", "wait", "handoff"].includes(
        step.t,
      )
        ? [step.id]
        : [],
    ),
  );
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string | undefined => {
    if (path.includes(id)) return id;
    if (done.has(id) || resting.has(id) || id.endsWith("-held-rest")) return undefined;
    done.add(id);
    for (const next of targets(config, id)) {
      const loop = visit(next, [...path, id]);
      if (loop !== undefined) return loop;
    }
    return undefined;
  };
  for (const id of Object.keys(config.states)) {
    const met = visit(id, []);
    const loop = met === "start" ? context.ast.steps[0]?.id : met;
    if (loop !== undefined)
      return [
        found(
          context,
          "graph/loop-without-rest",
          `The steps after "${loop}" come back to it without a question.`,
          loop,
        ),
      ];
  }
  return [];
}

function outcomes(context: LintContext): Finding[] {
  const { ast, places } = context;
  const named = new Set([...ast.outcomes, "done", "cancelled", "expired"]);
  return places.flatMap(({ step }) =>
    step.t === "end" && !named.has(step.outcome)
      ? [
          found(
            context,
            "graph/unknown-outcome",
            `"${step.outcome}" is no outcome of this flow.${didYouMean(step.outcome, named)}`,
            step.id,
          ),
        ]
      : [],
  );
}

/** A jump forward into a conditional block would skip its condition. */
function intoBranch(context: LintContext): Finding[] {
  const { places } = context;
  const order = new Map(places.map(({ step }, index) => [step.id, index]));
  return places.flatMap(({ step, under }) => {
    if (step.t !== "goto") return [];
    const target = places.find((place) => place.step.id === step.to);
    const forward = (order.get(step.to) ?? 0) > (order.get(step.id) ?? 0);
    const outside = target?.under.some((condition) => !under.includes(condition)) ?? false;
    return forward && outside
      ? [
          found(
            context,
            "graph/goto-into-branch",
            `"${step.to}" stands under a condition; jump to a step outside it.`,
            step.id,
          ),
        ]
      : [];
  });
}

/** An option without a branch, or a wait without one of its ends: whoever gets there stays. */
function deadEnds(context: LintContext): Finding[] {
  return context.places.flatMap(({ step }): Finding[] => {
    const dead = (message: string): Finding => found(context, "graph/dead-end", message, step.id);
    if (step.t === "wait")
      return [
        ...WAIT_ENDS.filter((outcome) => !Object.hasOwn(step.on, outcome)).map((outcome) =>
          dead(`What happens when "${step.id}" ends ${outcome}?`),
        ),
        ...Object.keys(step.on)
          .filter((outcome) => !WAIT_ENDS.some((end) => end === outcome))
          .map((outcome) => dead(`A wait has no "${outcome}".${didYouMean(outcome, WAIT_ENDS)}`)),
      ];
    if (step.t !== "choose") return [];
    const given = context.ast.slots[step.slot]?.params?.["options"];
    const options = Array.isArray(given) ? given.map(String) : [];
    const branches = Object.keys(step.branches);
    if (branches.length === 0) return [dead(`"${step.id}" has no branch at all.`)];
    return [
      ...options
        .filter((option) => !branches.includes(option))
        .map((option) => dead(`Option "${option}" of "${step.slot}" leads nowhere.`)),
      ...branches
        .filter((branch) => options.length > 0 && !options.includes(branch))
        .map((branch) =>
          dead(`"${step.slot}" has no option "${branch}".${didYouMean(branch, options)}`),
        ),
    ];
  });
}
const WAIT_ENDS = ["got", "late"] as const;

/** In a flow with outcomes of its own, coming to the end of the list is most often forgotten, unless a person took over. */
function fallsOff(context: LintContext): Finding[] {
  const { ast } = context;
  // A machine made by hand ends by its own final states.
  if (ast.outcomes.length === 0 || ast.machine || closes(ast.steps)) return [];
  const last = ast.steps.at(-1);
  return [
    found(
      context,
      "graph/falls-off-end",
      `After "${last?.id ?? ""}" it ends as done, which is none of ${ast.outcomes.join(", ")}.`,
      last?.id,
      "warning",
    ),
  ];
}

/** Whether every way through a block ends, goes elsewhere, or is handed to a person. */
function closes(block: Block): boolean {
  const last = block.at(-1);
  if (!last) return false;
  switch (last.t) {
    case "end":
    case "goto":
    case "handoff":
      return true;
    case "when":
      return closes(last.then) && closes(last.else ?? []);
    case "choose":
      return Object.values(last.branches).every(closes);
    case "effect":
      // Held is no end: the step goes on by one of the others.
      return Object.entries(last.on).every(
        ([outcome, steps]) => outcome === "held" || closes(steps),
      );
    case "notify":
    case "wait":
      return Object.values(last.on).every(closes);
    default:
      return false;
  }
}
