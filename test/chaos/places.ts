/**
 * The places of the flagship conversation: every durable write of its calm form, scene by scene. A place is named by the
 * step, by the collection of a `documents.put` or `documents.remove`, and by the so-many-th time in its scene (`documents.put:after invoices #3`), so that
 * a write of the house which comes by the clock (a lease made longer, a worker that says it is there) moves no other.
 */
import type { Plan, Point } from "../support/faulty-store.ts";

export interface Place {
  readonly name: string;
  /** Whether it is demanded: every calm conversation had it. What only some had, or comes by the clock, may not come again. */
  readonly always: boolean;
}

/** Writes of the house that come by the clock, whoever talks: a lease made longer, a worker that says it is there, sums. */
const BY_CLOCK =
  /^(?:effects\.renew:|documents\.(?:put|remove):\w+ (?:workers|builds|liveness|budget|reports|retention) )/;

/** So many conversations are to die at a place before it is said that none did. */
const TRIES = 4;

/** One conversation: where it dies in each scene, and how often it was tried before. */
export interface Attempt {
  readonly at: readonly (string | undefined)[];
  readonly tried: number;
}

/** The names of a scene's writes, in their order. */
export function named(writes: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  return writes.map((write) => {
    const time = (times.get(write) ?? 0) + 1;
    times.set(write, time);
    return `${write} #${time}`;
  });
}

/** Dies at this place. */
export function planOf(place: string): Plan {
  const [, point = "", of, nth] = /^(\S+)(?: (.+))? #(\d+)$/.exec(place) ?? [];
  return { point: point as Point, nth: Number(nth), ...(of === undefined ? {} : { of }) };
}

/** The places of each scene, from the names that calm conversations passed: what is demanded first. */
export function placesOf(calm: readonly (readonly (readonly string[])[])[]): readonly Place[][] {
  const scenes = calm[0] ?? [];
  return scenes.map((_, at) => {
    const names = new Set(calm.flatMap((passed) => passed[at] ?? []));
    const all = [...names].map((name) => ({
      name,
      always: !BY_CLOCK.test(name) && calm.every((passed) => passed[at]?.includes(name)),
    }));
    return [...all.filter(({ always }) => always), ...all.filter(({ always }) => !always)];
  });
}

/**
 * Share of the writes that more than one calm conversation told: one that told less would make fewer of them demanded, in
 * silence. What one alone told was a hiccup of its own.
 */
const TOLD = 0.9;

/** Calm conversations that told too few of their writes, and too few places altogether. */
export function scarce(
  calm: readonly (readonly (readonly string[])[])[],
  places: readonly Place[][],
  least: number,
): readonly string[] {
  const byFact = (name: string): boolean => !BY_CLOCK.test(name);
  const common = (name: string, scene: number): boolean =>
    calm.filter((passed) => passed[scene]?.includes(name)).length > 1;
  const all = places.flatMap((scene, at) =>
    scene.filter(({ name }) => byFact(name) && common(name, at)),
  ).length;
  const short = calm.flatMap((passed, at) => {
    const own = passed.flat().filter(byFact).length;
    return own < TOLD * all ? [`calm conversation ${at + 1} told ${own} of ${all} writes`] : [];
  });
  const demanded = places.flat().filter(({ always }) => always).length;
  const few = demanded < least ? [`only ${demanded} places, ${least} at least`] : [];
  return [...short, ...few];
}

/** Whether a process died at this place: a death of another kind that came just then is none. */
export const isDeathAt = ({ point }: { readonly point: string }, place: string): boolean =>
  point === planOf(place).point;

/** Every second place: a place is in the same half on every day, whatever other places there are. */
export function halfOf(places: readonly Place[][], half: 0 | 1): readonly Place[][] {
  const sum = (text: string): number =>
    [...text].reduce((all, unit) => all + unit.charCodeAt(0), 0);
  return places.map((scene, at) => scene.filter(({ name }) => (sum(name) + at) % 2 === half));
}

/** As few conversations as there are places in the longest scene: each dies in every scene that has one left. */
export function attemptsOf(places: readonly Place[][]): Attempt[] {
  const most = Math.max(...places.map((scene) => scene.length));
  return Array.from({ length: most }, (_, nth) => ({
    ...{ at: places.map((scene) => scene[nth]?.name), tried: 0 },
  }));
}

/** What was died at, of the places that were chosen. */
export class Toll {
  readonly #places: readonly Place[][];
  readonly #died: readonly Set<string>[];

  constructor(places: readonly Place[][]) {
    this.#places = places;
    this.#died = places.map(() => new Set<string>());
  }

  /** Notes where a conversation died, scene by scene. Answers what is to be tried again, if anything. */
  note({ at, tried }: Attempt, died: readonly (string | undefined)[]): Attempt | undefined {
    for (const [scene, place] of died.entries())
      if (place !== undefined) this.#died[scene]?.add(place);
    const again = at.map((place, scene) =>
      this.#missed(scene).some(({ name }) => name === place) ? place : undefined,
    );
    const some = again.some((place) => place !== undefined);
    return some && tried + 1 < TRIES ? { at: again, tried: tried + 1 } : undefined;
  }

  /** Places of the chosen ones that every calm conversation has, and how many of them were died at. */
  get counts(): { readonly died: number; readonly chosen: number } {
    const chosen = this.#places.flat().filter(({ always }) => always).length;
    return { chosen, died: chosen - this.missed.length };
  }

  /** Places nobody died at although every calm conversation has them. */
  get missed(): readonly string[] {
    return this.#places.flatMap((_, scene) =>
      this.#missed(scene).map(({ name }) => `${name} of scene ${scene + 1}`),
    );
  }

  #missed(scene: number): readonly Place[] {
    const died = this.#died[scene];
    return (this.#places[scene] ?? []).filter(({ name, always }) => always && !died?.has(name));
  }
}
