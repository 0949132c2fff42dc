import { afterAll, beforeAll, expect, test } from "vitest";
import type { Gateway } from "../../../../src/gateway/index.ts";
import type { Mail } from "../../../../src/engine/index.ts";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { OPERATOR, rig, type Rig } from "../../rig.ts";

const { library } = await loadFlows();
const NOBODY = "5500987650001";
const OLD = "5511988881234";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** We write first, to a number as somebody gave it. */
async function tell(it: Rig, phone: string, event: string): Promise<void> {
  const vars = { business: "Aurora", number: "1", value: "R$ 1,00", key: "", link: "" };
  const to = { channel: "engine-b", address: phone } as const;
  const mail: Mail = { kind: "notice", key: "note-for-you", vars, to };
  const contact = await it.contact(phone);
  await it.store.mail.accept([{ account: "demo", contact, event, mail }]);
  await it.worker.drain();
}

async function asked(it: Rig): Promise<number> {
  const paths = (await it.list("requests")).map(({ path }) => JSON.stringify(path));
  return paths.filter((path) => path.includes("umbers")).length;
}

test.each(["embedded", "redis"] as const)(
  "on the %s store a number that never wrote is looked up once before we write first, the answer kept with its contact",
  async (store) => {
    const it = await rig({ library, ...(store === "redis" ? { redisUrl: redis.url } : {}) });
    try {
      await tell(it, OLD, "n1");
      await tell(it, OLD, "n2");
      expect(await asked(it)).toBe(1);
      expect(await it.received(OLD)).toHaveLength(2);
      const contact = await it.contact(OLD);
      const view = await it.store.views.session("demo", contact);
      expect(view?.session).toMatchObject({ address: "551188881234@s.whatsapp.net" });
      // What they answer may come under the number without its ninth digit.
      expect(await it.store.contacts.lookup("demo", "phone:551188881234")).toBe(contact);
    } finally {
      await it.close();
    }
  },
);

test("a number on no messenger is a failed send that operators are told of, looked up again only a day later", async () => {
  const it = await rig({ library, account: { alerts: { phones: true, report: "off" } } });
  try {
    await tell(it, NOBODY, "n1");
    await it.worker.drain();
    expect(await it.received(NOBODY)).toEqual([]);
    const held = await it.store.views.effects({ account: "demo", state: "held", limit: 5 });
    expect(held).toMatchObject([{ reason: "failed:number_unknown", attempt: 1 }]);
    expect(it.events).toContainEqual(expect.objectContaining({ code: "send.failed" }));
    expect((await it.received(OPERATOR)).length).toBeGreaterThan(0);

    await tell(it, NOBODY, "n2");
    expect(await asked(it)).toBe(1);
    it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
    await tell(it, NOBODY, "n3");
    expect(await asked(it)).toBe(2);
    expect(await it.received(NOBODY)).toEqual([]);
  } finally {
    await it.close();
  }
});

test.each([
  ["502, twice", { kind: "status", status: 502 }, 2],
  ["401", { kind: "status", status: 401 }, 1],
] as const)(
  "a look-up that answers %s is asked again, and the bubble leaves once, after it",
  async (_name, effect, times) => {
    const it = await rig({ library });
    try {
      await it.fault({ route: "chat.messengerNumbers", effect, times });
      await tell(it, OLD, "n1");
      expect(await it.received(OLD)).toEqual([]);
      expect((await it.store.views.effects({ limit: 5 })).map(({ state }) => state)).toEqual([
        "pending",
      ]);
      for (let round = 0; round < 5; round++) {
        for (const scope of (await it.store.scopes.pauses()).keys())
          await it.worker.scopes.resume(scope);
        it.clock.moveTo(it.clock.now() + 120_000);
        await it.worker.drain();
      }
      expect(await it.received(OLD)).toHaveLength(1);
      expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
      expect(await asked(it)).toBe(times + 1);
    } finally {
      await it.close();
    }
  },
);

test("a look-up that is told 429 pauses the phone for a while, and consumes nothing of the bubble", async () => {
  const it = await rig({ library });
  try {
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "chat.messengerNumbers", effect, times: 1 });
    await tell(it, OLD, "n1");
    expect(await it.received(OLD)).toEqual([]);
    const [[scope = "", pause] = []] = [...(await it.store.scopes.pauses())];
    expect([scope, pause?.reason]).toEqual(["plan:demo", "rate_limited"]);
    expect(pause?.until).toBeGreaterThan(Date.now());
    const [waiting] = await it.store.views.effects({ limit: 5 });
    expect(waiting).toMatchObject({ state: "pending", attempt: 0 });

    await it.worker.scopes.resume(scope);
    await it.worker.drain();
    expect(await it.received(OLD)).toHaveLength(1);
    expect(await asked(it)).toBe(2);
  } finally {
    await it.close();
  }
});

test("who says no more while their number is looked up gets nothing, and the answer is kept", async () => {
  const it = await rig({ library });
  try {
    const call = (async (...args: Parameters<Gateway["call"]>) => {
      if (args[0] === "chat.messengerNumbers") {
        await it.says(OLD, "não quero mais receber mensagens");
        await it.store.scopes.pause("plan:demo", "operator");
        await it.worker.drain();
        await it.worker.scopes.resume("plan:demo");
      }
      return it.gateway.call(...args);
    }) as Gateway["call"];
    const worker = it.again({ gatewayFor: () => ({ ...it.gateway, call }) });
    await tell({ ...it, worker }, OLD, "n1");

    const session = (await it.store.views.session("demo", await it.contact(OLD)))?.session;
    expect(session).toMatchObject({ optOut: {} });
    expect(JSON.stringify(await it.journal(OLD))).toContain('"dropped":"opt-out"');
    expect((await it.received(OLD)).join()).not.toContain("R$ 1,00");
  } finally {
    await it.close();
  }
});
