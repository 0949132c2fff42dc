/** The chart of the whole machine: every state and every edge, nothing folded. It is for debugging the kit. */
import type { Chart, ChartEdge, ChartNode } from "./chart-model.ts";
import { targetOf } from "../machine/config.ts";
import { edgesOf } from "../machine/probe.ts";
import type { FlowProgram } from "../machine/program.ts";
import { guardText } from "../proof/coverage-sheet.ts";

const KINDS: Readonly<Record<string, ChartNode["kind"]>> = {
  start: "start",
  ask: "ask",
  choose: "choose",
  confirm: "confirm",
  effect: "effect",
  notify: "notify",
  subflow: "subflow",
  wait: "wait",
  handoff: "handoff",
};

export function fullChart(program: FlowProgram): Chart {
  const { config } = program.machine;
  const states = Object.entries(config.states).filter(([id]) => id !== "idle");
  const nodes = states.map(([id, { type, meta }]): ChartNode => ({
    id,
    label: type === "final" ? id.slice("ended-".length) : id,
    kind: type === "final" ? "end" : (KINDS[meta.t] ?? "wait"),
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
