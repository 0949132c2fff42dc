/**
 * Whether one hot contact is felt by others: a few contacts write alone, beside a hot one, and beside many who write as much
 * together. What the many do to them is told, and demanded of nobody: that is the load, not the contact.
 */
import { greet, type Load, share } from "./load.ts";
import { idle, phoneOf, phonesOf, replies, type Run } from "./phase.ts";

const PHASE_MS = 8_000;
/** Turns of each kind; what follows each other in one is compared, so that a machine's moods hit all alike. */
const ROUNDS = 5;
/** Contacts whose answers are timed, and many who write beside them. */
const OTHERS = 12;
const MANY = 500;
/** Of what can be borne: the timed contacts' share, and that of the hot one, or of the many in its place. */
const CALM = 0.15;
const HOT = 0.35;
/**
 * So much longer may the others' p99 be beside a hot contact than alone, ms. What they share with it are the processors, which
 * the load itself needs too: a turn of the hot one's events, a few of its webhooks. Nobody in a chat feels a tenth of a second.
 * Whoever stood behind it in a queue would wait for its thousand events, and that is seconds.
 */
const FELT_MS = 100;

const HOT_PHONE = phoneOf(9_999);
/** Phones of the many, and of the timed ones: new ones each time. */
const FIRST = { many: 5_000, timed: 10_000 } as const;
const BESIDE = ["alone", "hot", "many"] as const;
type Beside = (typeof BESIDE)[number];
const WORDS: Readonly<Record<Beside, string>> = {
  alone: "alone",
  hot: "beside the hot one",
  many: `beside ${MANY} who write as much`,
};
const PHONES: Readonly<Record<Beside, ((at: number) => string) | undefined>> = {
  alone: undefined,
  hot: () => HOT_PHONE,
  many: (at) => phoneOf(FIRST.many + (at % MANY)),
};

interface Felt {
  /** Until the webhook was answered, and until the reply reached the gateway; p99, ms. */
  readonly ack: number;
  readonly reply: number;
  /** Replies that were timed. */
  readonly timed: number;
  /** What the timed contacts were answered, and whoever was beside them. */
  readonly own: Load;
  readonly rest?: Load;
}

const median = (values: readonly number[]): number => share(values, 0.5);

/** By how much a hot contact moved the others in the middle one of all rounds, ms; each is held against its own time alone. */
export const added = (alone: readonly number[], hot: readonly number[]): number =>
  median(hot.map((ms, round) => ms - (alone[round] ?? 0)));

/** A few contacts in turns: alone, beside a hot contact, and beside many who send as much as that one. */
export async function besideHot(run: Run, borne: number): Promise<void> {
  const { say, demand } = run;
  await greet(run.stage.url, [HOT_PHONE, ...phonesOf(FIRST.many, MANY)]);
  let next: number = FIRST.timed;
  const felt: Record<Beside, Felt[]> = { alone: [], hot: [], many: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const beside of BESIDE) {
      felt[beside].push(await feltBy(run, borne, next, PHONES[beside]));
      next += OTHERS;
    }
  const timed = Math.min(...BESIDE.flatMap((beside) => felt[beside].map((one) => one.timed)));
  demand(timed > 0, `replies were timed in every phase, ${timed} at least`);
  for (const what of ["ack", "reply"] as const) {
    const of = (beside: Beside): number[] => felt[beside].map((one) => one[what]);
    const more = added(of("alone"), of("hot"));
    const all = BESIDE.map(
      (beside) => `${median(of(beside))} ms ${WORDS[beside]} (${of(beside).join(", ")})`,
    );
    demand(
      more <= FELT_MS,
      `one hot contact adds ${more} ms to the others' p99 of the ${what}, ${FELT_MS} at most: ${all.join("; ")}`,
    );
  }
  const refused = [...felt.alone, ...felt.hot].filter(
    ({ own }) => own.answers !== `200×${own.taken}`,
  );
  demand(
    refused.length === 0,
    `alone and beside the hot one, none of the others is refused: ${refused.map(({ own }) => own.answers).join("; ") || "all are taken"}`,
  );
  const told = (of: (one: Felt) => Load | undefined, beside: Beside): string =>
    felt[beside].map((one) => of(one)?.answers ?? "").join("; ");
  say(`the hot one was answered, round by round: ${told(({ rest }) => rest, "hot")}`);
  say(
    `the ${MANY} were answered: ${told(({ rest }) => rest, "many")}; the others beside them: ${told(({ own }) => own, "many")}`,
  );
}

/** What contacts nobody knew before feel who write beside whoever `beside` names. */
async function feltBy(
  { stage, load }: Run,
  borne: number,
  first: number,
  beside: ((at: number) => string) | undefined,
): Promise<Felt> {
  const phones = phonesOf(first, OTHERS);
  await greet(stage.url, phones);
  const loads = [{ rate: borne * CALM, phone: (at: number) => phoneOf(first + (at % OTHERS)) }];
  if (beside) loads.push({ rate: borne * HOT, phone: beside });
  const [own, rest] = await Promise.all(
    loads.map((stream) => load((one) => one.open(stream, PHASE_MS))),
  );
  if (!own) throw new Error("nobody wrote");
  await idle(stage);
  const times = await replies(stage, own, phones);
  return {
    ...{ ack: share(own.latencies, 0.99), reply: share(times, 0.99), timed: times.length, own },
    ...(rest ? { rest } : {}),
  };
}
