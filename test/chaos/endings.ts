/**
 * How things end, with real processes: graceful stops under load, some of them killed in the middle; an event that ends
 * whichever process makes its turn; a note that is with the town when its process is asked to end.
 */
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { bundle } from "../support/bundle.ts";
import { message } from "./feeder.ts";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import { killRun } from "./kill-run.ts";
import { Load } from "./load.ts";
import type { Report } from "./report.ts";
import type { OverloadOptions } from "./overload.ts";
import type { Stage } from "./stage.ts";
import { stoppedNotes } from "./stopped-notes.ts";

type Demand = (met: boolean, what: string) => void;

/** What the product promises of a stop, ms. */
const STOP_MS = 10_000;
/** Claims that bring nothing before a contact's event is put aside: two in company, five alone. */
const CLAIMS = 7;
const POISONED = "5511949999999";
const WAIT_MS = 90_000;
/** Webhooks a second of people of their own, so that some are on kept connections whenever the listener is stopped. */
const BESIDE = { rate: 500, people: 200, phone: 30_000_000 } as const;

export async function endings({ program, seed, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  const demand: Demand = (met, what) => {
    well &&= met;
    say(`${met ? "PASS" : "FAIL"} ${what}`);
  };
  await stops(program, seed, demand);
  await poison(seed, demand);
  await stoppedNotes(program, demand);
  return well;
}

function oracles(report: Report, demand: Demand, of: string): void {
  for (const { oracle, wrong } of report.verdicts)
    demand(
      wrong.length === 0,
      `${of}, ${oracle}: ${wrong.slice(0, 4).join("; ") || "nothing wrong"}`,
    );
}

/** Each process is stopped gracefully once, and once killed in the middle of its stop, all under load. */
async function stops(program: string, seed: number, demand: Demand): Promise<void> {
  const ended: { code: number | null; ms: number }[] = [];
  let refused = { times: 0, rudely: 0 };
  const report = await killRun({
    ...{ program, seed, store: "redis", contacts: 16, each: 40, kills: 0, workers: 2 },
    ...{ gapMs: 150, plan: () => ({}) },
    async during(stage) {
      const beside = withLoad(stage);
      for (const life of stage.lives) {
        await pause(300);
        const from = performance.now();
        const code = await life.end("SIGTERM");
        ended.push({ code, ms: performance.now() - from });
        await life.start();
        await pause(300);
        await life.cutShort(30);
      }
      refused = await beside();
      return [];
    },
  });
  oracles(report, demand, "stops");
  const slowest = Math.round(Math.max(...ended.map(({ ms }) => ms)));
  demand(
    ended.every(({ code }) => code === 0) && slowest < STOP_MS,
    `stops: ${ended.length} under load end with code 0, ${slowest} ms at most`,
  );
  demand(report.deaths.length > 0, `stops: ${report.deaths.length} were killed in the middle`);
  const odd = [...report.statuses.keys()].filter((status) => ![0, 200, 503].includes(status));
  demand(odd.length === 0, `stops: webhooks are answered 200, 503 or not at all`);
  demand(
    refused.times > 0 && refused.rudely === 0,
    `stops: each of ${refused.times} refusals of ${BESIDE.rate} webhooks a second beside names a time to come back (${refused.rudely} did not)`,
  );
}

/** Begins webhooks of other people. Its answer ends them, and tells what was refused. */
function withLoad(stage: Stage): () => Promise<{ times: number; rudely: number }> {
  let [over, number] = [false, 0];
  const load = new Load(stage.url, () => (number += 1));
  const phone = (at: number): string => `55119${BESIDE.phone + (at % BESIDE.people)}`;
  const loaded = (async () => {
    do await load.open({ rate: BESIDE.rate, phone }, 1_000);
    while (!over);
  })();
  return async () => {
    over = true;
    await loaded;
    await load.close();
    return { times: load.statuses.get(503) ?? 0, rudely: load.rude };
  };
}

/** The word ends the process; the others' messages go on meanwhile. */
async function poison(seed: number, demand: Demand): Promise<void> {
  const deadly = await bundle("test/chaos/process.ts", [
    {
      file: "test/chaos/recorder-flow.ts",
      find: 'if (text === POISON) throw new Error("a poisoned event");',
      // It dies by name: nobody else may.
      replace:
        'if (text === POISON) { process.stdout.write("DIED poison 1\\n"); process.kill(process.pid, "SIGKILL"); for (;;); }',
    },
  ]);
  try {
    let parked: { items: readonly { readonly reason?: string }[] } = { items: [] };
    let heard = "";
    const report = await killRun({
      ...{ program: deadly.file, seed, store: "redis", contacts: 12, each: 60, kills: 0 },
      ...{ workers: 2, gapMs: 300, plan: () => ({}) },
      async during(stage) {
        const look = async () => {
          const store = await stage.store();
          const dead = await store.deadLetters.list({ limit: 10 });
          const contact = await store.contacts.lookup("demo", `phone:${POISONED}`);
          const view = contact === null ? null : await store.views.session("demo", contact);
          await store.close();
          return {
            dead,
            heard: JSON.stringify(view?.session ?? {}).match(/"heard":\[[^\]]*\]/)?.[0] ?? "",
          };
        };
        // The word comes alone: claimed together with "#1", it would be given a claim more, because that one moves forward.
        for (const [at, text] of ["oi", "#1"].entries()) await tell(stage, at, text);
        for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(100))
          if ((await look()).heard.includes("1")) break;
        await tell(stage, 2, "poison");
        await tell(stage, 3, "#2");
        for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(500)) {
          ({ dead: parked, heard } = await look());
          if (parked.items.length > 0 && heard.includes("2")) break;
        }
        return [];
      },
    });
    const { deaths } = report;
    demand(
      deaths.length > 0 && deaths.length <= CLAIMS,
      `poison: it ends ${deaths.length} processes, ${CLAIMS} at most`,
    );
    demand(
      parked.items.length === 1 && parked.items[0]?.reason === "no_commit",
      `poison: it alone is put aside (${parked.items.map(({ reason }) => reason).join(", ")})`,
    );
    demand(
      heard === '"heard":[1,2]',
      `poison: what its sender wrote around it is heard (${heard})`,
    );
    oracles(report, demand, "poison");
  } finally {
    rmSync(deadly.folder, { recursive: true, force: true });
  }
}

async function tell(stage: Stage, number: number, text: string): Promise<void> {
  for (;;) {
    const body = message(POISONED, number, text);
    const answer = await stage
      .http("POST", `/webhooks/engine-c/${DEMO_TOKEN}`, body)
      .catch(() => ({ status: 0 }));
    if (answer.status === 200) return;
    await pause(300);
  }
}
