/**
 * The surroundings of one run of the long form, from its seed alone: store, load, what the harness does beside, and how the
 * gateway misbehaves. Every fault of {@link ACTS} and of {@link GATEWAY_FAULTS} has its turn within a few runs.
 */
import { Dice } from "../support/dice.ts";
import { ACTS, OF_REDIS } from "./acts.ts";
import type { KillRun } from "./kill-run.ts";

/** How a gateway answers that is not well; a share of all calls, or so many of them. */
const GATEWAY_FAULTS = [
  { effect: { kind: "status", status: 500 }, probability: 0.05 },
  { effect: { kind: "status", status: 502 }, probability: 0.05 },
  { effect: { kind: "status", status: 503 }, probability: 0.05 },
  { effect: { kind: "timeout", ms: 1_500 }, probability: 0.03 },
  { effect: { kind: "reset" }, probability: 0.05 },
  { effect: { kind: "malformed" }, probability: 0.05 },
  { effect: { kind: "html" }, probability: 0.05 },
  { effect: { kind: "html", status: 200 }, probability: 0.05 },
  { effect: { kind: "business_error" }, probability: 0.05 },
  { effect: { kind: "slow", ms: 1_500 }, probability: 0.05 },
  { effect: { kind: "accepted_then_lost" }, probability: 0.05 },
  { effect: { kind: "status", status: 400 }, probability: 0.02 },
  { effect: { kind: "status", status: 404 }, probability: 0.02 },
  { effect: { kind: "status", status: 422 }, probability: 0.02 },
  // These stop all sending until somebody lets it go on.
  { effect: { kind: "status", status: 401 }, probability: 0.01, times: 4 },
  { effect: { kind: "no_balance" }, probability: 0.01, times: 4 },
  { effect: { kind: "status", status: 403 }, probability: 0.01, times: 4 },
  { effect: { kind: "status", status: 429 }, probability: 0.01, times: 4 },
] as const;

/** Of those: what stands with 200 in the gateway's book and is no answer. */
const SPOILT = /^(?:malformed|html|business_error)$/;

/** At most so many of each kind of trouble in one run: more of it only hides which one it was. */
const MOST = { faults: 3, acts: 5 } as const;

export interface Drawn {
  readonly run: Omit<KillRun, "program" | "seed">;
  /** In words, for the one who reads along. */
  readonly told: string;
}

export function drawnRun(seed: number): Drawn {
  const dice = new Dice(seed).split("surroundings");
  const store = dice.chance(0.75) ? ("redis" as const) : ("embedded" as const);
  const faults = dice.shuffled(GATEWAY_FAULTS).slice(0, dice.between(0, MOST.faults));
  const possible = ACTS.filter((act) => store === "redis" || !OF_REDIS.includes(act));
  const acts = dice.shuffled(possible).slice(0, dice.between(1, MOST.acts));
  const run = {
    ...{ store, contacts: dice.between(20, 100), each: dice.between(20, 40) },
    // The one process of an embedded store dies one time after the other.
    kills: store === "redis" ? dice.between(15, 40) : dice.between(5, 12),
    ...{ workers: dice.between(1, 4), gapMs: dice.between(300, 900) },
    repeats: dice.between(10, 40) / 100,
    builds: dice.chance(0.3) ? (2 as const) : (1 as const),
    alls: dice.between(0, 2),
  };
  const strikes = faults.map(({ effect }) =>
    "status" in effect ? `${effect.kind} ${effect.status}` : effect.kind,
  );
  return {
    told: `${JSON.stringify(run)}; beside: ${acts.join(", ")}; gateway: ${strikes.join(", ") || "well"}`,
    run: {
      ...run,
      acts,
      operator: true,
      spoilt: faults.some(({ effect }) => SPOILT.test(effect.kind)),
      async before(stage) {
        for (const fault of faults)
          await stage.control("POST", "/sandbox/faults", { ...fault, seed });
      },
    },
  };
}
