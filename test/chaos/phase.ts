/** What the parts of a run under load have in common: who writes, what is demanded, and how one part ends. */
import { type Body, textIn } from "../support/prosa.ts";
import type { Load } from "./load.ts";
import type { Stage } from "./stage.ts";

export interface Run {
  readonly stage: Stage;
  readonly say: (line: string) => void;
  readonly demand: (met: boolean, what: string) => void;
  /** A load of its own, waited for; what it was answered with 200 is to be found at the end. */
  readonly load: (play: (load: Load) => Promise<unknown>) => Promise<Load>;
}

export const phoneOf = (number: number): string => `55119${String(40_000_000 + number)}`;
export const phonesOf = (from: number, many: number): readonly string[] =>
  Array.from({ length: many }, (_, at) => phoneOf(from + at));

/** The next phase begins with nothing left of this one. */
export async function idle(stage: Stage): Promise<void> {
  const store = await stage.store();
  try {
    for (const end = Date.now() + IDLE_MS; Date.now() < end;) {
      const { counters, pendingEffects } = await store.views.backlog();
      if (counters.queued + pendingEffects === 0) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error(`the work of a phase was not done within ${IDLE_MS} ms`);
  } finally {
    await store.close();
  }
}
const IDLE_MS = 120_000;

/** Times from a message to its reply at the gateway, ms. */
export async function replies(
  stage: Stage,
  load: Load,
  phones: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (const phone of phones) {
    const { body } = await stage.control("GET", `/sandbox/messages?number=${phone}`);
    for (const row of body as unknown as readonly Body[]) {
      const sent = load.sentAt.get(`${phone} ${textIn(row["text"])}`);
      if (sent !== undefined) times.push(Date.parse(textIn(row["at"])) - sent);
    }
  }
  return times;
}
