/** `prosa flows test`: how the results are printed. */
import {
  junit,
  percentOf,
  placeOf,
  tap,
  testFlows,
  UsageError,
  walkResults,
} from "../../app/index.ts";
import type { Terminal } from "../command.ts";

export interface TestFlags {
  readonly coverage: boolean;
  /** Share of edges below which it is a failure, percent; asks for coverage by itself. */
  readonly coverageMin: string | undefined;
  readonly update: boolean;
  readonly json: boolean;
  /** `tap` or `junit`; otherwise lines for people. */
  readonly format: string | undefined;
  /** People write by this channel. */
  readonly channel: string | undefined;
}

const CHANNELS = ["engine-a", "engine-b", "engine-c", "sms"] as const;
/** Share of edges below which `--coverage` is a failure where nobody says another, percent. */
const EDGES_MIN = 95;

/** Exit code: 0 when every chat went as written and, with `--coverage`, nothing generated broke and enough was tested. */
export async function printTests(
  flow: string | undefined,
  flags: TestFlags,
  terminal: Terminal,
  { folder }: { readonly folder: string },
): Promise<number> {
  const { format } = flags;
  if (format !== undefined && format !== "tap" && format !== "junit")
    throw new UsageError("--format of flows test must be tap or junit.");
  const { update } = flags;
  const min = leastOf(flags.coverageMin);
  const coverage = flags.coverage || flags.coverageMin !== undefined;
  const channel = CHANNELS.find((one) => one === flags.channel);
  if (flags.channel !== undefined && channel === undefined)
    throw new UsageError(`--channel is one of ${CHANNELS.join(", ")}.`);
  // Colour for people at a terminal alone; `colors` is plain everywhere else.
  const paint = format === undefined && !flags.json ? terminal.colors : undefined;
  const report = await testFlows(flow, { coverage, update, folder, paint, channel });
  const broken = report.generated.flatMap((one) =>
    one.broken.map((what) => ({ flow: one.flow, ...what })),
  );
  const thin = report.coverage.filter(({ edges }) => percentOf(edges) < min);
  const unreached = report.generated.flatMap((one) => one.unreached);
  const faults = report.failed + broken.length + unreached.length + thin.length;
  const code = faults > 0 ? 1 : 0;
  if (format !== undefined) {
    const all = [...report.results, ...walkResults(report.generated, folder)];
    terminal.out((format === "tap" ? tap(all) : junit(all)).trimEnd());
  }
  if (flags.json) terminal.out(JSON.stringify(report, null, 2));
  if (format !== undefined || flags.json) return code;
  const { green, red } = terminal.colors;
  for (const { ok, file, title, failure, updated } of report.results) {
    const how = updated ? "new" : ok ? green("ok ") : red("no ");
    terminal.say(`${how} ${file}: ${title}${failure === undefined ? "" : `\n${failure}`}`);
  }
  for (const { flow: of, property, at, path, why } of broken)
    terminal.say(
      `${red("no ")} ${placeOf(of, at, folder)} ${at}: ${property}: ${why}\n     after ${path.join(" > ") || "the start"}`,
    );
  for (const { flow: of, unreached } of report.generated)
    for (const step of unreached)
      terminal.say(`${placeOf(of, step, folder)} ${step}: no walk comes to rest there`);
  for (const one of report.coverage) {
    const places = report.generated.find((walk) => walk.flow === one.flow);
    const shares = [
      `edges ${percentOf(one.edges)} % (${one.edges.met}/${one.edges.all})`,
      `guards ${percentOf(one.guards)} % (${one.guards.met}/${one.guards.all})`,
      `validators ${percentOf(one.validators)} % (${one.validators.met}/${one.validators.all})`,
    ];
    terminal.out(`${one.flow}: ${shares.join(", ")}; ${places?.places ?? 0} places walked`);
    for (const line of [one.edges, one.guards, one.validators].flatMap(({ missing }) => missing))
      terminal.out(`  ${placeOf(one.flow, line.step, folder)} ${line.text}`);
  }
  for (const { flow: of, edges } of thin)
    terminal.say(`${of}: ${percentOf(edges)} % of its edges, and at least ${min} % are wanted`);
  terminal.out(`${report.passed} passed, ${report.failed} failed`);
  return code;
}

/** What `--coverage-min` says, percent. */
function leastOf(text: string | undefined): number {
  if (text === undefined) return EDGES_MIN;
  const min = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (min >= 0 && min <= 100) return min;
  throw new UsageError(`--coverage-min must be a whole percentage from 0 to 100, not ${text}.`);
}
