/** What may come after the flagship conversation, on its own stages: a death at each place of the decision and of the cancellation. */
import { after, differ, permit, SCENES } from "./aftermath.ts";
import { openStage } from "./flagship.ts";
import { attemptsOf, placesOf, scarce, Toll } from "./places.ts";
import { lostOn } from "./left.ts";
import type { Shaken } from "./shake.ts";
import type { Stage, StoreKind } from "./stage.ts";

/** Places of both scenes that each store has, at least. */
const LEAST_PLACES = 36;
/** Calm conversations, on stages of their own: what they have in common comes in each. Two had a hiccup in common. */
const CALM = 3;

export interface ShakeAfter {
  /** Installations beside each other. */
  readonly stages: number;
  /** One conversation only, which dies at the so-many-th place of each scene. */
  readonly only?: number;
}

export async function shakeAfter(
  program: string,
  store: StoreKind,
  { stages: count, only }: ShakeAfter,
): Promise<Shaken> {
  const stages: Stage[] = [];
  try {
    // One after the other, as in `shake.ts`.
    while (stages.length < count) {
      const stage = await openStage(program, store);
      stages.push(stage);
      await permit(stage);
    }
    const first = stages.slice(0, CALM);
    // What an installation writes once in its life comes before.
    await Promise.all(first.map((stage) => after(stage, 0)));
    const [calm, ...others] = await Promise.all(first.map((stage) => after(stage, 1)));
    if (!calm) throw new Error("no calm conversation");
    const wrong = [calm, ...others].flatMap((one) => differ(calm, one));
    const passed = [calm, ...others].map((one) => one.passed);
    const all = placesOf(passed);
    wrong.push(...scarce(passed, all, LEAST_PLACES).map((line) => `${store}: ${line}`));
    const attempts = attemptsOf(all);
    const todo = only === undefined ? attempts : attempts.slice(only - 1, only);
    const toll = new Toll(all);
    let [held, conversations] = [0, 0];
    await Promise.all(
      stages.map(async (stage) => {
        for (let attempt = todo.shift(); attempt; attempt = todo.shift()) {
          conversations += 1;
          const shaken = await after(stage, 1 + conversations, attempt.at);
          held += shaken.held ? 1 : 0;
          const where = attempt.at
            .map((place, at) => `${place ?? "no place"} (${SCENES[at] ?? ""})`)
            .join(", ");
          wrong.push(...differ(calm, shaken).map((line) => `${store}, at ${where}: ${line}`));
          const again = toll.note(attempt, shaken.died);
          if (again && only === undefined) todo.push(again);
        }
      }),
    );
    if (only === undefined)
      wrong.push(...toll.missed.map((place) => `${store}: nobody died at ${place}`));
    wrong.push(...(await lostOn(stages)).map((line) => `${store}: ${line}`));
    return {
      ...{ store, held, wrong, conversations, ...toll.counts },
      deaths: stages.flatMap((stage) => stage.lives.flatMap((life) => life.deaths)),
      places: toll.counts.chosen,
    };
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}
