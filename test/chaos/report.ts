/** What a kill run tells when it is over. */
import type { Act } from "./acts.ts";
import type { Death } from "./life.ts";
import type { Evidence, Verdict } from "./oracles.ts";

export interface Report {
  readonly seed: number;
  readonly verdicts: readonly Verdict[];
  readonly evidence: Evidence;
  readonly deaths: readonly Death[];
  /** How often each named point was died at. */
  readonly points: ReadonlyMap<string, number>;
  /** Share of deaths that left unacknowledged work. */
  readonly inHand: number;
  readonly events: number;
  readonly repeats: number;
  readonly exits: readonly (number | null)[];
  readonly seconds: number;
  /** Processor time of the harness and of all processes that ended, seconds. */
  readonly cpu: number;
  /** Acts of the harness that came about. */
  readonly acts: readonly Act[];
  /** Webhook answers, p50 and p99 in ms. */
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly statuses: ReadonlyMap<number, number>;
}

/** A report as lines for a person. */
export function lines(report: Report): readonly string[] {
  const hit = [...report.points].sort(([a], [b]) => (a < b ? -1 : 1));
  const answers = [...report.statuses].map(([status, times]) => `${status || "none"}×${times}`);
  return [
    `seed ${report.seed}: ${report.deaths.length} killed (${Math.round(report.inHand * 100)} % with work in hand), ${report.events} events, ${report.repeats} repeats, ${report.seconds} s, ${report.cpu} s of processor time`,
    `webhook p50 ${report.latency.p50} ms, p99 ${report.latency.p99} ms; answers ${answers.join(" ")}`,
    ...(report.acts.length > 0 ? [`beside: ${report.acts.join(", ")}`] : []),
    `died at ${hit.map(([point, times]) => `${point} ${times}`).join(", ")}`,
    ...report.verdicts.map(
      ({ oracle, wrong }) =>
        `${oracle}: ${wrong.length === 0 ? "nothing wrong" : wrong.slice(0, 8).join("; ")}`,
    ),
  ];
}
