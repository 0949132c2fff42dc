/** What the harness itself does to a running installation: one fault of the catalogue at a time, each over in seconds. */
import { setTimeout as pause } from "node:timers/promises";
import type { Dice } from "../support/dice.ts";
import type { Fault, FaultProxy } from "../support/proxy.ts";
import type { Stage } from "./stage.ts";

/** Of the process, of Redis, of the line to it, of the line to the gateway, of the clock. */
export const ACTS = [
  ...(["freeze", "redis killed", "answers lost", "slow line", "answers in crumbs"] as const),
  ...(["line cut", "line silent", "gateway away", "gateway line cut", "gateway silent"] as const),
  "clock moved",
] as const;
export type Act = (typeof ACTS)[number];

/** Acts that need a Redis behind a proxy. */
export const OF_REDIS: readonly Act[] = [
  ...(["redis killed", "answers lost", "slow line", "answers in crumbs"] as const),
  ...(["line cut", "line silent"] as const),
];

/** Acts in which an answer of the gateway may be lost to a process that lives on. */
export const OF_GATEWAY: readonly Act[] = ["gateway away", "gateway line cut", "gateway silent"];

/** Longer than a contact's lease, so that another worker takes over. */
const FREEZE_MS = 3_000;
const LOST_MS = 400;
/** Long enough for a few hundred commands. */
const SLOW_MS = 1_500;
/** Shorter than the time-out of a call, longer than that of a command. */
const AWAY_MS = 2_000;
/** Messages that waited for half an hour are told in one word: a test that counts them moves the clock less far. */
const LONGEST_MOVE_MIN = 10;

/** Resolves when it is over: with the process it was done to, where that was one and no other. */
export async function perform(stage: Stage, act: Act, dice: Dice): Promise<number | undefined> {
  if (act === "freeze") return dice.pick(stage.lives).freeze(FREEZE_MS);
  await broken(stage, act, dice);
  return undefined;
}

async function broken(stage: Stage, act: Exclude<Act, "freeze">, dice: Dice): Promise<void> {
  const { redisProxy, gatewayProxy } = stage;
  switch (act) {
    case "redis killed":
      return stage.killRedis();
    case "answers lost":
      return during(redisProxy, { kind: "drop-replies" }, LOST_MS);
    case "slow line":
      return during(redisProxy, { kind: "delay", ms: 60, jitterMs: 50 }, SLOW_MS);
    case "answers in crumbs":
      return during(redisProxy, { kind: "slice", bytes: 200, ms: 1 }, SLOW_MS);
    case "line cut":
      return redisProxy?.reset();
    case "line silent":
      return redisProxy?.strand();
    case "gateway away":
      return during(gatewayProxy, { kind: "cut" }, AWAY_MS);
    case "gateway line cut":
      return gatewayProxy.reset();
    case "gateway silent":
      return during(gatewayProxy, { kind: "half-open" }, AWAY_MS);
    case "clock moved":
      return stage.moveClock(dice.between(1, LONGEST_MOVE_MIN));
  }
}

async function during(proxy: FaultProxy | undefined, fault: Fault, ms: number): Promise<void> {
  await proxy?.set(fault);
  await pause(ms);
  await proxy?.set({ kind: "none" });
}
