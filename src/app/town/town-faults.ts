/** `! gateway ROUTE …`: how the next calls of a route end, in the sandbox's own words, judged as the worker judges them. */
import { durationMs } from "../../base/index.ts";
import { channels } from "../../channels/index.ts";
import type { CallEffect, CallResult, SendEffect } from "../../engine/index.ts";
import { didYouMean, words } from "../../flow/index.ts";
import { type CallOutcome, findRoute, type RouteId, routes } from "../../gateway/index.ts";
import { verdict, type Verdict } from "../../worker/index.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { rehearsalsOf } from "../chat/chat-effects.ts";
import type { ChatSetting } from "../chat/chat-setting.ts";
import type { Rehearsal } from "../authoring/rehearsal.ts";

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
  ...["timeout", "reset", "malformed", "html", "slow", "status", "business_error"],
  ...["accepted_then_lost", "no_balance"],
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
    ...{ route, kind, times },
    text: kind === "business_error" && !/^x\d+$/.test(first) ? first : "",
    ...(status === undefined ? {} : { status }),
    ...(ms === undefined ? {} : { ms }),
  };
}

/** The answer to a call of a dead process. */
const LOST: CallOutcome = { kind: "unknown", reason: "reset", ms: 0 };

/** How the call came back. */
function outcomeOf({ kind, status = 0, text }: GatewayFault): CallOutcome {
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

/** What became of an effect that went out. */
interface Struck {
  readonly route: string;
  /** Whether it took effect. */
  readonly arrives: boolean;
  readonly end: "done" | "again" | "paused";
}

export class TownFaults {
  readonly #setting: Pick<ChatSetting, "account" | "locale">;
  readonly #calls: LoadedBot["table"]["calls"];
  readonly #rehearsals: readonly Rehearsal[];
  readonly #armed: Armed[] = [];
  /** Calls whose answer takes its time: until when. */
  readonly #slow = new Map<string, number>();

  constructor(
    setting: Pick<ChatSetting, "account" | "locale">,
    bot: Pick<LoadedBot, "plugins" | "table">,
  ) {
    this.#setting = setting;
    this.#calls = bot.table.calls;
    this.#rehearsals = rehearsalsOf(bot);
  }

  /** The route behind a flow's effect. */
  routeBehind(effect: string): string {
    return this.#calls.get(effect)?.route ?? effect;
  }

  arm(what: string): void {
    const fault = faultIn(what);
    this.#armed.push({ ...fault, what, left: fault.times });
  }

  unstruck(): readonly string[] {
    return this.#armed.flatMap(({ what, left, times }) => (left === times ? [what] : []));
  }

  /** How long the answer of a call takes yet, ms. */
  lateMs(effect: string, now: number): number {
    return (this.#slow.get(effect) ?? now) - now;
  }

  /** A call of a flow. Without a fault it rests until a `*` line answers it. */
  call(effect: CallEffect, attempt: number, now: number): Struck & { result?: CallResult } {
    const route = this.routeBehind(effect.name);
    const fault = this.#next(route);
    if (!fault) return { route, arrives: true, end: "done" };
    if (fault.kind === "slow") {
      this.#slow.set(effect.id, now + (fault.ms ?? 0));
      return { route, arrives: true, end: "done" };
    }
    const judged = this.#judge(route, outcomeOf(fault), attempt);
    const result = this.#unpaid(effect.name, judged) ?? this.#resultOf(effect.name, judged);
    const arrives = fault.kind === "accepted_then_lost";
    return { route, arrives, end: result ? "done" : endOf(judged), ...(result ? { result } : {}) };
  }

  /** A bubble. One that took effect is proved by its echo, whatever was answered. */
  send(
    { channel, message, address }: SendEffect,
    attempt: number,
  ): Struck | (Omit<Struck, "end"> & { readonly end: "failed" }) {
    const { route } = channels[channel].render(message, address);
    const fault = this.#next(route);
    if (!fault || fault.kind === "slow" || fault.kind === "accepted_then_lost")
      return { route, arrives: true, end: "done" };
    const judged = this.#judge(route, outcomeOf(fault), attempt);
    const again = judged.kind === "retry" || judged.kind === "pause";
    return { route, arrives: false, end: again ? endOf(judged) : "failed" };
  }

  /** A call whose worker died while it was out: nobody knows whether it took effect. */
  lost(name: string, attempt: number): CallResult | "again" {
    const route = this.routeBehind(name);
    // What is no route is done inside the house, exactly once.
    if (!findRoute(route)) return "again";
    const judged = this.#judge(route, LOST, attempt);
    return this.#resultOf(name, judged) ?? "again";
  }

  #judge(route: string, outcome: CallOutcome, attempt: number): Verdict {
    const { onTimeout } = this.#setting.account;
    return verdict({ route: route as RouteId, onTimeout, attempt }, outcome);
  }

  #next(route: string): Armed | undefined {
    const fault = this.#armed.find((one) => one.route === route && one.left > 0);
    if (fault) fault.left--;
    return fault;
  }

  /** A call that does not wait for the top-up is told at once that there is no balance. */
  #unpaid(name: string, judged: Verdict): CallResult | undefined {
    if (judged.kind !== "pause" || judged.reason !== "no_balance") return undefined;
    if (this.#calls.get(name)?.unpaid !== "told") return undefined;
    return this.#resultOf(name, { kind: "failed", reason: judged.reason });
  }

  /** What the flow gets of a verdict; undefined while it gets nothing. */
  #resultOf(name: string, judged: Verdict): CallResult | undefined {
    switch (judged.kind) {
      case "rejected": {
        const { message, code = "" } = judged;
        for (const { refused } of this.#rehearsals) {
          const told = refused?.(name, { code, message }, this.#setting.locale);
          if (told) return told;
        }
        return { outcome: "rejected", out: { text: message, code } };
      }
      case "held":
        return { outcome: "held", out: { reason: judged.reason, text: "", support: "" } };
      case "failed":
        return { outcome: "failed", out: { reason: judged.reason, text: "", code: judged.reason } };
      default:
        return undefined;
    }
  }
}

function endOf(judged: Verdict): Struck["end"] {
  if (judged.kind === "retry") return "again";
  return judged.kind === "pause" ? "paused" : "done";
}
