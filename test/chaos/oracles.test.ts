/** The oracles themselves: each speaks up for what it is there for, and none for a good run. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "../../src/gateway/contract/table.ts";
import { LIMITS } from "../../src/store/limits.ts";
import type { Body } from "../support/prosa.ts";
import {
  type Begin,
  Book,
  type End,
  saying,
  type Step,
  type Trouble,
  type Turned,
} from "./book.ts";
import { type Letter, type Rest, restsIn } from "./grounds.ts";
import { fiscal, ONCE } from "./ledger.ts";
import type { Ended } from "./life.ts";
import { type Evidence, judge, metIn, type Remains } from "./oracles.ts";
import { PLANTS } from "./planted.ts";
import { NEXT } from "./rolling.ts";

const person: Remains = {
  ...{ phone: "5511940000000", acked: [2, 1, 3, 4], heard: [2, 1, 3, 4], quietAt: 4 },
  ...{ dead: [], rested: [], met: [], received: ["#0", "#2", "#4"] },
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

/** Asked for with another reason each time. */
const cancel = (reason: string): Body =>
  call("invoicing.cancelamento", 200, { chave: "1", codigo_motivo: reason });

const T0 = Date.parse("2026-11-21T12:00:00Z");
const PHONE = "5511940000000";
/** One effect taken by a process, and the end the store confirmed to it. */
const begin = (token: string, ms: number, pid: number, text = "#6"): Begin => ({
  ...{ id: "c:1:0", token, pid, from: T0 + ms - 3, to: T0 + ms - 1 },
  saying: saying(PHONE, text),
});
const end = (token: string, ms: number, kind = "done"): End => ({
  ...{ id: "c:1:0", token, pid: 7, from: T0 + ms, to: T0 + ms + 1, kind },
});

const letter = (number: number, handed: number): Letter => ({
  number,
  handed,
  reason: "no_commit",
});
const rest = (text: string): Rest => ({
  text,
  reason: "failed:reset",
  over: "tried",
});

const good: Evidence = {
  contacts: [person],
  counters: { accepted: 7, applied: 6, dead: 1, queued: 0 },
  ...{ pendingEffects: 0, inflightEffects: 0, stale: 0 },
  requests: [send("#2"), send("#4"), issue("1", 200)],
  invoices: [{ dados: sale } as unknown as Body],
  ends: { ended: [], exits: [0, 0] },
};

/** Which oracles speak. */
const spoken = (changes: Partial<Evidence>, onlyOutages = false): string[] =>
  judge({ ...good, ...changes }, { events: 4, sends: 2, onlyOutages })
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ oracle }) => oracle);
const withPerson = (changes: Partial<Remains>): Partial<Evidence> => ({
  contacts: [{ ...person, ...changes }],
});

