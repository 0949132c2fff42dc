/**
 * Very many people who write for the first time, all at once: who is not taken is told so before memory runs out, comes
 * again, and in the end everybody was heard, once.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import type { Store } from "../../src/store/index.ts";
import { Pages } from "../../src/worker/alarms/paging.ts";
import { Dice } from "../support/dice.ts";
import { until } from "../support/prosa.ts";
import { ends } from "./ends.ts";
import { message } from "./feeder.ts";
import { Stage } from "./stage.ts";

export interface BurstOptions {
  readonly program: string;
  readonly seed: number;
  readonly demand: (met: boolean, what: string) => void;
  readonly contacts?: number;
}

/** People who write; more at once than a listener may hold. */
const CONTACTS = 20_000;
const AT_ONCE = 4_000;
/** Conversations looked for at once. */
const LOOKED_AT = 250;
const AGAIN_MS = 500;
const ANSWER_MS = 20_000;
const DRAIN_MS = 300_000;
/** The one alarm that is due: raised at 80 and 95 % of a month's calls, told once within the hour. */
const PLAN_USED = "plan.usage";
/** What Redis may fill, MB. */
const REDIS_MB = 256;
/** Resident memory of a process at its highest, MB. */
const MOST_MB = { listener: 700, worker: 700, redis: 2 * REDIS_MB } as const;

const phoneOf = (at: number): string => `55117${String(10_000_000 + at)}`;

/** Highest resident memory of a process so far, MB. */
function highest(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? "0") / 1_024);
}

export async function burst(options: BurstOptions): Promise<void> {
  const { program, seed, demand, contacts = CONTACTS } = options;
  const stage = await Stage.open({
    ...{ store: "redis", program, dice: new Dice(seed), recorder: true },
    roles: ["ingress", "worker"],
    redisArgs: ["--maxmemory", `${REDIS_MB}mb`, "--maxmemory-policy", "noeviction"],
  });
  try {
    const began = Date.now();
    const statuses = await writeAll(stage, contacts);
    const wrote = Date.now() - began;
    const seen = [...statuses].map(([status, times]) => `${status || "none"}×${times}`).join(" ");
    const others = [...statuses.keys()].filter((status) => ![0, 200, 503].includes(status));
    demand(
      others.length === 0 && statuses.get(200) === contacts,
      `${contacts} new contacts, ${AT_ONCE} at once, all taken after ${wrote} ms: ${seen}`,
    );
    const store = await stage.store();
    try {
      const { counters } = await until(
        "everything worked off",
        async () => {
          const backlog = await store.views.backlog();
          const left = backlog.counters.queued + backlog.pendingEffects;
          return left === 0 ? backlog : undefined;
        },
        DRAIN_MS,
      );
      const { accepted, applied, dead } = counters;
      // So many answers use the plan up, and that is told on the operator's phone: an event of its own, and the only one.
      const { generation, codes } = Pages.parse(
        (await store.documents.get("pages", "demo"))?.value ?? {},
      );
      const told = Object.keys(codes);
      demand(
        generation === 1 && told.every((code) => code === PLAN_USED),
        `${generation} words to the operator, about ${told.join(", ") || "nothing"}`,
      );
      demand(
        accepted === contacts + generation && applied === accepted && dead === 0,
        `${contacts} written and ${generation} of our own: ${accepted} accepted, ${applied} applied, ${dead} dead after ${Date.now() - began} ms`,
      );
      const unheard = await missing(store, contacts);
      demand(unheard === 0, `${unheard} of them have no conversation`);
    } finally {
      await store.close();
    }
    const [listener, worker] = stage.lives;
    for (const [who, pid] of [
      ["listener", listener?.pid],
      ["worker", worker?.pid],
      ["redis", stage.redisPid],
    ] as const) {
      const mb = highest(pid);
      demand(mb > 0 && mb < MOST_MB[who], `the ${who} filled ${mb} MB of ${MOST_MB[who]} at most`);
    }
    const [exits, ended] = [await stage.stop(), stage.ended];
    const wrong = ends({ ended, exits });
    demand(wrong.length === 0, `${ended.length} processes ended by themselves ${wrong.join("; ")}`);
  } finally {
    await stage.close();
  }
}

/** Everybody writes until answered for; answers how often with what. */
async function writeAll(stage: Stage, contacts: number): Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ connections: 1_024, headersTimeout: ANSWER_MS });
  const statuses = new Map<number, number>();
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = (next += 1); at <= contacts; at = next += 1)
      for (let status = 0; status !== 200;) {
        status = await post(stage.url, agent, phoneOf(at));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 200) await pause(AGAIN_MS);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  await agent.destroy();
  return statuses;
}

async function post(url: string, dispatcher: Agent, phone: string): Promise<number> {
  try {
    const answer = await request(`${url}/webhooks/engine-c/${DEMO_TOKEN}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message(phone, 0, "oi")),
      dispatcher,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  }
}

/** Phones without a conversation. */
async function missing(store: Store, contacts: number): Promise<number> {
  let unheard = 0;
  for (let from = 1; from <= contacts; from += LOOKED_AT) {
    const phones = Array.from({ length: LOOKED_AT }, (_, at) => phoneOf(from + at));
    const views = await Promise.all(
      phones.slice(0, contacts - from + 1).map(async (phone) => {
        const contact = await store.contacts.lookup("demo", `phone:${phone}`);
        return contact === null ? null : store.views.session("demo", contact);
      }),
    );
    unheard += views.filter((view) => view === null).length;
  }
  return unheard;
}
