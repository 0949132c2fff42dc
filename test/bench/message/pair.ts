/**
 * Two builds of Prosa in turn, on one Redis: what a message costs now and before. On a busy machine only the ratio of a
 * round says something; who goes first changes from round to round.
 */
import { Fleet, stepAside, type Fsync } from "./fleet.ts";
import type { Length } from "./form.ts";
import { Measure, share, type Plan } from "./measure.ts";

interface Cost {
  /** CPU of the bot's process for one message, ms. */
  readonly cpuMs: number;
  /** The same of Redis. */
  readonly redisMs: number;
  /** Commands that Redis ran for one message, those within scripts too. */
  readonly commands: number;
}

export interface Pair {
  readonly length: Length;
  readonly now: readonly Cost[];
  readonly before: readonly Cost[];
}

/** `against`: the folder of the other working copy. Throws when a reply was wrong. */
export async function pair(wish: {
  readonly plan: Plan;
  readonly fsync: Fsync;
  readonly lengths: readonly Length[];
  readonly against: string;
}): Promise<Pair[]> {
  stepAside();
  const all: Pair[] = [];
  for (const length of wish.lengths) all.push(await one(wish, length));
  return all;
}

async function one(
  { plan, fsync, against }: Parameters<typeof pair>[0],
  length: Length,
): Promise<Pair> {
  const fleet = await Fleet.open(length, fsync);
  try {
    const builds = [await fleet.add("prosa"), await fleet.add("prosa", against)] as const;
    const measure = new Measure(fleet, plan, length);
    const told = builds.map((): Cost[] => []);
    for (let round = -1; round < plan.rounds; round++)
      for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const build = builds[which];
        if (!build) continue;
        const cost = round < 0 ? undefined : await spent(fleet, measure, build);
        if (cost) told[which]?.push(cost);
        else await measure.warm(build);
      }
    const [now = [], before = []] = told;
    return { length, now, before };
  } finally {
    await fleet.close();
  }
}

async function spent(
  fleet: Fleet,
  measure: Measure,
  build: Parameters<Measure["forms"]>[0],
): Promise<Cost> {
  const before = [await build.usage(), await fleet.redis()] as const;
  const { times, wrong } = await measure.forms(build, 1);
  const after = [await build.usage(), await fleet.redis()] as const;
  if (wrong[0] !== undefined) throw new Error(wrong[0]);
  return {
    cpuMs: (after[0].cpuMs - before[0].cpuMs) / times.length,
    redisMs: (after[1].cpuMs - before[1].cpuMs) / times.length,
    commands: (after[1].commands - before[1].commands) / times.length,
  };
}

const COSTS: Readonly<Record<keyof Cost, string>> = {
  cpuMs: "CPU of the bot, ms",
  redisMs: "CPU of Redis, ms",
  commands: "commands of Redis",
};

/** One line for each form and cost: median (middle half) of now, before and of their ratios. */
export function pairTable(pairs: readonly Pair[]): string {
  const rows = pairs.flatMap(({ length, now, before }) =>
    (Object.keys(COSTS) as (keyof Cost)[]).map((what) => {
      const [ours, theirs] = [now, before].map((costs) => costs.map((cost) => cost[what]));
      const ratios = (ours ?? []).map((cost, index) => cost / (theirs?.[index] ?? Number.NaN));
      const name = `${length} questions, ${COSTS[what]}`;
      return `| ${[name, ...[ours, theirs, ratios].map((list) => middle(list ?? []))].join(" | ")} |`;
    }),
  );
  return ["| a message | now | before | ratio |", "|" + " --- |".repeat(4), ...rows].join("\n");
}

function middle(list: readonly number[]): string {
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => share(list, part).toFixed(3));
  return `${median} (${low}–${high})`;
}