test("every planted bug and the next build still find the lines they change", () => {
  const stale: string[] = [];
  for (const { name, edits } of [...PLANTS, { name: "next build", edits: NEXT }])
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
    ["a timer that fired twice", withPerson({ again: 1 }), "recorder"],
    ["a lease nobody works on", { stale: 1 }, "leases"],
    ["an effect in flight for ever", { inflightEffects: 1 }, "leases"],
    ["a run in which nothing succeeded", { requests: [] }, "enough"],
    [
      "a cancellation called again after its 200",
      { requests: [...good.requests, cancel("1"), cancel("9")] },
      "ledger",
    ],
    ["a process that did not end as asked", { ends: { ended: [], exits: [0, 1] } }, "ends"],
    ["a process that was gone when it was asked", { ends: { ended: [], exits: [null] } }, "ends"],
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
    const resumed = (scope: string) => [{ scope, at: "2026-11-21T12:05:00Z" }];
    expect(spoken({ requests, resumed: resumed("credits:demo") })).toEqual([]);
    // Somebody let something else go on.
    expect(spoken({ requests, resumed: resumed("plan:demo") })).toEqual(["ledger"]);
    const messages = [
      ...good.requests,
      ...[402, 200].map((status, n) =>
        call("engineC.sendText", status, { text: "#6" }, `2026-11-21T12:${n}0:00Z`),
      ),
    ];
    const scopes = [
      "plan:demo",
      "plan:demo:engine-c",
      "plan:demo:sms",
      "credits:demo",
      "jobs:demo",
    ];
    expect(
      scopes.filter(
        (scope) => spoken({ requests: messages, resumed: resumed(scope) }).length === 0,
      ),
    ).toEqual(["plan:demo", "plan:demo:engine-c"]);
  });

  test("let a machine ask for free whether 401 and 403 are over, and not 402", () => {
    const refused = (code: number, route = "invoicing.emitentesLista"): Body[] => [
      ...good.requests.slice(0, 2),
      issue("1", code, "2026-11-21T12:00:00Z"),
      call(route, 200, {}, "2026-11-21T12:05:00Z"),
      issue("2", 200, "2026-11-21T12:10:00Z"),
    ];
    expect(spoken({ requests: refused(401) })).toEqual([]);
    expect(spoken({ requests: refused(403) })).toEqual([]);
    expect(spoken({ requests: refused(402) })).toEqual(["ledger"]);
    // It asked about something else.
    expect(spoken({ requests: refused(401, "jobs.list") })).toEqual(["ledger"]);
  });

  test("excuse a repeat after a refusal nobody heard, and one after the time a 429 names, and no other", () => {
    const at = (ms: number): string => new Date(T0 + ms).toISOString();
    const again = (code: number, ms: number, text = "#6"): Body[] =>
      [code, 200].map((status, n) =>
        call("engineC.sendText", status, { number: PHONE, text }, at(n * ms)),
      );
    const judged = (requests: readonly Body[], book?: Book) =>
      judge(
        { ...good, requests: [...good.requests, ...requests], ...(book ? { book } : {}) },
        { events: 4, sends: 2 },
      ).flatMap(({ wrong }) => wrong);
    const first = begin("a", 0, 7);
    const second = begin("b", 7_900, 8);
    const died = { from: T0 + 100, to: T0 + 100, pid: 7 };
    const answer = (lines: readonly (Begin | End)[], troubles: readonly Trouble[]) =>
      judged(again(404, 8_000), new Book(lines, troubles));
    expect(judged(again(404, 8_000))).toHaveLength(1);
    expect(answer([first, second], [died])).toEqual([]);
    // Another process died; this one did, but the store had its end; nothing broke at all; something broke long before.
    expect(answer([first, second], [{ ...died, pid: 9 }])).toHaveLength(1);
    expect(answer([first, end("a", 50, "retry"), second], [died])).toHaveLength(1);
    expect(answer([first, second], [])).toHaveLength(1);
    expect(answer([first, second], [{ from: T0 - 9_000, to: T0 - 8_000 }])).toHaveLength(1);
    // The line to the store broke.
    expect(answer([first, second], [{ from: T0 + 10, to: T0 + 500 }])).toEqual([]);
    // The same words in another message, unless they are a number, which no two say.
    const other = { ...begin("b", 7_900, 8, "#?"), id: "c:2:0" };
    const asked = new Book([begin("a", 0, 7, "#?"), end("a", 50), other]);
    expect(judged(again(404, 8_000, "#?"), asked)).toEqual([]);
    expect(answer([first, end("a", 50), { ...second, id: "c:2:0" }], [])).toHaveLength(1);
    expect(judged(again(429, 500))).toHaveLength(1);
    expect(judged(again(429, 1_000))).toEqual([]);
    // A person let its scope go on before, or another one.
    const letGo = (scope: string) =>
      spoken({
        requests: [...good.requests, ...again(429, 500)],
        resumed: [{ scope, at: at(200) }],
      });
    expect(letGo("plan:demo")).toEqual([]);
    expect(letGo("credits:demo")).toEqual(["ledger"]);
  });

  test("grant tries anew to a message that was turned away unread, and none to a note", () => {
    const at = (n: number): string => new Date(T0 + 2_000 * n).toISOString();
    const told = (...statuses: number[]) =>
      spoken({
        requests: [
          ...good.requests,
          ...statuses.map((status, n) =>
            call("engineC.sendText", status, { number: PHONE, text: "#6" }, at(n)),
          ),
        ],
      });
    expect(told(500, 500, 500, 429, 500, 200)).toEqual([]);
    expect(told(500, 500, 500, 500, 500, 429)).toEqual(["ledger"]);
    const notes = (...statuses: number[]) =>
      spoken({
        requests: [
          ...good.requests.slice(0, 2),
          ...statuses.map((status, n) => issue(String(n), status, at(n))),
        ],
        resumed: [{ scope: "credits:demo", at: at(0.5) }],
      });
    expect(notes(429, 200)).toEqual([]);
    expect(notes(500, 429, 200)).toEqual(["ledger"]);
    // Whatever came of the second call.
    expect(notes(200, 402)).toEqual(["ledger"]);
  });

  test("grant tries to each message, also where two say the same, but of a number to one", () => {
    const told = (text: string, ...ids: string[]) =>
      spoken({
        requests: [
          ...good.requests,
          ...Array.from({ length: 5 }, (_, n) =>
            call(
              "engineC.sendText",
              n < 4 ? 502 : 200,
              { number: PHONE, text },
              new Date(T0 + n).toISOString(),
            ),
          ),
        ],
        book: new Book(ids.map((id) => ({ ...begin(id, 0, 7, text), id }))),
      });
    expect(told("#?", "c:1:0")).toEqual(["ledger"]);
    expect(told("#?", "c:1:0", "c:2:0")).toEqual([]);
    expect(told("#6", "c:1:0", "c:2:0")).toEqual(["ledger"]);
  });

  test("count the tries of a message over all who tried it, wherever each wants its answers", () => {
    const tries = (count: number) =>
      Array.from({ length: count }, (_, n) => {
        const webhook_url = `http://localhost:${n % 2}/webhooks/sms`;
        const at = new Date(T0 + n).toISOString();
        return call("sms.send", 503, { number: PHONE, message: "#6", webhook_url }, at);
      });
    expect(spoken({ requests: [...good.requests, ...tries(4)] })).toEqual([]);
    expect(spoken({ requests: [...good.requests, ...tries(5)] })).toEqual(["ledger"]);
  });

  test("tell of a number that two messages say, and not of a message that was taken twice", () => {
    const person = withPerson({ received: ["#0", "#2", "#2", "#4"] });
    const told = (...begins: readonly (readonly [id: string, token: string])[]) =>
      spoken({
        ...person,
        book: new Book(begins.map(([id, token]) => ({ ...begin(token, 0, 7, "#2"), id }))),
      });
    expect(told(["c:1:0", "a"], ["c:1:0", "b"])).toEqual([]);
    expect(told(["c:1:0", "a"], ["c:1:09", "b"])).toEqual(["ledger"]);
  });

  test("tell two messages that say the same apart, however soon the second follows a refusal", () => {
    const at = (ms: number): string => new Date(T0 + ms).toISOString();
    const calls = [
      call("engineC.sendText", 422, { number: PHONE, text: "#?" }, at(10)),
      call("engineC.sendText", 200, { number: PHONE, text: "#?" }, at(60)),
    ];
    const told = (second: { readonly id?: string }) =>
      spoken({
        requests: [...good.requests, ...calls],
        book: new Book([
          begin("a", 0, 7, "#?"),
          end("a", 20, "held"),
          { ...begin("b", 40, 7, "#?"), ...second },
          { ...end("b", 70), ...second },
        ]),
      });
    expect(told({ id: "c:2:0" })).toEqual([]);
    expect(told({})).toEqual(["ledger"]);
  });

  test("know all that may be asked for once: what the contract calls fiscal or costly", () => {
    const once = routes.filter((route) => ["fiscal", "costly"].includes(route.class));
    expect([...ONCE].sort()).toEqual(once.map(({ id }) => id).sort());
  });

  test("judge the fiscal calls of any conversation, and of a cancellation by its note alone", () => {
    const judged = (...more: readonly Body[]) =>
      fiscal({ requests: [...good.requests, ...more], invoices: good.invoices }).length > 0;
    const other = call("invoicing.cancelamento", 200, { chave: "2", codigo_motivo: "1" });
    expect(judged(send("#2"), cancel("1"), other)).toBe(false);
    expect(judged(cancel("1"), cancel("9"))).toBe(true);
    expect(judged(issue("2", 200))).toBe(true);
  });

  test("tell of a process that ended by itself, but of a start in vain", () => {
    const crash: Ended = {
      ...{ role: "worker", code: 1, signal: null, from: T0, at: T0 + 900, pid: 7 },
      ...{ ready: true, words: "Error: boom" },
    };
    const told = (ended: Ended, broken: readonly Trouble[] = []) =>
      spoken({ ends: { ended: [ended], exits: [0], broken } });
    const away: Trouble = { from: T0 - 500, to: T0 + 300, store: true };
    const inVain = { ...crash, ready: false };
    expect(told(crash)).toEqual(["ends"]);
    expect(told(crash, [away])).toEqual(["ends"]);
    expect(told(inVain)).toEqual(["ends"]);
    expect(told(inVain, [away])).toEqual([]);
    // The gateway's line alone broke; the store was back before it began, or went after its end.
    expect(told(inVain, [{ from: T0 - 500, to: T0 + 300, calls: true }])).toEqual(["ends"]);
    expect(told(inVain, [{ ...away, to: T0 - 1 }])).toEqual(["ends"]);
    expect(told(inVain, [{ ...away, from: T0 + 901, to: T0 + 999 }])).toEqual(["ends"]);
    const frozen: Trouble = { from: T0 + 100, to: T0 + 800, pid: 7, frozen: true };
    expect(told(inVain, [frozen])).toEqual([]);
    expect(told(crash, [frozen])).toEqual(["ends"]);
    expect(told(inVain, [{ ...frozen, pid: 8 }])).toEqual(["ends"]);
  });

  test("excuse nothing that was said again because processes were asked to end", () => {
    const again = [0, 8_000].map((ms) =>
      call("engineC.sendText", 200, { number: PHONE, text: "#6" }, new Date(T0 + ms).toISOString()),
    );
    const lines = [begin("a", 0, 7), begin("b", 7_900, 8), end("b", 8_050)];
    const told = (...troubles: readonly Trouble[]) =>
      spoken({ requests: [...good.requests, ...again], book: new Book(lines, troubles) });
    expect(told()).toEqual(["ledger"]);
    // Another process stood still; this one did.
    expect(told({ from: T0, to: T0 + 9_000, pid: 9 })).toEqual(["ledger"]);
    expect(told({ from: T0, to: T0 + 9_000, pid: 7 })).toEqual([]);
    // A slow first call stands behind its repeat in the gateway's book; when each came says which is which.
    again.reverse();
    expect(told({ from: T0, to: T0 + 9_000, pid: 9 })).toEqual(["ledger"]);
    expect(told({ from: T0, to: T0 + 9_000, pid: 7 })).toEqual([]);
  });

  test("tell of an effect ended by one it no longer belonged to", () => {
    const told = (...lines: (Begin | End)[]) => spoken({ book: new Book(lines) });
    const [first, second] = [begin("a", 0, 7), begin("b", 7_000, 8)];
    expect(told(first, end("a", 50))).toEqual([]);
    expect(told(first, end("a", 50, "retry"), second, end("b", 7_100))).toEqual([]);
    expect(told(first, second, end("a", 7_050, "retry"))).toEqual(["leases"]);
    expect(told(first, end("a", 50), second)).toEqual(["leases"]);
    // Whoever stood still between the step and its line cannot say which came first.
    expect(told({ ...first, to: T0 + 8_000 }, second, end("b", 7_100))).toEqual([]);
  });

  test("tell of a message sent again after its 200, but where its answer was lost", () => {
    const at = (ms: number): string => new Date(T0 + ms).toISOString();
    const twice = [0, 7_000].map((ms) =>
      call("engineC.sendText", 200, { number: PHONE, text: "#6" }, at(ms)),
    );
    const judged = (how: object, lines?: readonly (Begin | End)[], troubles: Trouble[] = []) =>
      judge(
        {
          ...{ ...good, requests: [...good.requests, ...twice] },
          ...(lines ? { book: new Book(lines, troubles) } : {}),
        },
        { events: 4, sends: 2, ...how },
      ).flatMap(({ wrong }) => wrong);
    const [first, second] = [begin("a", 0, 7), begin("b", 6_900, 8)];
    const died = { from: T0 + 100, to: T0 + 100, pid: 7 };
    expect(judged({})).toHaveLength(1);
    expect(judged({}, [first, second], [died])).toEqual([]);
    expect(judged({ undisturbed: true }, [first, second], [died])).toHaveLength(1);
    // The store had its end; nobody died; both calls are of one who took it once.
    expect(judged({}, [first, end("a", 50, "retry"), second], [died])).toHaveLength(1);
    expect(judged({}, [first, second])).toHaveLength(1);
    expect(judged({}, [first], [died])).toHaveLength(1);
    // The gateway's line broke, and it was to be tried again: not when it was done, nor when only Redis was away.
    const broke: Trouble = { from: T0 + 10, to: T0 + 500, calls: true };
    expect(judged({}, [first, end("a", 50, "retry"), second], [broke])).toEqual([]);
    expect(judged({}, [first, end("a", 50, "done"), second], [broke])).toContainEqual(
      expect.stringContaining("again after 200"),
    );
    const { calls: _, ...redis } = broke;
    expect(judged({}, [first, end("a", 50, "retry"), second], [redis])).toHaveLength(1);
    // A page stands with 200, too.
    expect(judged({ spoilt: true })).toEqual([]);
  });

  test("excuse an event in dead letters, and one that met a failed send, and no more", () => {
    const dead = { heard: [2, 1, 4], quietAt: 3, dead: [letter(3, 5)] };
    expect(spoken(withPerson(dead))).not.toContain("recorder");
    const begun = { heard: [1, 3, 4], quietAt: 3 };
    expect(spoken(withPerson(begun))).toContain("recorder");
    const first = { number: 2, over: "greeting" };
    expect(spoken(withPerson({ ...begun, dead: [letter(0, 5)], met: [first] }))).not.toContain(
      "recorder",
    );
    const left = { heard: [2, 1, 4], quietAt: 3 };
    const met = withPerson({
      ...left,
      rested: [rest("#2")],
      met: [{ number: 3, over: "c:1:0" }],
    });
    expect(spoken(met)).not.toContain("recorder");
    expect(spoken(met, true)).toContain("ledger");
  });

  test("excuse no message by what became of another one", () => {
    const lost = { acked: [1, 2, 3, 4], heard: [1, 4], quietAt: 2, received: ["#0", "#?", "#4"] };
    const one = { number: 2, over: "c:1:0" };
    expect(spoken(withPerson({ ...lost, rested: [rest("#0")], met: [one] }))).toContain("recorder");
    // The question came twice; a turn-mate rests beside; it was asked anew for no reason; it was heard, too.
    const twice = { ...lost, received: ["#0", "#?", "#?", "#4"] };
    expect(
      spoken(withPerson({ ...twice, rested: [rest("#0"), rest("#0")], met: [one] })),
    ).toContain("recorder");
    const both = [one, { number: 3, over: "c:2:0" }];
    expect(spoken(withPerson({ ...lost, met: both }))).not.toContain("recorder");
    expect(spoken(withPerson({ ...lost, met: [one, { number: 3 }] }))).toContain("recorder");
    expect(spoken(withPerson({ ...lost, heard: [1, 2, 4], quietAt: 3, met: both }))).toContain(
      "recorder",
    );
  });

  test("excuse no answer by another one that rests", () => {
    const missing = { received: ["#0", "#2"] };
    expect(spoken(withPerson({ ...missing, rested: [rest("#4")] }))).toEqual([]);
    expect(spoken(withPerson({ ...missing, rested: [rest("#0")] }))).toEqual(["ledger"]);
  });

  test("excuse no event that was put aside too soon, and no answer that was given up for nothing", () => {
    const left = { heard: [2, 1, 4], quietAt: 3 };
    expect(spoken(withPerson({ ...left, dead: [letter(3, 4)] }))).toContain("recorder");
    // No mailbox of anybody who wrote four messages is full.
    const full = { ...letter(3, 0), reason: "mailbox_full" };
    expect(spoken(withPerson({ ...left, dead: [full] }))).toContain("recorder");
    const many = Array.from({ length: LIMITS.mailbox + 1 }, (_, at) => at + 1);
    const heard = many.filter((number) => number !== 3);
    const busy = { acked: many, heard, quietAt: heard.length, dead: [full] };
    expect(spoken(withPerson(busy))).not.toContain("recorder");
    // Also mail that nobody wrote.
    expect(spoken(withPerson({ dead: [letter(-1, 1)] }))).toEqual(["recorder"]);
    const { over: _, ...groundless } = rest("#4");
    const missing = { received: ["#0", "#2"], rested: [groundless] };
    expect(spoken(withPerson(missing))).toEqual(["ledger"]);
  });
});

