/** `prosa keys`, `prosa dead` and decisions against a real HTTP side: what is data, what is prose, which exit code. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "../server/house.ts";
import { ran, type Ran } from "./in-process.ts";

let house: House;
let letters: string[];

beforeAll(async () => {
  house = await openHouse();
  letters = [];
  for (const text of ["meu CPF é 52998224725", "outra"]) {
    const contact = await house.store.contacts.identify("demo", ["phone:5511987650001"]);
    await house.store.mail.accept([
      { account: "demo", contact, event: text, mail: { kind: "inbound", text } },
    ]);
    const [claimed] = await house.store.mail.claim({
      owner: "t",
      contacts: 1,
      events: 1,
      leaseMs: 5_000,
    });
    if (!claimed) throw new Error("nothing to park");
    await house.store.deadLetters.add({ ...claimed, reason: "the flow is broken" });
  }
  letters.push(...(await house.store.deadLetters.list({ limit: 10 })).items.map(({ id }) => id));
});
afterAll(() => house.close());

const prosa = (...args: string[]): Promise<Ran> =>
  ran(args, { PORT: new URL(house.url).port, HOST: "127.0.0.1" });

test("keys make prints a new entry of 32 bytes, another each time, and the prose apart", async () => {
  const [one, two] = await Promise.all([prosa("keys", "make", "k2"), prosa("keys", "make", "k2")]);

  expect(one.code).toBe(0);
  const [name, secret = ""] = one.out.trim().split(":");
  expect(name).toBe("k2");
  expect(Buffer.from(secret, "base64")).toHaveLength(32);
  expect(one.said).toContain("Put it first in PROSA_KEYS");
  expect(two.out).not.toBe(one.out);
  expect((await prosa("keys", "make", "no spaces")).code).toBe(2);
});

test("keys show and rewrap tell what each entry wraps, by name and count only", async () => {
  for (const verb of ["show", "rewrap"]) {
    const { code, out } = await prosa("keys", verb);
    expect(code).toBe(0);
    const census = JSON.parse(out) as { active: string; entries: object[] };
    expect(census.entries).toContainEqual(
      expect.objectContaining({ entry: census.active, given: true }),
    );
    expect(out).not.toMatch(/[A-Za-z0-9+/]{43}=/);
  }
  expect((await prosa("keys", "shred")).code).toBe(2);
});

test("dead export prints each letter once as a line of JSON, documents hidden unless asked for", async () => {
  const { code, out, said } = await prosa("dead", "export");

  expect(code).toBe(0);
  const lines = out.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(letters);
  expect(out).not.toContain("52998224725");
  expect(said).toContain("2 dead letters, people's numbers hidden");
  const opened = await prosa("dead", "export", "--reveal");
  expect(opened.out).toContain("52998224725");
  expect(opened.said).toContain("opened");
});

test("a decision carries what was seen, and says what it is now when that is old", async () => {
  const why = ["--reason", "visto"];
  const note = ["invoices", "resolve", "i1", "--decision", "not_issued", "--rev", "3", ...why];
  expect((await prosa(...note)).code).toBe(0);
  expect(house.done.at(-1)).toMatchObject({
    what: "resolveInvoice",
    args: [{ account: "demo", id: "i1" }, "not_issued", { rev: 3, reason: "visto" }],
  });
  const costly = (verb: string, rev: string) =>
    prosa("outbox", verb, "a".repeat(32), "costly", "--rev", rev, ...why);
  const [old, now] = await Promise.all([costly("retry", "3"), costly("discard", "4")]);
  expect(old).toMatchObject({ code: 1, out: "" });
  expect(old.said).toContain("It is 4 now.");
  expect(now.code).toBe(0);
});

test("what waits for a decision is listed apart, with what names the state it is in", async () => {
  const open = await prosa("invoices", "list", "--open");
  expect(open.code).toBe(0);
  expect(JSON.parse(open.out)).toMatchObject({ items: [{ id: "i1", state: "incerta" }] });
  expect(open.out).not.toContain("529.982.247-25");
  const all = await prosa("invoices", "list");
  expect(all.out).not.toContain("incerta");
  expect(JSON.parse((await prosa("invoices", "show", "i1")).out)).toMatchObject({ id: "i1" });
});

test("a dead letter that is not there is told so, and is no success", async () => {
  const { code, out, said } = await prosa("dead", "show", "nobody.nothing");

  expect(code).toBe(1);
  expect(out).toBe("");
  expect(said).toMatch(/refused \(404\)/);
});
