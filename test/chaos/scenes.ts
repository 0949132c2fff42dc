/** Scenes in which a planted bug meets its moment, and which leave all oracles content without one. */
import { setTimeout as pause } from "node:timers/promises";
import { Dice } from "../support/dice.ts";
import { textIn, until } from "../support/prosa.ts";
import { after, differ, permit } from "./aftermath.ts";
import { approve, compare, cpfOf, openStage, play, request } from "./flagship.ts";
import type { Trouble } from "./book.ts";
import { killRun, type KillRun } from "./kill-run.ts";
import { CAP } from "./ledger.ts";
import { leftOn } from "./left.ts";
import type { Verdict } from "./oracles.ts";
import type { Stage } from "./stage.ts";

/** Scenes around one note, and those that are kill runs with a part of their own. */
type NoteScene = "lost note" | "same sale again" | "torn request" | "dying canceller";
type RunScene =
  | "repeats"
  | "late worker"
  | "dying ingress"
  | "refusal"
  | "refusal amid deaths"
  | "frozen sender"
  | "refused until resumed"
  | "hiccups"
  | "dying all"
  | "dying sender"
  | "two doors"
  | "slow calls"
  | "graceful stops"
  | "taken over"
  | "redis goes"
  | "stubborn route"
  | "outage"
  | "repeats in a file"
  | "hiccups in a file"
  | "dying file"
  | "dying sender in a file";
export type Scene = NoteScene | RunScene;

/** Short enough for a score of them, long enough for the bug to meet its moment. */
const SMALL = {
  ...({ store: "redis", contacts: 24, each: 20, kills: 0, gapMs: 150, workers: 2 } as const),
  // What a bug leaves lying is not waited for as long as in a run that may only be slow.
  drainMs: 40_000,
};
/** Longer than a contact's lease. */
const SLEEP_MS = 3_000;
/** Longer than the lease of a call nobody renews and the reaper's round, shorter than a call may take. */
const SLOW_MS = 12_000;
/** Calls begin; then a process stands still for longer than their leases and the reaper's round, shorter than they take. */
const ON_THEIR_WAY_MS = 2_000;
const FROZEN_MS = 9_500;
/** Between two graceful stops, and how long an answer takes that is on its way when one begins. */
const BETWEEN_STOPS_MS = 1_500;
const ANSWER_MS = 2_000;
/** A call that is due is made and answered within this; the longest pause between two tries of a message. */
const TRY_MS = 2_000;
const LONGEST_PAUSE_MIN = 1;
/** Spells of refusals, spread over the deaths; each is over before the next one begins. */
const SPELLS = 6;
const REFUSED_AT_ONCE = 3;
const BETWEEN_SPELLS_MS = 800;
/** Longer than three tries with their pauses. */
const OUTAGE_MS = 14_000;
/** A machine that probes asks first after 2 s, and sends after a look of its own; the person of this scene takes longer. */
const THINKING_MS = 7_000;

/** Plays a scene with a bundled program; what the oracles say of it. */
export async function playScene(
  scene: Scene,
  program: string,
  seed: number,
): Promise<readonly Verdict[]> {
  if (isOfNote(scene)) return judged(await openStage(program, "redis"), NOTES[scene]);
  const { verdicts } = await killRun({ ...SMALL, ...RUNS[scene], program, seed });
  return verdicts;
}

const isOfNote = (scene: Scene): scene is NoteScene => Object.hasOwn(NOTES, scene);

