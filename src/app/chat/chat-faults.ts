/** `! gateway ROUTE …`: how the next calls of a route end, in the sandbox's own words. */
import { durationMs } from "../../base/index.ts";
import { didYouMean, words } from "../../flow/index.ts";
import { type CallOutcome, findRoute, routes } from "../../gateway/index.ts";

export interface GatewayFault {
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
export function faultIn(what: string): GatewayFault {
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
    ...(status === undefined ? {} : { status }),
    ...(ms === undefined ? {} : { ms }),
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
