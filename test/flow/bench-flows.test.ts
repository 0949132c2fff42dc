/**
 * The flows that only the benchmarks load: no other test would see that lint has come to refuse them, or that an answer
 * costs more the longer its form is.
 */
import { expect, test } from "vitest";
import { demoAccount } from "../../src/app/start/demo.ts";
import {
  type Expectation,
  type Mail,
  type Program,
  run,
  type Session,
} from "../../src/engine/index.ts";
import { forms } from "../bench/message/form-flow.ts";
import { LENGTHS, lines, numberOf, questions } from "../bench/message/form.ts";
import { ASKS, longFlow } from "../bench/long-flow.ts";
import { model } from "../support/plugins.ts";

test.each(ASKS)(
  "the flow of bench:answer with %i questions compiles, without a finding",
  (asks) => {
    const library = longFlow(asks);
    expect(library.findings).toEqual([]);
    expect(Object.keys(library.get("long")?.machine.config.states ?? {})).toContain(`q${asks - 1}`);
  },
);

test("the forms of npm run bench compile beside the shipped flows, without an error", async () => {
  const library = await forms();
  for (const length of LENGTHS)
    expect(library.get(`form-${length}`)?.machine.config.id).toBe(`form-${length}`);
});

/** The same, and `seen` is told each member that is read. */
function seenThrough<T extends object>(of: T, seen: (name: string | symbol) => void): T {
  return new Proxy(of, {
    get(target, name) {
      seen(name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

test("a plain answer is understood without a look at the other questions of its form", async () => {
  const library = await forms();
  const account = demoAccount({ gateway: {} } as Parameters<typeof demoAccount>[0], model);
  const looked = new Set<string>();
  let said = "";
  const flow = library.get("form-40") as Program;
  const form = new Proxy(flow, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "expects") return member.bind(target) as unknown;
      return (...given: Parameters<Program["expects"]>): Expectation =>
        seenThrough(target.expects(...given), (part) => part === "slots" && looked.add(said));
    },
  });
  const env = {
    ...{ account, accountModel: model, accountId: account.id, contact: "1".repeat(32) },
    role: "customer",
    library: {
      get: (name: string, hash?: string) => (name === "form-40" ? form : library.get(name, hash)),
      list: () => library.list().map((one) => (one.flow === "form-40" ? form : one)),
      word: library.word.bind(library),
    },
  } as const;
  let session: Session | null = null;
  for (const [place, text] of lines(40, 1).entries()) {
    const now = Date.UTC(2026, 10, 21, 12) + place * 10_000;
    const event = {
      kind: "message",
      ...{ id: `m${place}`, messageId: `m${place}`, at: now },
      from: { address: `${numberOf(1)}@s.whatsapp.net`, phone: numberOf(1) },
      content: { type: "text", text },
    } as const;
    const mail: Mail = { kind: "inbound", channel: "engine-b", event, acceptedAt: now };
    said = questions(40)[place - 1]?.kind ?? "the phrase that begins it";
    const turn = run(session, [{ event: event.id, mail }], { ...env, now });
    expect(turn.failed).toBeUndefined();
    session = turn.session;
  }
  expect(session?.lastSaid).toContain("Pronto.");
  expect([...looked]).toEqual([]);
});