const RUNS: Readonly<Record<RunScene, Partial<KillRun>>> = {
  repeats: { undisturbed: true },
  // Turns stop on their way for longer than their leases, again and again; the other worker takes them over. One stop would say
  // little: where nothing has come meanwhile, a late commit finds an empty mailbox, and is refused for that.
  "late worker": {
    plan: (role, dice) =>
      role === "worker"
        ? { point: "mail.commit:before", nth: dice.between(10, 30), sleepMs: SLEEP_MS, again: true }
        : {},
    each: 40,
  },
  "dying ingress": {
    kills: 5,
    plan: (role, dice) =>
      role === "ingress" ? { point: "mail.accept:before", nth: dice.between(10, 40) } : {},
  },
  refusal: { before: (stage) => fault(stage, { kind: "status", status: 400 }, { times: 5 }) },
  // Few at a time and again and again: those of one moment are all one process's, and its death may excuse each of them.
  "refusal amid deaths": { during: refusing, kills: 8, gapMs: 300, workers: 3 },
  "frozen sender": { during: frozenSender, each: 40 },
  "refused until resumed": { during: refusedUntilResumed, undisturbed: true, each: 60 },
  hiccups: {
    before: (stage) => fault(stage, { kind: "status", status: 503 }, { probability: 0.1 }),
  },
  // It dies once a contact is accepted and leased in one step; whoever sent the event sends it again.
  "dying all": {
    roles: ["all"],
    kills: 5,
    plan: (_, dice) => ({ point: "take:after", nth: dice.between(10, 40) }),
  },
  // Half of what it has in hand never left, of the other half nobody wrote down that it did.
  "dying sender": {
    kills: 5,
    plan: (role, dice) =>
      role === "worker"
        ? {
            point: dice.pick(["mail.commit:after", "effects.end:before"]),
            nth: dice.between(10, 40),
          }
        : {},
  },
  // Each contact's webhooks come in by either, and each leases what it accepts.
  "two doors": { roles: ["all", "all"], undisturbed: true },
  // The gateway tells nothing of what was sent, else that would prove it and nothing leaves again.
  "slow calls": {
    async before(stage) {
      await stage.control("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
      await fault(stage, { kind: "slow", ms: SLOW_MS }, { route: "engineC.sendText", times: 6 });
    },
    undisturbed: true,
  },
  outage: { during: outage, onlyOutages: true, each: 100 },
  // A stop breaks nothing, so nothing may be said again because of it; no echo proves what was sent.
  "graceful stops": {
    async before(stage) {
      await stage.control("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
      await fault(
        stage,
        { kind: "slow", ms: ANSWER_MS },
        { route: "engineC.sendText", probability: 0.5 },
      );
    },
    during: gracefulStops,
    ...{ contacts: 40, each: 60 },
  },
  // Who was cut off in the middle of a turn leaves it to another process.
  "taken over": { kills: 12, workers: 3, contacts: 32, gapMs: 300 },
  "redis goes": { kills: 2, acts: ["redis killed", "redis killed"], workers: 3, gapMs: 300 },
  // One of them writes short messages, and the route of those answers 503 for more calls than one of them is granted.
  "stubborn route": {
    before: (stage) =>
      fault(stage, { kind: "status", status: 503 }, { route: "sms.send", times: CAP + 1 }),
    during: hurried,
    ...{ contacts: 7, each: 40 },
  },
  // The same on the store that is a file of its one process.
  "repeats in a file": { store: "embedded", undisturbed: true },
  "hiccups in a file": {
    store: "embedded",
    before: (stage) => fault(stage, { kind: "status", status: 503 }, { probability: 0.1 }),
  },
  "dying file": { store: "embedded", contacts: 16, kills: 8, gapMs: 300 },
  // At each death something had begun to leave.
  "dying sender in a file": {
    ...{ store: "embedded", contacts: 16, kills: 5, gapMs: 300 },
    plan: (_, dice) => ({
      point: dice.pick(["mail.commit:after", "effects.end:before"]),
      nth: dice.between(10, 40),
    }),
  },
};

async function fault(
  stage: Stage,
  effect: Readonly<Record<string, unknown>>,
  how: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status } = await stage.control("POST", "/sandbox/faults", { effect, ...how });
  if (status >= 300) throw new Error(`the fault was refused: ${status}`);
}

/**
 * A worker stands still with calls on their way for longer than their leases; the other takes them over, and its calls are
 * on their way in turn when the first one hears its answers. No echo proves what was sent.
 */
async function frozenSender(stage: Stage): Promise<readonly Trouble[]> {
  await stage.control("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
  await fault(stage, { kind: "slow", ms: SLOW_MS }, { route: "engineC.sendText" });
  await pause(ON_THEIR_WAY_MS);
  const frozen = stage.lives[1];
  if (frozen?.pid === undefined) throw new Error("there is nobody to stop");
  const from = Date.now();
  await frozen.freeze(FROZEN_MS);
  const broken = { from, to: Date.now(), pid: frozen.pid };
  await pause(ON_THEIR_WAY_MS);
  await stage.control("DELETE", "/sandbox/faults");
  return [broken];
}

/** Each of the answers that pause a scope; nobody calls until somebody says that it may go on. */
async function refusedUntilResumed(stage: Stage): Promise<readonly Trouble[]> {
  for (const effect of [
    // No machine may ask after it, so whatever leaves is wrong; of one alone a slow machine's sending was not seen in time.
    { kind: "no_balance" },
    { kind: "no_balance" },
    { kind: "status", status: 401 },
    { kind: "status", status: 403 },
  ]) {
    await fault(stage, effect, { times: 1 });
    // Where a bug forgets to pause, the gateway's book shows it.
    await until("the pause", async () => (await stage.pauses()).length > 0).catch(() => undefined);
    await pause(THINKING_MS);
    await until("the end of all pauses", async () => (await stage.resumeAll()) === 0);
  }
  return [];
}

/** A few messages are refused, and a few more, for as long as processes die. */
async function refusing(stage: Stage): Promise<readonly Trouble[]> {
  for (let spell = 0; spell < SPELLS; spell += 1) {
    const few = { route: "engineC.sendText", times: REFUSED_AT_ONCE };
    await fault(stage, { kind: "status", status: 400 }, few);
    await pause(BETWEEN_SPELLS_MS);
  }
  return [];
}

/** Whatever is to be tried again is, within seconds. */
async function hurried(stage: Stage): Promise<readonly Trouble[]> {
  for (let tries = 0; tries < CAP + 2; tries += 1) {
    await pause(TRY_MS);
    await stage.moveClock(LONGEST_PAUSE_MIN);
  }
  return [];
}

/** Each worker is asked to end and started again, twice, with calls on their way. */
async function gracefulStops(stage: Stage): Promise<readonly Trouble[]> {
  const [, ...workers] = stage.lives;
  for (const worker of [...workers, ...workers]) {
    await pause(BETWEEN_STOPS_MS);
    await worker.end("SIGTERM");
    await worker.start();
  }
  return [];
}

async function outage(stage: Stage): Promise<readonly Trouble[]> {
  await pause(1_000);
  const from = Date.now();
  await stage.gatewayProxy.set({ kind: "cut" });
  await pause(OUTAGE_MS);
  await stage.gatewayProxy.set({ kind: "none" });
  return [{ from, to: Date.now(), calls: true }];
}

/** A lease of a call that nobody renews, the reaper's round, a turn. */
const REAPED_MS = 9_000;
/** Shorter than that lease alone: nothing was reaped yet. */
const BEFORE_REAPED_MS = 5_000;
/** Where the answer to a cancellation is there and not written down. */
const ANSWERED = "documents.put:before invoices #2";
/** Conversations until one is quick enough. */
const TORN_TRIES = 5;

const NOTES: Readonly<Record<NoteScene, (stage: Stage) => Promise<readonly string[]>>> = {
  /** The note is issued and its answer lost: nobody may ask for it again. */
  async "lost note"(stage) {
    await loseAnswer(stage);
    const played = await play(stage, 1);
    return compare(played, played);
  },
  /**
   * Two contacts ask for one sale before any note is like it, so neither is asked whether it is another one. Nobody knows
   * whether the first one was issued; then the second one is approved, too.
   */
  async "same sale again"(stage) {
    await loseAnswer(stage);
    const codes = [await request(stage, 1, cpfOf(1)), await request(stage, 2, cpfOf(1))] as const;
    await approve(stage, 1, codes[0], /em processamento/);
    await approve(stage, 2, codes[1], /Já existe uma nota|emitida ✅/);
    const calls = (await stage.rows("requests")).filter(
      (row) => textIn(row["route"]) === "invoicing.nfseEnvio",
    );
    const notes = await stage.rows("invoices");
    return calls.length === 1 && notes.length === 1
      ? []
      : [`nfse-envio was called ${calls.length} times for one sale, ${notes.length} notes`];
  },
  /**
   * The bot dies after the operator's mailbox has the request and before that is written down; it is reaped and told again. A
   * request that is still open is not asked twice, whatever comes: the operator has to have answered by then. On a busy machine,
   * or when the customer's own reply died, too, that takes too long, and another customer asks.
   */
  async "torn request"(stage) {
    const calm = await play(stage, 1);
    const wrong: string[] = [];
    for (let tries = 1; tries <= TORN_TRIES; tries++) {
      let answeredAt = Infinity;
      const torn = await play(stage, 1 + tries, {
        plan: (say) => {
          if (say === "") answeredAt = Math.min(answeredAt, Date.now());
          return say === "EMITIR" ? { point: "mail.accept:after", nth: 2 } : {};
        },
        settleMs: REAPED_MS,
      });
      const deaths = stage.lives.flatMap((life) => life.deaths);
      wrong.push(...compare(calm, torn));
      if (deaths.length !== tries) wrong.push(`${deaths.length} deaths instead of ${tries}`);
      if (wrong.length > 0 || answeredAt - (deaths.at(-1)?.at ?? 0) < BEFORE_REAPED_MS)
        return wrong;
    }
    throw new Error(`the operator never answered in time, in ${TORN_TRIES} conversations`);
  },
  /** The bot dies between the answer to a cancellation and the record of it: nobody may ask for it again. */
  async "dying canceller"(stage) {
    await permit(stage);
    const calm = await after(stage, 1);
    const shaken = await after(stage, 2, [undefined, ANSWERED]);
    const died = stage.lives.flatMap((life) => life.deaths).length;
    return [...differ(calm, shaken), ...(died === 1 ? [] : [`${died} deaths instead of 1`])];
  },
};

function loseAnswer(stage: Stage): Promise<void> {
  return fault(stage, { kind: "accepted_then_lost" }, { tipo: "nfse-envio", times: 1 });
}

/** A conversation that breaks down finds nothing: only an oracle does, and whoever waited in vain throws. */
export async function judged(
  stage: Stage,
  scene: (stage: Stage) => Promise<readonly string[]>,
): Promise<readonly Verdict[]> {
  try {
    const wrong = await scene(stage);
    return [{ oracle: "ledger", wrong }, ...(await leftOn(stage))];
  } finally {
    await stage.close();
  }
}

/** The seed of a scene's dice, from the run's. */
export const seedOf = (seed: number, scene: Scene): number => new Dice(seed).split(scene).seed;