describe("why mail was put aside", () => {
  const handed = (epoch: number, failedClaims: number, at = epoch): Step => ({
    ...{ step: "claim", contact: "c", at: T0 + 2_000 * at, pid: epoch, failedClaims },
    told: [epoch, 1, "N1", "N2"],
  });
  const aside = (epoch: number, letter = ""): Step => ({
    ...{ step: "park", contact: "c", at: T0 + 2_000 * epoch + 1, pid: epoch },
    told: [epoch, 1, "no_commit", letter],
  });
  const five = [1, 2, 3, 4, 5].map((epoch) => handed(epoch, epoch - 1));

  test("is told by how often it was handed out, at the head of its mailbox", () => {
    const book = new Book([...five, aside(5)]);
    expect(book.handedOut("c", "N1")).toBe(5);
    expect([book.handedOut("c", "N2"), book.handedOut("d", "N1")]).toEqual([0, 0]);
    expect(new Book(five).handedOut("c", "N1")).toBe(0);
    expect(new Book([...five, aside(5, "timer:1")]).handedOut("c", "timer:1")).toBe(5);
    // The first one whose turn died; a store that counts too much.
    expect(new Book([...five.slice(0, 2), aside(2)]).handedOut("c", "N1")).toBe(2);
    expect(new Book([handed(5, 4), aside(5)]).handedOut("c", "N1")).toBe(1);
  });

  test("counts a hand-out that nobody could write down only where something broke", () => {
    const lost = [...five.slice(0, 2), ...five.slice(3), aside(5)];
    expect(new Book(lost).handedOut("c", "N1")).toBe(4);
    const died = { from: T0 + 6_000, to: T0 + 6_000, pid: 3 };
    expect(new Book(lost, [died]).handedOut("c", "N1")).toBe(5);
    expect(new Book([handed(1, 0), aside(1)], [died, died, died, died]).handedOut("c", "N1")).toBe(
      1,
    );
  });
});

