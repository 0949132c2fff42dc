/**
 * A worker for tests in which servers die: applies what comes, each turn with a note and a few words as its effects, begins
 * effects and ends them. As in the runtime an end is told until it is taken, and what is in flight for longer than its lease,
 * because the answer to its begin or to its end was lost, is judged.
 */
import type { SendEnd, Store } from "../../src/store/index.ts";
import { beginAll, claimAll, commitOf, LEASE_MS, message, sleep } from "./contract.ts";

/** Between two rounds, ms. */
const ROUND_MS = 5;

export interface Steady {
  /** How often the call of each effect would have been made. */
  readonly sent: ReadonlyMap<string, number>;
  /** Of them the notes, and those nobody can tell of whether they were. */
  readonly notes: () => readonly string[];
  /** Rounds it came through whole: claimed, begun and ended whatever it found. */
  readonly rounds: () => number;
  readonly stop: () => Promise<void>;
}

export function steady(store: Store): Steady {
  const sent = new Map<string, number>();
  const judged = new Set<string>();
  const owed = new Map<string, SendEnd>();
  let going = true;
  let rounds = 0;

  const settle = async (): Promise<void> => {
    const ends = [...owed.values()];
    if (ends.length === 0) return;
    await store.effects.end(ends);
    for (const { id } of ends) owed.delete(id);
  };
  const round = async (): Promise<void> => {
    for (const claimed of await claimAll(store, 1_000)) {
      const heard = (claimed.session as { heard?: string[] } | null)?.heard ?? [];
      const more = claimed.mail.map(({ mail }) => (mail as { text: string }).text);
      const id = (kind: string) => `${claimed.contact}:${more.at(-1) ?? ""}:${kind}`;
      const effects = [
        message(id("note"), { class: "fiscal", ordered: false }),
        message(id("words")),
      ];
      const session = { heard: [...heard, ...more] };
      await store.mail.commit([commitOf(claimed, { effects, session })]);
    }
    for (const begun of await beginAll(store)) {
      // The call would be made here.
      sent.set(begun.id, (sent.get(begun.id) ?? 0) + 1);
      owed.set(begun.id, { ...begun, outcome: { kind: "done" } });
    }
    await settle();
    for (const lost of await store.effects.reap({ limit: 100, leaseMs: LEASE_MS })) {
      judged.add(lost.id);
      owed.set(lost.id, { ...lost, outcome: { kind: "failed" } });
    }
    rounds += 1;
  };
  const loop = (async () => {
    // The store is away: the next round finds it, or its successor.
    for (; going; await sleep(ROUND_MS)) await round().catch(() => settle().catch(() => undefined));
  })();

  return {
    sent,
    rounds: () => rounds,
    notes: () => [...new Set([...sent.keys(), ...judged])].filter((id) => id.endsWith("note")),
    stop: async () => ((going = false), loop),
  };
}
