/** The table of `flows check --against`. */
import type { AgainstReport } from "../../../app/index.ts";
import type { Terminal } from "../../terminal.ts";

const HARM = ["loses", "stranded"];

export function printAgainst(report: AgainstReport, terminal: Terminal): void {
  const { bold, dim, red, green } = terminal.colors;
  terminal.say(report.what);
  for (const flow of report.same) terminal.out(`${bold(flow)}  ${dim("unchanged")}`);
  for (const flow of report.gone)
    terminal.out(`${bold(flow)}  gone: who is in it goes on in the older version`);
  for (const { flow, from, to, rows, snapshots, whole } of report.results) {
    const part = whole ? "" : ", not all of them";
    terminal.out(
      `${bold(flow)}  ${from.hash.slice(0, 8)} → ${to.hash.slice(0, 8)}  ${dim(`${snapshots} resting states${part}`)}`,
    );
    const width = Math.max(0, ...rows.map(({ at }) => at.length));
    for (const { at, word, to: place, lost, why, people } of rows) {
      const color = HARM.includes(word) ? red : word === "stays" ? green : (text: string) => text;
      const more = [
        ...(lost.length > 0 ? [lost.join(", ")] : []),
        ...(place !== "" && place !== at ? [`→ ${place}`] : []),
        ...(why === undefined ? [] : [dim(`(${why})`)]),
        ...(people === undefined ? [] : [dim(`${people} conversations`)]),
      ];
      terminal.out(
        `  ${at.padEnd(width)}  ${color(word)}${more.length > 0 ? ` ${more.join("  ")}` : ""}`,
      );
    }
  }
  if (!report.ok)
    terminal.say("Somebody would lose what they said. Name it in a migration, or keep it.");
}
