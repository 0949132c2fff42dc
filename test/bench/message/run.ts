/** The whole run: for each form the contestants in turn, round after round; then what is measured once. */
import { writeFileSync } from "node:fs";
import { CONTESTANTS, Fleet, installPeers, stepAside, type Fsync, type Name } from "./fleet.ts";
import type { Length } from "./form.ts";
import { Measure, type Plan, type Round, type Still } from "./measure.ts";
import { hottest, parts, type Profile } from "./profile.ts";
import type { Found } from "./result.ts";

/** A quarter of an hour, and Restate's turns. */
export const FULL: Plan = {
  rounds: 7,
  people: { 12: 300, 40: 100 },
  abreast: 64,
  halfMs: 8_000,
  warmForms: 4,
  weighed: 1_000,
  idleMessages: 600,
};
/** At most six minutes, and Restate's turns. */
export const QUICK: Plan = {
  ...FULL,
  rounds: 3,
  people: { 12: 200, 40: 64 },
  halfMs: 3_000,
  warmForms: 2,
  weighed: 400,
  idleMessages: 300,
};

/** Seconds: shows that everything works, measures nothing. */
export const SMOKE: Plan = {
  ...QUICK,
  rounds: 1,
  people: { 12: 32, 40: 16 },
  abreast: 16,
  halfMs: 300,
  warmForms: 1,
  weighed: 50,
  idleMessages: 30,
};

/** Rows of a profile that are told. */
const HOT = 15;
/** Forms of everybody while a profile is taken. */
const PROFILED_FORMS = 2;

export interface Wish {
  readonly plan: Plan;
  readonly fsync: Fsync;
  readonly lengths: readonly Length[];
  readonly names: readonly Name[];
  readonly note: (text: string) => void;
  /** Where Prosa's whole profile is kept; `.12.cpuprofile` or `.40.cpuprofile` is put behind it. */
  readonly keep?: string;
}

export async function run(wish: Wish): Promise<Found[]> {
  if (wish.names.some((name) => name !== "prosa" && name !== "floor")) installPeers(wish.note);
  stepAside();
  const all: Found[] = [];
  for (const length of wish.lengths) all.push(await one(wish, length));
  return all;
}

async function one({ plan, fsync, names, note, keep }: Wish, length: Length): Promise<Found> {
  const fleet = await Fleet.open(length, fsync);
  try {
    const absent: Partial<Record<Name, string>> = {};
    for (const name of names)
      await fleet.add(name).catch((error: Error) => {
        // Its server is a program of its own that not every machine can run; the others need nothing but Node and Redis.
        if (name !== "restate") throw error;
        absent[name] = error.message;
        note(`${name} is void: ${error.message}`);
      });
    const measure = new Measure(fleet, plan, length);
    for (const contestant of fleet.contestants) {
      const { wrong } = await measure.warm(contestant);
      if (wrong.length > 0) note(`${contestant.name}: ${wrong[0]}`);
    }
    const rounds = empty<Round[]>(() => []);
    for (let index = 0; index < plan.rounds; index++) {
      // Each round begins with another one, so that none is always the first.
      const order = fleet.contestants.map(
        (_, place) => fleet.contestants[(place + index) % fleet.contestants.length],
      );
      for (const contestant of order) {
        if (!contestant) continue;
        const round = await measure.round(contestant);
        rounds[contestant.name].push(round);
        note(
          `${length} questions, round ${index + 1}: ${contestant.name.padEnd(7)} ` +
            `${round.cpuMs.toFixed(3)} ms, store ${round.storeMs.toFixed(3)} ms, ` +
            `${round.perSecond.toFixed(0)}/s, reply ${round.replyP50.toFixed(1)}/${round.replyP99.toFixed(1)} ms, ack ${round.ackP99.toFixed(1)} ms`,
        );
      }
    }
    const still = empty<Still>(() => ({
      ...{ replyP50: Number.NaN, replyP99: Number.NaN, rssBytes: 0, wrong: [] },
      bytes: { all: 0, dedupe: 0, journal: 0 },
    }));
    for (const contestant of fleet.contestants)
      still[contestant.name] = await measure.still(contestant);
    const profileOf = async (name: Name): Promise<Profile | undefined> => {
      const one = fleet.contestants.find((contestant) => contestant.name === name);
      return one?.profile(() => measure.forms(one, PROFILED_FORMS));
    };
    const raw = await profileOf("prosa");
    const floor = await profileOf("floor");
    if (raw && keep) writeFileSync(`${keep}.${length}.cpuprofile`, JSON.stringify(raw));
    const profile = {
      ...(raw ? hottest(raw, HOT) : { functions: [], rooms: [] }),
      parts: { prosa: raw ? parts(raw) : [], floor: floor ? parts(floor) : [] },
    };
    return { length, fsync, absent, rounds, still, profile };
  } finally {
    await fleet.close();
  }
}

function empty<T>(make: () => T): Record<Name, T> {
  return Object.fromEntries(CONTESTANTS.map((name) => [name, make()])) as Record<Name, T>;
}
