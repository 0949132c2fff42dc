/**
 * A store with death in it: counts the steps that change something, and ends the process before or after the one that was
 * chosen. Around the real store, in the process that is tested; nothing of it is in the program itself.
 */
import { writeSync } from "node:fs";
import type { Claimed, Store } from "../../src/store/index.ts";
import type { Take } from "../../src/store/port/port.ts";
import { type StepName, withSteps } from "../../src/store/port/with-steps.ts";

/** Steps that write; `effects.confirm` only waits for what others wrote. */
export const STEPS = [
  "contacts.identify",
  "mail.accept",
  "mail.claim",
  "mail.commit",
  "deadLetters.add",
  "mail.tick",
  "effects.begin",
  "effects.amend",
  "effects.renew",
  "effects.end",
  "effects.reap",
  "effects.resolve",
  "keys.claim",
  "keys.hold",
  "keys.settle",
  "keys.free",
  "keys.release",
  "scopes.pause",
  "scopes.resume",
  "documents.put",
  "documents.remove",
  "deadLetters.resolve",
  "contacts.erase",
  "contacts.forgetLines",
  "contacts.lead",
] as const satisfies readonly StepName[];
export type Step = (typeof STEPS)[number];
/** What is left of the port: it reads, waits, listens, or wraps keys anew. */
type Rest =
  | "contacts.lookup"
  | "contacts.knew"
  | "effects.confirm"
  | "scopes.pauses"
  | "documents.get"
  | "documents.list"
  | "documents.ids"
  | "views.session"
  | "views.sessions"
  | "views.journal"
  | "views.effect"
  | "views.effects"
  | "views.effectsOf"
  | "views.held"
  | "deadLetters.list"
  | "views.backlog"
  | "info"
  | "now"
  | "close"
  | "census"
  | "onKeyMissing"
  | "onDamaged"
  | "onUnconfirmed"
  | "onWake";
/** Does not compile when the port has a step that stands in neither: nobody would ever die at it. */
const EVERY: Readonly<Record<Exclude<StepName, Step | Rest>, never>> = {};
void EVERY;
/** `take:after`: after a `mail.accept` that leased the contact in the same step. */
export type Point = `${Step}:${"before" | "after"}` | "take:after";

export interface Plan {
  /** Dies at this point; without it at any between two writes (see {@link OUTSIDE}). */
  readonly point?: Point;
  /** … of a `documents.put` or `documents.remove` in this collection only. */
  readonly of?: string;
  /** … the so-many-th time, 1 first. */
  readonly nth?: number;
  /** Dies this long after its first step, ms, or as soon after as it has work in hand. */
  readonly afterMs?: number;
  /** Stops for this long at the point instead of dying, ms; other processes meanwhile take over. */
  readonly sleepMs?: number;
  /** … and each so-many-th time after that. */
  readonly again?: true;
  /** Prints each place it could die at: `WROTE <point>`, of a `documents.put` or `documents.remove` with its collection. */
  readonly trace?: boolean;
}

/** Polls: they write only when they bring something, and before that nobody knows. */
const POLLS: readonly Step[] = ["mail.claim", "mail.tick", "effects.begin", "effects.reap"];
/** Steps whose place is named by their collection, too. */
const OF_COLLECTION: readonly Step[] = ["documents.put", "documents.remove"];
/** Written by every start, before there is any work; later by what is done. */
const SETUP = ["meta", "flows", "accounts", "audit"];
/** Steps that bring work. */
const WORK: readonly Step[] = [
  "mail.accept",
  "mail.claim",
  "mail.commit",
  "mail.tick",
  "effects.begin",
  "effects.reap",
  "effects.resolve",
];

/**
 * Steps before which the outside was asked: to die there is not the same as to die after the write before. Before all
 * others nothing has happened since. `contacts.identify` writes for a new person only, and is left to a point of its own.
 */
const OUTSIDE: readonly Step[] = [
  "effects.end",
  "keys.settle",
  "keys.free",
  "documents.put",
  "documents.remove",
  "mail.accept",
];

const tell = (line: string): void => void writeSync(1, `${line}\n`);

/** What this process holds unfinished: turns claimed, effects begun, webhooks not answered, timers just moved. */
class InHand {
  claimed = 0;
  begun = 0;
  accepting = 0;
  /** Contacts leased by a `mail.accept` so far. */
  taken = 0;
  /** Timers made mail of that nobody here has claimed yet. */
  moved = 0;

  get sum(): number {
    return this.claimed + this.begun + this.accepting + this.moved;
  }
}

/** `kill -9` by its own hand; not one instruction more runs. */
function die(why: string, hand: InHand): never {
  tell(`DIED ${why} ${hand.sum}`);
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("a dead process went on");
}

