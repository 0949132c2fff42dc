/**
 * Bugs put in on purpose. Each is a change of one or two lines of the sources, made on their way into the bundle; a run
 * that is clean without it must have an oracle that speaks up with it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Dice } from "../support/dice.ts";
import { type Edit } from "../support/bundle.ts";
import { compare, openStage, play } from "./flagship.ts";
import { killRun, type KillRun } from "./kill-run.ts";
import type { Verdict } from "./oracles.ts";
import type { Stage } from "./stage.ts";

export type Scene =
  "repeats" | "late worker" | "dying ingress" | "refusal" | "lost note" | "outage";

export interface Plant {
  readonly name: string;
  readonly scene: Scene;
  readonly edits: readonly Edit[];
}

const COMMIT = "src/store/redis/lua/commit.lua";
const VERDICT = "src/worker/verdict.ts";

export const PLANTS: readonly Plant[] = [
  {
    name: "skip dedupe",
    scene: "repeats",
    edits: [
      {
        file: "src/store/redis/lua/prelude.lua",
        find: "if seen and tonumber(seen) > NOW - window then return true end",
        replace: "",
      },
    ],
  },
  {
    name: "skip fencing",
    scene: "late worker",
    edits: [
      {
        file: COMMIT,
        find: "f[2] ~= ARGV[3] or rev ~= tonumber(ARGV[4]) or applied > length",
        replace: "applied > length",
      },
      {
        file: COMMIT,
        find: "if applied > 0 and ARGV[6] ~= '' and split(redis.call('LINDEX', m, 0)) ~= ARGV[6] then return {0} end",
        replace: "rev = tonumber(ARGV[4])",
      },
    ],
  },
  {
    name: "answer before the write",
    scene: "dying ingress",
    edits: [
      {
        file: "src/server/webhooks.ts",
        find: "await deps.ingest(account, channel.name, parsed.events);",
        replace: "void deps.ingest(account, channel.name, parsed.events).catch(() => undefined);",
      },
    ],
  },
  {
    name: "retry on 4xx",
    scene: "refusal",
    edits: [
      {
        file: VERDICT,
        find: 'return callClass === "message" ? failedSend(outcome) : toFlow(outcome);',
        replace: 'return of.attempt < 3 ? { kind: "retry", counts: true } : failedSend(outcome);',
      },
    ],
  },
  {
    name: "send a fiscal call again",
    scene: "lost note",
    edits: [
      {
        file: VERDICT,
        find: 'return { kind: "held", reason: decision.reason, known: false };',
        replace: 'return { kind: "retry", counts: true };',
      },
    ],
  },
  {
    name: "forget a timer",
    scene: "repeats",
    edits: [
      {
        file: COMMIT,
        find: "else redis.call('ZADD', TIMERS, ARGV[8], contact) end",
        replace: "end",
      },
    ],
  },
  {
    name: "spend attempts while offline",
    scene: "outage",
    edits: [
      {
        file: VERDICT,
        find: 'if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };',
        replace:
          'if (decision.entry === "keep") return again(of, { kind: "retry", attempt: true, limit: 2 } as never, outcome, false);',
      },
    ],
  },
];

/** Short enough for seven of them, long enough for the bug to meet its moment. */
const SMALL = { store: "redis", contacts: 24, each: 20, kills: 0, gapMs: 150, workers: 2 } as const;
/** Longer than a contact's lease. */
const SLEEP_MS = 3_000;
/** Longer than three tries with their pauses. */
const OUTAGE_MS = 14_000;

/** Plays a scene with a bundled program; what the oracles say of it. */
export async function playScene(
  scene: Scene,
  program: string,
  seed: number,
): Promise<readonly Verdict[]> {
  if (scene === "lost note") return lostNote(program);
  const { verdicts } = await killRun({ ...SMALL, ...SCENES[scene], program, seed });
  return verdicts;
}

const SCENES: Readonly<Record<Exclude<Scene, "lost note">, Partial<KillRun>>> = {
  repeats: {},
  // One worker stops with its turns in hand for longer than their leases, again and again; the other takes over.
  "late worker": {
    plan: (role, dice) =>
      role === "worker"
        ? { point: "commit:before", nth: dice.between(2, 12), sleepMs: SLEEP_MS }
        : {},
    each: 40,
  },
  "dying ingress": {
    kills: 5,
    plan: (role, dice) =>
      role === "ingress" ? { point: "accept:before", nth: dice.between(10, 40) } : {},
  },
  refusal: { before: refuse },
  outage: { during: outage, onlyOutages: true, each: 100 },
};

async function refuse(stage: Stage): Promise<void> {
  await stage.control("POST", "/sandbox/faults", {
    effect: { kind: "status", status: 400 },
    times: 5,
  });
}

async function outage(stage: Stage): Promise<void> {
  await pause(1_000);
  await stage.gatewayProxy.set({ kind: "cut" });
  await pause(OUTAGE_MS);
  await stage.gatewayProxy.set({ kind: "none" });
}

/** The note is issued and its answer lost: nobody may ask for it again. */
async function lostNote(program: string): Promise<readonly Verdict[]> {
  const stage = await openStage(program, "redis");
  try {
    await stage.control("POST", "/sandbox/faults", {
      ...{ tipo: "nfse-envio", effect: { kind: "accepted_then_lost" }, times: 1 },
    });
    const played = await play(stage, 1, 0);
    const wrong = compare(played, played);
    return [{ oracle: "ledger", wrong }];
  } catch (error) {
    return [{ oracle: "conversation", wrong: [String(error)] }];
  } finally {
    await stage.close();
  }
}

/** The seed of a scene's dice, from the run's. */
export const seedOf = (seed: number, scene: Scene): number => new Dice(seed).split(scene).seed;
