/**
 * A process that is there to be killed: it feeds numbered events, or works them off into a session that lists what it
 * heard, or both. `node recorder.mjs '<json>'`; a feeder prints `<contact> <n>` once the event is answered for.
 */
import { openStore, type Claimed, type Store, type StoreOptions } from "../../src/store/index.ts";

export interface Task {
  readonly store: StoreOptions;
  readonly work: boolean;
  /** Contacts to feed, with the last number that was answered for. */
  readonly feed: Readonly<Record<string, number>>;
}

export const ACCOUNT = "acme";
/** Short, so that a killed worker's contacts come back within the test. */
export const LEASE_MS = 600;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Sends the next number only once the one before was answered for, so numbers are the order of acceptance. */
async function feed(store: Store, contact: string, from: number): Promise<never> {
  for (let n = from + 1; ;) {
    try {
      await store.mail.accept([{ account: ACCOUNT, contact, event: `e${n}`, mail: { n } }]);
      process.stdout.write(`${contact} ${n}\n`);
      n += 1;
    } catch {
      // Not answered for: the same event is sent again.
      await sleep(20);
    }
    await sleep(5);
  }
}

export async function workOnce(store: Store): Promise<number> {
  const claims = await store.mail.claim({ owner: "w", contacts: 8, events: 5, leaseMs: LEASE_MS });
  await store.mail.commit(claims.map(turn));
  const begun = [
    ...(await store.effects.begin({ limit: 20, leaseMs: LEASE_MS, paused: [], offsetMs: 0 })),
    ...(await store.effects.reap({ limit: 20, leaseMs: LEASE_MS })),
  ];
  await store.effects.end(begun.map((one) => ({ ...one, outcome: { kind: "done" } })));
  return claims.length + begun.length;
}

function turn(claimed: Claimed) {
  const before = (claimed.session as { heard?: number[] } | null)?.heard ?? [];
  const heard = [...before, ...claimed.mail.map(({ mail }) => (mail as { n: number }).n)];
  const { account, contact, epoch, rev } = claimed;
  const effect = {
    id: `${contact}:${rev + 1}:0`,
    ...{ class: "message", scope: "plan:acme", ordered: true, payload: { heard: heard.length } },
  };
  return {
    ...{ account, contact, epoch, rev, applied: claimed.mail.length, session: { heard } },
    ...{ effects: [effect], due: null, journal: [{ rev: rev + 1 }] },
  };
}

async function work(store: Store): Promise<never> {
  for (;;) {
    const done = await workOnce(store).catch(() => 0);
    if (done === 0) await sleep(5);
  }
}

async function main(task: Task): Promise<void> {
  let store: Store | undefined;
  while (!store) store = await openStore(task.store).catch(() => sleep(30).then(() => undefined));
  for (const [contact, from] of Object.entries(task.feed)) void feed(store, contact, from);
  if (task.work) await work(store);
}

const [, , json] = process.argv;
if (json?.startsWith("{")) void main(JSON.parse(json) as Task);
