/** The oracles themselves: each speaks up for what it is there for, and none for a good run. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Body } from "../support/prosa.ts";
import { type Evidence, judge, type Remains } from "./oracles.ts";
import { PLANTS } from "./planted.ts";

const person: Remains = {
  ...{ phone: "5511940000000", acked: [2, 1, 3, 4], heard: [2, 1, 3, 4], quietAt: 4 },
  ...{ dead: [], failedSends: 0, received: ["#0", "#2", "#4"] },
};
const call = (route: string, status: number, body: object, at = "2026-11-21T12:00:00Z"): Body =>
  ({ route, status, body, at }) as unknown as Body;
const send = (text: string, status = 200): Body => call("engineC.sendText", status, { text });
const sale = {
  tomador: { cpf: "52998224725" },
  servico: { valor_servicos: 150, codigo: "060101" },
};
const issue = (code: string, status: number | null, at?: string): Body =>
  call("invoicing.nfseEnvio", status ?? 0, { dados: { ...sale, codigo_aleatorio: code } }, at);

const good: Evidence = {
  contacts: [person],
  counters: { accepted: 7, applied: 6, dead: 1, queued: 0 },
  ...{ pendingEffects: 0, inflightEffects: 0, stale: 0 },
  requests: [send("#2"), send("#4"), issue("1", 200)],
  invoices: [{ dados: sale } as unknown as Body],
};

/** Which oracles speak. */
const spoken = (changes: Partial<Evidence>, onlyOutages = false): string[] =>
  judge({ ...good, ...changes }, { events: 4, sends: 2, onlyOutages })
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ oracle }) => oracle);
const withPerson = (changes: Partial<Remains>): Partial<Evidence> => ({
  contacts: [{ ...person, ...changes }],
});

test("every planted bug still finds the lines it changes", () => {
  const stale: string[] = [];
  for (const { name, edits } of PLANTS)
    for (const { file, find } of edits) {
      const text = readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8");
      if (text.split(find).length !== 2) stale.push(`${name}: ${file}`);
    }
  expect(stale).toEqual([]);
});

describe("the oracles", () => {
  test("are content with a good run", () => {
    expect(spoken({})).toEqual([]);
  });

  test.each<[string, Partial<Evidence>, string]>([
    ["an event that vanished", { counters: { ...good.counters, applied: 5 } }, "conservation"],
    ["a queue that was never worked off", { pendingEffects: 1 }, "conservation"],
    ["a gap", withPerson({ heard: [2, 1, 4], quietAt: 3 }), "recorder"],
    ["a repeat", withPerson({ heard: [2, 1, 3, 4, 3], quietAt: 5 }), "recorder"],
    ["a swap", withPerson({ heard: [1, 2, 3, 4] }), "recorder"],
    ["an event nobody sent", withPerson({ heard: [2, 1, 3, 4, 9], quietAt: 5 }), "recorder"],
    ["a forgotten timer", withPerson({ quietAt: 3 }), "recorder"],
    ["answers out of order", withPerson({ received: ["#4", "#2", "#4"] }), "ledger"],
    ["an answer that overtook another", withPerson({ received: ["#0", "#4", "#2"] }), "ledger"],
    ["an answer that never came", withPerson({ received: ["#2"] }), "ledger"],
    [
      "an answer said five times",
      withPerson({ received: ["#2", "#2", "#2", "#2", "#2", "#4"] }),
      "ledger",
    ],
    ["two notes for one sale", { invoices: [...good.invoices, ...good.invoices] }, "ledger"],
    ["a fiscal call made twice", { requests: [...good.requests, issue("2", null)] }, "ledger"],
    [
      "a call repeated after a 400",
      { requests: [...good.requests, send("#6", 400), send("#6")] },
      "ledger",
    ],
    ["a timer that fired although it was set anew", withPerson({ early: 1 }), "recorder"],
    ["a lease nobody works on", { stale: 1 }, "leases"],
    ["an effect in flight for ever", { inflightEffects: 1 }, "leases"],
    ["a run in which nothing succeeded", { requests: [] }, "enough"],
  ])("tell of %s", (_, changes, oracle) => {
    expect(spoken(changes)).toContain(oracle);
  });

  test("allow a call after 402 only once its scope was resumed", () => {
    const requests = [
      ...good.requests.slice(0, 2),
      issue("1", 402, "2026-11-21T12:00:00Z"),
      issue("2", 200, "2026-11-21T12:10:00Z"),
    ];
    expect(spoken({ requests })).toEqual(["ledger"]);
    expect(spoken({ requests, resumed: ["2026-11-21T12:05:00Z"] })).toEqual([]);
  });

  test("let a machine ask for free whether 401 and 403 are over, and not 402", () => {
    const probe = call("jobs.list", 200, {}, "2026-11-21T12:05:00Z");
    const refused = (code: number): Body[] => [
      ...good.requests.slice(0, 2),
      issue("1", code, "2026-11-21T12:00:00Z"),
      probe,
      issue("2", 200, "2026-11-21T12:10:00Z"),
    ];
    expect(spoken({ requests: refused(401) })).toEqual([]);
    expect(spoken({ requests: refused(403) })).toEqual([]);
    expect(spoken({ requests: refused(402) })).toEqual(["ledger"]);
  });

  test("excuse so many repeats after a refusal as deaths may have swallowed, and one after the time a 429 names", () => {
    const after = (code: number, at: string): Partial<Evidence> => {
      const first = call("engineC.sendText", code, { text: "#6" });
      return { requests: [...good.requests, first, { ...first, at } as unknown as Body] };
    };
    const judged = (evidence: Partial<Evidence>, torn: number) =>
      judge({ ...good, ...evidence }, { events: 4, sends: 2, torn }).flatMap(({ wrong }) => wrong);
    expect(judged(after(404, "2026-11-21T12:00:05Z"), 0)).toHaveLength(1);
    expect(judged(after(404, "2026-11-21T12:00:05Z"), 1)).toEqual([]);
    expect(judged(after(429, "2026-11-21T12:00:00.500Z"), 0)).toHaveLength(1);
    expect(judged(after(429, "2026-11-21T12:00:01Z"), 0)).toEqual([]);
  });

  test("tell of a message sent again after its 200 where nobody died", () => {
    const requests = [...good.requests, send("#2")];
    const judged = (undisturbed: boolean) =>
      judge({ ...good, requests }, { events: 4, sends: 2, undisturbed }).flatMap(
        ({ wrong }) => wrong,
      );
    expect(judged(false)).toEqual([]);
    expect(judged(true)).toHaveLength(1);
  });

  test("excuse an event in dead letters, and one that met a failed send, and no more", () => {
    expect(spoken(withPerson({ heard: [2, 1, 4], quietAt: 3, dead: [3] }))).not.toContain(
      "recorder",
    );
    const met = withPerson({ heard: [2, 1, 4], quietAt: 3, failedSends: 1 });
    expect(spoken(met)).not.toContain("recorder");
    const cameLate = withPerson({
      ...{ heard: [2, 1, 4], quietAt: 3 },
      received: ["#0", "#2", "#?", "#4"],
    });
    expect(spoken(cameLate)).not.toContain("recorder");
    expect(spoken(met, true)).toContain("ledger");
  });
});