describe("why a message was given up", () => {
  const held = (id: string, what: Partial<Parameters<typeof restsIn>[0][number]> = {}) => ({
    ...{ id, attempt: 1, createdAt: T0, reason: "failed:reset" },
    payload: { address: PHONE, turn: "N1", message: { text: "#6" } },
    ...what,
  });
  const why = (...given: Parameters<typeof restsIn>) => restsIn(...given).map(({ over }) => over);
  const tries = (...tokens: string[]) => tokens.map((token, n) => begin(token, 8_000 * n, 7));

  test("is that it was tried as often as is granted, not that it was tried", () => {
    const four = new Book(tries("a", "b", "c", "d"));
    const last = held("c:1:0", { attempt: 4 });
    expect(why([last], { requests: [], book: four })).toEqual(["tried"]);
    expect(why([held("c:1:0")], { requests: [], book: four })).toEqual([undefined]);
    const two = tries("a", "b");
    expect(why([last], { requests: [], book: new Book(two) })).toEqual([undefined]);
    const died = [T0, T0].map((at) => ({ from: at, to: at, pid: 7 }));
    expect(why([last], { requests: [], book: new Book(two, died) })).toEqual(["tried"]);
    expect(why([last], { requests: [] })).toEqual([undefined]);
  });

  test("is that the gateway refused these words to this phone", () => {
    const row = (status: number, text: string) =>
      call("engineC.sendText", status, { number: PHONE, text });
    expect(why([held("x")], { requests: [row(404, "#6")] })).toEqual(["refused"]);
    expect(why([held("x")], { requests: [row(503, "#6"), row(404, "#8")] })).toEqual([undefined]);
    // What pauses a scope turns nothing down.
    for (const status of [401, 402, 403, 429])
      expect(why([held("x")], { requests: [row(status, "#6")] })).toEqual([undefined]);
    const refused = held("x", { reason: "failed:refused" });
    expect(why([refused], { requests: [], spoilt: true })).toEqual(["refused"]);
    expect(why([refused], { requests: [] })).toEqual([undefined]);
  });

  test("is that another of its turn was, for a reason of its own", () => {
    const mate = held("c:1:1", {
      ...{ reason: "turn", attempt: 0 },
      payload: { address: PHONE, turn: "N1", message: { text: "#7" } },
    });
    const refusal = call("engineC.sendText", 400, {
      number: PHONE,
      text: "#6",
    });
    expect(why([held("c:1:0"), mate], { requests: [refusal] })).toEqual(["refused", "turn"]);
    expect(why([held("c:1:0"), mate], { requests: [] })).toEqual([undefined, undefined]);
    const other = {
      ...held("c:2:0"),
      payload: { address: PHONE, turn: "N2", message: { text: "#6" } },
    };
    expect(why([other, mate], { requests: [refusal] })).toEqual(["refused", undefined]);
    // It was proved to have arrived since.
    const book = new Book([begin("a", 0, 7), end("a", 50, "held")]);
    expect(why([mate], { requests: [], book })).toEqual(["turn"]);
  });
});

