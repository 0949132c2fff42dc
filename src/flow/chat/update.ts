/**
 * `--update`: rewrites the `<` and `=` lines of a chat file with the bot's present answers. All other lines stay as they
 * are.
 */
import type { JsonObject } from "../../base/index.ts";
import { wrong } from "./expectation.ts";
import { CUSTOMER, words, type ChatLine } from "./parse.ts";
import { patternOf } from "./pattern.ts";
import type { ChatState } from "./world.ts";

/** Rows to be put in place of others. Numbers are those of the file, from 1. */
export interface ChatEdit {
  readonly from: number;
  /** Rows that go, each with the continuations below it. */
  readonly lines: readonly number[];
  readonly rows: readonly string[];
}

const ANY = "…";

/** Lines for what was said: those of before that still fit stay, `…` stays where it stood for something. */
export function linesFor(
  before: readonly string[],
  got: string,
  phrases: (key: string) => readonly string[],
): string[] {
  const said = got.split("\n").filter((line) => line.trim() !== "");
  const fits = (line: string, text: string): boolean => {
    const pattern = patternOf([line], phrases);
    return pattern instanceof RegExp && pattern.test(text);
  };
  const lines: string[] = [];
  let next = 0;
  let pending: string[] = [];
  const settle = (until: number): void => {
    const free = before.slice(next, until).includes(ANY);
    lines.push(...(free ? [ANY] : pending));
    pending = [];
  };
  for (const text of said) {
    const same = before.findIndex((line, at) => at >= next && line !== ANY && fits(line, text));
    if (same < 0) {
      pending.push(text);
      continue;
    }
    settle(same);
    lines.push(before[same] ?? text);
    next = same + 1;
  }
  settle(before.length);
  const whole = patternOf(lines, phrases);
  return whole instanceof RegExp && whole.test(got) ? lines : said;
}

/** Rows of a file for what a speaker heard. */
export function rowsFor(speaker: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${speaker === CUSTOMER ? "" : speaker}< ${line}`);
}

/** An expectation with its present value; one without a known value stays as it is. */
export function expectedNow(rest: string, state: ChatState): string {
  const [what = "", ...args] = words(rest);
  switch (what) {
    case "state":
      return `state ${state.step}`;
    case "outcome":
      return `outcome ${state.outcome ?? "none"}`;
    case "handoff":
      return `handoff ${state.handoff ?? "none"}`;
    case "slots":
      return `slots ${args.map((arg) => fieldNow("slots", arg, state.slots, state)).join(" ")}`;
    case "effects":
      return `effects ${counted(state.effects.map(({ name }) => name))}`;
    case "calls":
      return `calls ${
        Object.entries(state.calls)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, times]) => `${name}*${times}`)
          .join(" ") || "none"
      }`;
    case "effect": {
      const [name = "", ...fields] = args;
      const last = state.effects.findLast((one) => one.name === name);
      if (!last) return rest;
      return `effect ${name} ${fields.map((arg) => fieldNow(`effect ${name}`, arg, last.input, state)).join(" ")}`;
    }
    case "timers":
      return `timers ${args
        .flatMap((arg) => {
          const timer = state.timers.find(({ name }) => name === arg.split("@")[0]);
          return timer ? [`${timer.name}@${Math.round(timer.inMs / 1000)}s`] : [];
        })
        .join(" ")}`;
    default:
      return rest;
  }
}

function fieldNow(what: string, arg: string, data: JsonObject, state: ChatState): string {
  const quoted = (text: string): string => (/[\s"]/.test(text) ? JSON.stringify(text) : text);
  const sign = arg.search(/[=~]/);
  const name = sign < 0 ? arg : arg.slice(0, sign);
  const kept = `${name}${arg.slice(sign, sign + 1)}${quoted(arg.slice(sign + 1))}`;
  if (wrong(`${what} ${kept}`, state) === null) return kept;
  const value = data[name];
  const text = typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
  return `${name}=${quoted(text)}`;
}

function counted(names: readonly string[]): string {
  const all = [...new Set(names)].sort();
  const times = (name: string): number => names.filter((one) => one === name).length;
  return all.map((name) => `${name}*${times(name)}`).join(" ") || "none";
}

/** The file with its edits, the last first. */
export function edited(text: string, edits: readonly ChatEdit[]): string {
  const rows = text.split(/\r?\n/);
  for (const { from, lines, rows: put } of [...edits].reverse()) {
    const gone = new Set(lines.flatMap((line) => whole(rows, line)));
    const kept = rows.flatMap((row, index) => {
      const here = index === from - 1 ? put : [];
      return gone.has(index) ? here : [...here, row];
    });
    if (from > rows.length) kept.push(...put);
    rows.splice(0, rows.length, ...kept);
  }
  return rows.join("\n");
}

/** A row with its continuations. */
function whole(rows: readonly string[], line: number): number[] {
  const found = [line - 1];
  for (let next = line; rows[next]?.startsWith("  ") && rows[next]?.trim() !== ""; next++)
    found.push(next);
  return found;
}

export function numbersOf(group: readonly ChatLine[]): number[] {
  return group.map(({ line }) => line);
}
