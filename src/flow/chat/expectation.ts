/** `=` lines: conditions on the state at this point of a chat file. The result is what is wrong, or null. */
import { durationMs, type Json, type JsonObject } from "../../base/index.ts";
import { words } from "./parse.ts";
import type { ChatState } from "./world.ts";

/** Timers are compared to the second: a turn takes a moment. */
const TIMER_SLACK_MS = 1_000;

export function wrong(rest: string, state: ChatState): string | null {
  const [what = "", ...args] = words(rest);
  switch (what) {
    case "state":
      return same("state", args[0] ?? "", state.step);
    case "outcome":
      return same("outcome", args[0] ?? "", state.outcome ?? "none");
    case "handoff":
      return same("handoff", args[0] ?? "", state.handoff ?? "none");
    case "slots":
      return args.map((arg) => field(arg, state.slots, "slot")).find((one) => one !== null) ?? null;
    case "effects":
      return counts("effects", args, tally(state.effects.map(({ name }) => name)));
    case "calls":
      return counts("calls", args, state.calls);
    case "effect":
      return effect(args, state);
    case "timers":
      return timers(args, state);
    default:
      return `"= ${what}" is no expectation`;
  }
}

function same(what: string, expected: string, got: string): string | null {
  return expected === got ? null : `${what}: expected ${expected}, got ${got}`;
}

/** `name=value` exactly, `name~part` contained; values in canonical form. */
function field(arg: string, data: JsonObject, what: string): string | null {
  const match = /^([\w.-]+)([=~])([\s\S]*)$/.exec(arg);
  if (!match) return `"${arg}" is no ${what}=value`;
  const [, name = "", sign, expected = ""] = match;
  const got = text(data[name]);
  const fits = sign === "=" ? got === expected : got.includes(expected);
  return fits ? null : `${what} ${name}: expected ${expected}, got ${got === "" ? "nothing" : got}`;
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function tally(names: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const name of names) counted[name] = (counted[name] ?? 0) + 1;
  return counted;
}

/** `a*2 b` names everything there may be; `none` that there is nothing. */
function counts(
  what: string,
  args: readonly string[],
  got: Readonly<Record<string, number>>,
): string | null {
  const expected: Record<string, number> = {};
  for (const arg of args)
    if (arg !== "none") {
      const [name = "", times = "1"] = arg.split("*");
      expected[name] = Number(times);
    }
  const line = (table: Readonly<Record<string, number>>): string =>
    Object.keys(table)
      .sort()
      .map((name) => `${name}*${table[name] ?? 0}`)
      .join(" ") || "none";
  return same(what, line(expected), line(got));
}

function effect([name = "", ...fields]: readonly string[], state: ChatState): string | null {
  const last = state.effects.findLast((one) => one.name === name);
  if (!last) return `effect ${name}: it was never asked for`;
  return fields.map((arg) => field(arg, last.input, name)).find((one) => one !== null) ?? null;
}

function timers(args: readonly string[], state: ChatState): string | null {
  for (const arg of args) {
    const [name = "", time = ""] = arg.split("@");
    const timer = state.timers.find((one) => one.name === name);
    if (!timer) return `timer ${name}: there is none`;
    const due = durationMs(time);
    if (due === null) return `"${time}" is no duration`;
    if (Math.abs(timer.inMs - due) > TIMER_SLACK_MS)
      return `timer ${name}: expected in ${time}, due in ${Math.round(timer.inMs / 1000)}s`;
  }
  return null;
}