describe("what became of a message", () => {
  const turn = (turned: string, rev: number, what: Partial<Turned>): Turned => ({
    ...{ turned, contact: "c", epoch: rev, rev, kind: "inbound" },
    ...what,
  });
  const failed = (rev: number, effect: string): Turned =>
    turn(`r:${effect}`, rev, { kind: "send-failed", effect });
  const asked = (rev: number, number: number): Turned =>
    turn(`N${number}`, rev, { wrote: `#${number}`, said: "#?" });
  const known = { begins: false, gaveUp: () => true };

  test("is told by its own turn, each with a failed send of its own", () => {
    const turns = [failed(1, "a"), failed(2, "b"), asked(3, 1), asked(4, 2), failed(5, "c")];
    expect(metIn(turns, known)).toEqual([{ number: 1, over: "b" }, { number: 2 }]);
    const arrived = turn("r:x", 2, { kind: "send-arrived" });
    expect(metIn([failed(1, "a"), arrived, asked(3, 1)], known)).toEqual([{ number: 1 }]);
    expect(metIn([failed(1, "a"), asked(2, 1)], { ...known, gaveUp: () => false })).toEqual([
      { number: 1 },
    ]);
  });

  test("is a failed send only where its end says so, or whoever had it did not live to say", () => {
    const gaveUp = (lines: readonly (Begin | End)[], troubles: readonly Trouble[] = []) =>
      new Book(lines, troubles).gaveUp("c:1:0");
    const [first, second] = [begin("a", 0, 7), begin("b", 8_000, 8)];
    expect(gaveUp([])).toBe(false);
    expect(gaveUp([first, end("a", 50, "held")])).toBe(true);
    // It arrived, or was to be tried again.
    expect(gaveUp([first, end("a", 50, "done")])).toBe(false);
    expect(gaveUp([first, end("a", 50, "retry"), second])).toBe(false);
    const died = (pid: number, ms: number): Trouble => ({ from: T0 + ms, to: T0 + ms, pid });
    expect(gaveUp([first, second], [died(8, 8_100)])).toBe(true);
    expect(gaveUp([first, second], [died(7, 100), died(9, 8_100)])).toBe(false);
    expect(gaveUp([first], [{ from: T0 + 10, to: T0 + 500 }])).toBe(true);
    expect(gaveUp([first], [{ from: T0 - 9_000, to: T0 - 8_000 }])).toBe(false);
  });

  test("is the beginning for one, where the greeting died", () => {
    const began = [1, 2].map((rev) => turn(`N${rev}`, rev, { wrote: `#${rev}`, said: "#0" }));
    expect(metIn(began, { ...known, begins: true })).toEqual([
      { number: 1, over: "greeting" },
      { number: 2 },
    ]);
  });

  test("is what the last to whom it was handed made of it", () => {
    const handed = (epoch: number): Step => ({
      ...{ step: "claim", contact: "c", at: 0, pid: 1, told: [epoch, 1, "N1"] },
    });
    const [first, second] = [asked(1, 1), turn("N1", 1, { epoch: 2, wrote: "#1" })];
    expect(new Book([handed(1), first, first]).turnsOf("c")).toEqual([first]);
    // Its commit was refused, or its process died before: the event was handed out again.
    expect(new Book([handed(1), first, handed(2)]).turnsOf("c")).toEqual([]);
    expect(new Book([handed(2), second, handed(1), first]).turnsOf("c")).toEqual([second]);
  });
});
