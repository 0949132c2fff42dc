/** What no request can do to a running server: such a chat file is told apart by its first line of that sort, and not played. */
import { effects } from "./shipped-effects.ts";
import type { ChatFile, FlowLibrary } from "../flow/index.ts";
import { findRoute } from "../gateway/index.ts";
import { doneHere } from "./chat-shelf.ts";
import { routeBehind } from "./town-faults.ts";

/** The file says what a server cannot be made to do from outside; it is told so and not played. */
export class NotOverHttp extends Error {
  override readonly name = "NotOverHttp";
}

const ONLY_HERE: readonly (readonly [RegExp, string])[] = [
  [/^crash\b/, "a server is not killed by a request"],
  [/^deploy\b/, "a server's flows are not exchanged by a request"],
];

/** The first line that cannot be played over HTTP; none is left out in silence. */
export function refusedLine(
  { file, headers, lines }: ChatFile,
  library: FlowLibrary,
): string | undefined {
  const sms = headers.find(({ name, rest }) => name === "channel" && rest.trim() === "sms");
  if (sms)
    return `${file}:${sms.line} "@channel sms" cannot be played over HTTP: who got no short message has none to answer, so nobody begins`;
  const steps = callsOf(library);
  for (const { op, rest, line, file: other } of lines) {
    const why =
      op === "!"
        ? ONLY_HERE.find(([what]) => what.test(rest))?.[1]
        : op === "*"
          ? answeredAtOnce(rest, steps)
          : op === "<" && rest.startsWith("[location")
            ? "the channel puts a place into words"
            : op === ">" && /^\[(vote|other)\b/.test(rest)
              ? "a vote names its poll, and other sorts of messages differ by engine"
              : undefined;
    if (why !== undefined)
      return `${other ?? file}:${line} "${op} ${rest}" cannot be played over HTTP: ${why}`;
  }
  return undefined;
}

/** Effects by the ids of the steps that ask for them. */
function callsOf(library: FlowLibrary): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { t, id, effect } = part as { t?: unknown; id?: unknown; effect?: unknown };
    if (t === "effect" && typeof id === "string" && typeof effect === "string")
      found.set(id, (found.get(id) ?? new Set()).add(effect));
    for (const inner of Object.values(part)) walk(inner);
  };
  for (const { ast } of library.asts()) walk(ast.steps);
  return found;
}

/** Only what is billed in credits, and what the house does itself, can be kept waiting for a line. */
function answeredAtOnce(
  rest: string,
  steps: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  const [event = ""] = rest.split(/\s/);
  const dot = event.lastIndexOf(".");
  const effects = [...(steps.get(event.slice(0, dot)) ?? [])];
  if (effects.length === 0 || effects.some((name) => ofTheHouse(name))) return undefined;
  if (effects.some((name) => waits(name)))
    return event.slice(dot + 1) === "failed"
      ? `no answer of the sandbox makes ${effects.join(" or ")} end as failed`
      : undefined;
  return `${effects.join(" and ")} is answered by the server at once`;
}

/** Whether a call of a flow can be made to wait: what is billed in credits has a scope of its own. */
export function waits(effect: string): boolean {
  return findRoute(routeBehind(effect))?.billing === "credits";
}

/** Whether it is the house's own work and a chat file tells what came of it. */
export function ofTheHouse(effect: string): boolean {
  return effects.locals.has(effect) && !doneHere(effect);
}
