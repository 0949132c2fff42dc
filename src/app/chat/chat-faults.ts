/** What goes wrong in a chat file: calls of a route (`! gateway ROUTE …`, in the sandbox's own words), and the process (`! crash …`). */
import { durationMs } from "../../base/index.ts";
import { didYouMean, words } from "../../flow/index.ts";
import { type CallOutcome, findRoute, routes } from "../../gateway/index.ts";
import type { Commit } from "../../store/index.ts";

interface GatewayFault {
  readonly route: string;
  readonly kind: string;
  /** Status, milliseconds or the gateway's sentence. */
  readonly status?: number;
  readonly ms?: number;
  readonly text: string;
  readonly times: number;
}

/** In the sandbox's words. */
export const FAULT_KINDS: readonly string[] = [
  "timeout",
  "reset",
  "malformed",
  "html",
  "slow",
  "status",
  "business_error",
  "accepted_then_lost",
  "no_balance",
];

/** `gateway sms.send status 503 x3`. Throws with the nearest name for what is none. */
function faultIn(what: string): GatewayFault {
  const [, route = "", kind = "", ...rest] = words(what);
  if (!findRoute(route))
    throw new Error(
      `${route} is no route.${didYouMean(
        route,
        routes.map(({ id }) => id),
      )}`,
    );
  if (!FAULT_KINDS.includes(kind))
    throw new Error(
      `"${kind}" is no fault.${didYouMean(kind, FAULT_KINDS)} There are: ${FAULT_KINDS.join(", ")}`,
    );
  const times = Number(/^x(\d{1,3})$/.exec(rest.at(-1) ?? "")?.[1] ?? 1);
  const [first = ""] = rest;
  const status = kind === "status" ? Number(first) : undefined;
  if (status !== undefined && !(status >= 200 && status <= 599))
    throw new Error(`status ${first} is no HTTP status`);
  const ms = kind === "slow" ? durationMs(first) : undefined;
  if (ms === null) throw new Error(`slow ${first} is no duration`);
  return {
    route,
    kind,
    times,
    text: kind === "business_error" && !/^x\d+$/.test(first) ? first : "",
    status,
    ms,
  };
}

/** How the call came back. */
export function outcomeOf({ kind, status = 0, text }: GatewayFault): CallOutcome {
  const ms = 1;
  switch (kind) {
    case "business_error": {
      const code = /^([A-Z]\d{3,4})\b/.exec(text)?.[1];
      const head = { kind: "business_error", message: text, status: 200, ms } as const;
      return code === undefined ? head : { ...head, code };
    }
    case "no_balance":
      return { kind: "refused", status: 402, ms };
    case "status":
      return status >= 500
        ? { kind: "unknown", reason: "server_error", status, ms }
        : { kind: "refused", status, ms };
    case "timeout":
      return { kind: "unknown", reason: "timeout", ms };
    case "malformed":
    case "html":
      return { kind: "unknown", reason: "unreadable", status: 200, ms };
    default:
      return { kind: "unknown", reason: "reset", ms };
  }
}

interface Armed extends GatewayFault {
  readonly what: string;
  left: number;
}

/** Faults of a chat file that are still to strike. */
export class ChatFaults {
  readonly #armed: Armed[] = [];

  arm(what: string): void {
    const fault = faultIn(what);
    this.#armed.push({ ...fault, what, left: fault.times });
  }

  unstruck(): readonly string[] {
    return this.#armed.flatMap(({ what, left, times }) => (left === times ? [what] : []));
  }

  /** What strikes the next call of this route. */
  next(route: string): GatewayFault | undefined {
    const fault = this.#armed.find((one) => one.route === route && one.left > 0);
    if (fault) fault.left--;
    return fault;
  }
}

type CrashPoint = "before commit" | "after commit" | "before send" | "after send";

interface ArmedCrash {
  readonly what: string;
  readonly point: CrashPoint;
  /** Effect or route; absent = whatever leaves next. */
  readonly name?: string | undefined;
}

const POINTS: readonly CrashPoint[] = [
  "before commit",
  "after commit",
  "before send",
  "after send",
];

/** `! crash before|after commit|send`: where the next process is lost. A turn that is made anew must come out the same. */
export class ChatCrashes {
  #armed: ArmedCrash[] = [];
  /** Of the contact whose turn was lost, as it had come out. */
  #lost: { readonly contact: string; readonly text: string } | undefined;

  /** `crash after send orders.place`. */
  arm(what: string): void {
    const [, when = "", where = "", name] = what.trim().split(/\s+/);
    const point = POINTS.find((one) => one === `${when} ${where}`);
    if (!point || (name !== undefined && where === "commit"))
      throw new Error(
        `"${what}": write crash before commit, crash after commit, crash before send or crash after send, the last two with the name of an effect where it matters`,
      );
    this.#armed.push({ what, point, name });
  }

  unstruck(): readonly string[] {
    return this.#armed.map(({ what }) => what);
  }

  /** Whether the process dies here. `names`: of what is sent, the effect and its route. */
  strikes(at: CrashPoint, ...names: readonly string[]): boolean {
    const struck = this.#armed.find(
      ({ point, name }) => point === at && (name === undefined || names.includes(name)),
    );
    this.#armed = this.#armed.filter((one) => one !== struck);
    return struck !== undefined;
  }

  /** The process dies before this turn is committed. */
  lose(commit: Commit): void {
    this.#lost = { contact: commit.contact, text: textOf(commit) };
  }

  /** Throws for a turn that is made anew and is another one. */
  compare(commit: Commit): void {
    if (this.#lost?.contact !== commit.contact) return;
    const { text } = this.#lost;
    this.#lost = undefined;
    if (text !== textOf(commit)) throw new Error("the turn came out differently after the crash");
  }
}

function textOf({ session, effects, due, journal }: Commit): string {
  return JSON.stringify([session, effects.map(({ payload }) => payload), due, journal]);
}