export interface Faulty {
  readonly store: Store;
  /** Another plan from now on; steps are counted anew. Prints `ARMED` once that is so. */
  arm(plan: Plan): void;
}

export function faulty(store: Store, given: Plan): Faulty {
  const hand = new InHand();
  let plan = given;
  let seen = 0;
  let working = false;
  let overdue = false;
  let isSetUp = false;
  const begin = (): void => {
    if (working) return;
    working = true;
    if (plan.afterMs === undefined) return;
    setTimeout(() => {
      overdue = true;
      if (hand.sum > 0) die("random", hand);
    }, plan.afterMs);
  };

  const at = async (point: Point, given: readonly unknown[] = []): Promise<void> => {
    const [step, side] = point.split(":") as [Step, string];
    if (plan.point !== undefined && plan.point !== point) return;
    if (plan.of !== undefined && plan.of !== given[0]) return;
    if (plan.point === undefined && side === "before" && !OUTSIDE.includes(step)) return;
    if (plan.point === undefined && step === "contacts.identify") return;
    seen += 1;
    if (plan.trace)
      tell(`WROTE ${point}${OF_COLLECTION.includes(step) ? ` ${String(given[0])}` : ""}`);
    const nth = plan.nth ?? (plan.point === undefined ? 0 : 1);
    if (plan.again ? seen % nth !== 0 : seen !== nth) return;
    if (plan.sleepMs === undefined) die(point, hand);
    tell(`SLEPT ${point} ${hand.sum}`);
    await new Promise((done) => setTimeout(done, plan.sleepMs));
  };

  const around = (step: Step, own: unknown) => {
    const real = own as (...given: unknown[]) => Promise<unknown>;
    return async (...given: unknown[]): Promise<unknown> => {
      const setup = OF_COLLECTION.includes(step) && SETUP.includes(given[0] as string);
      if (setup && !isSetUp) return real(...given);
      if (!POLLS.includes(step)) begin();
      const webhook = step === "mail.accept" || step === "contacts.identify";
      if (webhook) hand.accepting += 1;
      try {
        if (!POLLS.includes(step)) await at(`${step}:before`, given);
        const before = hand.taken;
        const answer = await real(...(step === "mail.accept" ? taking(given, hand) : given));
        if (!brought(step, answer)) return answer;
        if (WORK.includes(step)) isSetUp = true;
        begin();
        count(hand, step, given, answer);
        if (overdue && hand.sum > 0) die("random", hand);
        if (hand.taken > before && plan.point === "take:after") await at(plan.point);
        await at(`${step}:after`, given);
        return answer;
      } finally {
        if (webhook) hand.accepting -= 1;
      }
    };
  };
  const names = new Set<string>(STEPS);
  const deadly = withSteps(store, (name, own) =>
    names.has(name) ? around(name as Step, own) : undefined,
  );
  return {
    store: deadly,
    arm(next) {
      plan = next;
      seen = 0;
      // Whoever begins a scene waits for it: on a busy machine the scene's first steps would come before its plan.
      tell("ARMED");
    },
  };
}

/** What is accepted may be leased in the same step: it is in hand from then on. */
function taking([items, take]: readonly unknown[], hand: InHand): unknown[] {
  if (take === undefined) return [items];
  const { claimed, ...wish } = take as Take;
  return [
    items,
    { ...wish, claimed: (one: Claimed) => (hand.claimed++, hand.taken++, claimed(one)) },
  ];
}

/** Whether a step wrote anything. */
function brought(step: Step, answer: unknown): boolean {
  if (!POLLS.includes(step)) return true;
  return Array.isArray(answer) ? answer.length > 0 : (answer as number) > 0;
}

function count(hand: InHand, step: Step, given: readonly unknown[], answer: unknown): void {
  const many = Array.isArray(answer) ? answer.length : 1;
  switch (step) {
    case "mail.tick":
      hand.moved += answer as number;
      break;
    case "mail.claim":
      hand.claimed += many;
      hand.moved = 0;
      break;
    case "mail.commit": {
      hand.claimed = Math.max(0, hand.claimed - many);
      for (const one of answer as { begun?: readonly unknown[] }[])
        hand.begun += one.begun?.length ?? 0;
      break;
    }
    case "deadLetters.add":
      hand.claimed = Math.max(0, hand.claimed - 1);
      break;
    case "effects.begin":
    case "effects.reap":
      hand.begun += many;
      break;
    case "effects.end":
      hand.begun = Math.max(0, hand.begun - (given[0] as readonly unknown[]).length);
      break;
    default:
  }
}
