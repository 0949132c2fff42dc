/** The drawings of a note's life, in `src/plugins/invoicing/note/life.md`: made from its chart. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { noteChart } from "../../src/plugins/invoicing/note/chart.ts";
import { ROOT, textOf } from "./fences.ts";

export const NOTE_CHART = "src/plugins/invoicing/note/life.md";
const BEGIN = "<!-- chart: written by `npx tsx test/docs/note-chart.ts` -->";
const END = "<!-- /chart -->";
type Node = (typeof noteChart.root.states)[string];

/** Two drawings: the note, and the cancellation of one that was issued. */
export function noteCharts(): string {
  const { autorizada, ...rest } = noteChart.root.states;
  if (!autorizada) throw new Error("the chart has no state of issued notes");
  const note = Object.values(rest).flatMap(withInner);
  return [
    "### The note",
    drawn(note, ["[*] --> asked", "autorizada"]),
    "### The cancellation of an issued note",
    drawn(withInner(autorizada), ["[*] --> standing"]),
  ].join("\n\n");
}

function withInner(node: Node): readonly Node[] {
  return [node, ...Object.values(node.states).flatMap(withInner)];
}

function drawn(nodes: readonly Node[], first: readonly string[]): string {
  const lines = [...first, ...nodes.flatMap(boxOf), ...nodes.flatMap(arrowsOf)];
  return ["```mermaid", "stateDiagram-v2", ...lines.map((line) => `  ${line}`), "```"].join("\n");
}

/** A state with others inside is a box of its own: what leaves it leaves each of them. */
function boxOf(node: Node): readonly string[] {
  const inner = Object.keys(node.states);
  const name = inner.length > 0 ? `${node.key}: each of ${inner.join(", ")}` : node.key;
  const ends = Object.entries(node.meta ?? {}).map(([key, end]) => `${idOf(node)} : ${key} ${end}`);
  return [...(name === idOf(node) ? [] : [`state "${name}" as ${idOf(node)}`]), ...ends];
}

function arrowsOf(node: Node): readonly string[] {
  return [...node.transitions.values()].flat().map(({ eventType, guard, target, actions }) => {
    const to = (target?.[0] ?? node) as Node;
    const why = guard ? ` [${guardOf(guard)}]` : "";
    const what = actions.map((action) => (typeof action === "string" ? action : "")).join(", ");
    return `${idOf(node)} --> ${idOf(to)} : ${eventType}${why} / ${what}`;
  });
}

/** An issued note is one box in the drawing of notes; its inner states are the other one's. */
function idOf(node: Node): string {
  return node.key === "enviando" || node.key === "incerta"
    ? node.path.slice(-2).join("_")
    : node.key;
}

/** What `and`, `or` and `not` of XState make of other guards is a function of that name. */
function guardOf(guard: unknown): string {
  if (typeof guard === "string") return guard;
  const { name, guards } = guard as { readonly name: string; readonly guards: readonly unknown[] };
  const inner = guards.map(guardOf);
  return name === "not" ? `not ${inner.join()}` : inner.join(` ${name} `);
}

/** The page, cut at the markers. */
export function splitAtChart(
  text: string,
): Readonly<Record<"before" | "between" | "after", string>> {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${NOTE_CHART} has lost its markers`);
  return {
    before: text.slice(0, begin + BEGIN.length),
    between: text.slice(begin + BEGIN.length, end).trim(),
    after: text.slice(end),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { before, after } = splitAtChart(textOf(NOTE_CHART));
  writeFileSync(path.join(ROOT, NOTE_CHART), `${before}\n\n${noteCharts()}\n\n${after}`);
}
