/**
 * The flagship conversation, run in peace to learn every place between two durable writes, then again and again with a death
 * at each of those that were chosen.
 */
import { setTimeout as pause } from "node:timers/promises";
import { compare, openStage, play, TAIL_SCENES } from "./flagship.ts";
import { lostOn } from "./left.ts";
import type { Death } from "./life.ts";
import { type Attempt, attemptsOf, halfOf, placesOf, scarce, Toll } from "./places.ts";
import type { Stage, StoreKind } from "./stage.ts";

export interface Shaken {
  readonly store: StoreKind;
  readonly deaths: readonly Death[];
  /** Places of the calm conversation, over all scenes; how many of them were chosen, and died at. */
  readonly places: number;
  readonly chosen: number;
  readonly died: number;
  readonly conversations: number;
  readonly held: number;
  readonly wrong: readonly string[];
}

export interface Shake {
  /** Installations beside each other: most of the time is spent waiting for the leases of the dead. */
  readonly stages: number;
  /** Every second place only, these or the others; all when absent. */
  readonly half?: 0 | 1;
  /** One conversation only, which dies at the so-many-th place of every second scene: a sample, of which no place is demanded. */
  readonly only?: number;
  /** Nobody dies before: what is opened and played in peace until then leaves room for others. */
  readonly after?: Promise<void>;
}

/** Places that each store has, at least. A calm conversation that tells no writes would demand none. */
const LEAST_PLACES = 130;
/** Calm conversations, on stages of their own: what they have in common comes in each. Two had a hiccup in common. */
const CALM = 3;
/** An answer of the tax office takes so long, ms: what is written before it is told from what is written after. */
const ISSUING_MS = 700;
/** Between the first conversations of two stages, ms. */
const APART_MS = 500;
/** Until a call of it is given up, ms. */
const TIMEOUT_MS = 2_000;

/** A death at each chosen place. */
export async function shake(program: string, store: StoreKind, options: Shake): Promise<Shaken> {
  const stages: Stage[] = [];
  const opening: Promise<Stage>[] = [];
  try {
    // One after the other: a machine that starts thirty processes at once has no time for anybody's turn.
    for (let before: Promise<unknown> = Promise.resolve(); opening.length < options.stages;) {
      const opened = before.then(async () => {
        const stage = await openStage(program, store, TIMEOUT_MS);
        stages.push(stage);
        await stage.control("PUT", "/sandbox/invoicing", { delay_ms: ISSUING_MS });
        return stage;
      });
      // Whoever waits for it below is told.
      opened.catch(() => undefined);
      opening.push((before = opened));
    }
    const first = await Promise.all(opening.slice(0, CALM));
    // What an installation writes once in its life comes before: that is no part of the conversation.
    const briefs = await Promise.all(first.map((stage) => play(stage, 0, { brief: true })));
    const calms = await Promise.all(first.map((stage) => play(stage, 1)));
    const [brief, calm] = [briefs[0], calms[0]];
    if (!brief || !calm) throw new Error("no stage");
    const wrong = [...calms, ...briefs].flatMap((one) => compare(one, one));
    const passed = calms.map((one) => one.passed);
    const all = placesOf(passed);
    wrong.push(...scarce(passed, all, LEAST_PLACES).map((line) => `${store}: ${line}`));
    const chosen = options.half === undefined ? all : halfOf(all, options.half);
    const attempts = attemptsOf(chosen);
    const todo = options.only === undefined ? attempts : sampled(attempts, options.only);
    const toll = new Toll(chosen);
    await options.after;
    let [held, conversations] = [0, 0];
    await Promise.all(
      opening.map(async (opened, at) => {
        const stage = await opened;
        // Else all have their first deaths, and the coldest starts after them, at once.
        await pause(at * APART_MS);
        for (let attempt = todo.shift(); attempt; attempt = todo.shift()) {
          conversations += 1;
          const late = isLate(attempt);
          const shaken = await play(stage, 1 + conversations, { places: attempt.at, brief: late });
          held += shaken.held ? 1 : 0;
          const where = attempt.at.filter((place) => place !== undefined).join(", ");
          const found = compare(late ? brief : calm, shaken);
          wrong.push(...found.map((line) => `${store}, at ${where}: ${line}`));
          const again = toll.note(attempt, shaken.died);
          if (again && options.only === undefined) todo.push(again);
        }
      }),
    );
    if (options.only === undefined)
      wrong.push(...toll.missed.map((place) => `${store}: nobody died at ${place}`));
    wrong.push(...(await lostOn(stages)).map((line) => `${store}: ${line}`));
    return {
      ...{ store, held, wrong, conversations, ...toll.counts },
      deaths: stages.flatMap((stage) => stage.lives.flatMap((life) => life.deaths)),
      places: new Toll(all).counts.chosen,
    };
  } finally {
    await Promise.allSettled(opening);
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

/** The so-many-th attempt, without the deaths of every second scene. */
function sampled(attempts: readonly Attempt[], nth: number): Attempt[] {
  return attempts.slice(nth - 1, nth).map(({ at, tried }) => ({
    ...{ tried, at: at.map((place, scene) => (scene % 2 === nth % 2 ? place : undefined)) },
  }));
}

/** Whether it dies only where the sale told in one sentence has the same scenes. */
function isLate({ at }: Attempt): boolean {
  return at.slice(0, -TAIL_SCENES).every((place) => place === undefined);
}
