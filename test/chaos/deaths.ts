/** How the processes of a kill run die: at which named points, after how many steps. */
import type { Dice } from "../support/dice.ts";
import type { Plan, Point } from "../support/faulty-store.ts";

/** Where the recorder's conversation can die; the steps of invoices and people have runs of their own. */
export const POINTS: Readonly<Record<"ingress" | "worker" | "all", readonly Point[]>> = {
  ingress: [
    "contacts.identify:before",
    "contacts.identify:after",
    "mail.accept:before",
    "mail.accept:after",
  ],
  worker: [
    "mail.claim:after",
    "mail.commit:before",
    "mail.commit:after",
    "mail.tick:after",
    "effects.begin:after",
    "effects.end:before",
    "effects.end:after",
    "effects.reap:after",
    "contacts.lead:before",
    "contacts.lead:after",
  ],
  // What only a process that listens and works can do.
  all: ["take:after"],
};
const EVERY: readonly Point[] = Object.values(POINTS).flat();
/** A process whose named step does not come dies of age, ms after its first step. */
const AGE_MS = 2_500;
/** Share of a worker's deaths at a named point; the others come at any moment. */
const NAMED = 0.85;
/** Share of those at the point that is its own, of a process that listens and works. */
const OWN = 0.25;
/** Steps that come seldom. */
const RARE = /^(mail\.tick|effects\.(reap|renew)|deadLetters\.add|contacts\.lead)/;

/** Share of deaths at a point that has had too few, while there is one. */
const MADE_UP = 0.5;

/**
 * How the next process of this role dies. The listening one lives longer: without webhooks there is nothing to lose.
 * `seldom`: points that were died at too seldom so far. On a slow machine most processes die of age before their step
 * comes for the n-th time, so these are died at the first time.
 */
export function drawn(role: string, dice: Dice, seldom: readonly Point[] = []): Plan {
  const wanted = seldom.filter((point) => pointsOf(role).includes(point));
  if (wanted.length > 0 && dice.chance(MADE_UP))
    return { point: dice.pick(wanted), nth: 1, afterMs: AGE_MS };
  if (role === "ingress") return { point: dice.pick(POINTS.ingress), nth: dice.between(20, 250) };
  if (!dice.chance(NAMED)) return { afterMs: dice.between(100, 1_500) };
  const point = dice.pick(role === "all" && dice.chance(OWN) ? POINTS.all : pointsOf(role));
  const nth = RARE.test(point) ? 1 : dice.between(1, 10);
  return { point, nth, afterMs: AGE_MS };
}

function pointsOf(role: string): readonly Point[] {
  if (role === "all") return EVERY;
  return role === "ingress" ? POINTS.ingress : POINTS.worker;
}

/** Points of a table that were died at less often than asked. */
export function missed(points: ReadonlyMap<string, number>, least: number): readonly Point[] {
  return EVERY.filter((point) => (points.get(point) ?? 0) < least);
}
