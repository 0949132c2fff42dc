/** Labels on the nodes of a chart: how much was tested, and what lint found. */
import type { Chart } from "./chart-model.ts";
import type { Finding } from "../ast/finding.ts";
import { edgesOf } from "../machine/probe.ts";
import type { FlowProgram } from "../machine/program.ts";
import type { Coverage } from "../proof/coverage-sheet.ts";

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
