/** A file somebody was sent: who has an old copy of the store has nothing of it without the conversation's own key. */
import { hash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Redis } from "ioredis";
import { openStore } from "../../src/store/index.ts";
import {
  fileByCode,
  openFileLink,
  withdrawFileLinks,
  dropFilesOf,
  fileOf,
  putFile,
} from "../../src/worker/context/files.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { type Asked, CUSTOMER, KEYS, rig, WAITER } from "./rig.ts";

const COLLECTIONS = ["files", "file-links"] as const;
const DAY = 86_400_000;
const bytes = Buffer.from("CPF 529.982.247-25");
const base64 = bytes.toString("base64");

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test("a file opens by its reference alone, and the reference by the address's code alone", async () => {
  const store = await openStore({ redisUrl: redis.url, keys: KEYS });
  const raw = new Redis(redis.url);
  const keys = { hash: (text: string) => hash("sha256", text, "hex") };
  const context = { store, keys, clock: { now: () => 1 } };
  const of = { account: "demo", contact: "a".repeat(32) };
  try {
    const named = { mimetype: "application/json", fileName: "meus-dados.json" };
    const made = await putFile(context, { ...of, ...named, bytes });
    const file = made?.file ?? "";
    const code = await openFileLink(context, { ...of, file, until: DAY });
    expect(await fileOf(context, "demo", file)).toMatchObject({ ...of, ...named, base64 });
    expect(await fileOf(context, "other", file)).toBeNull();

    // All that the keys of collections open, and the names under which it stands.
    const lists = await Promise.all(
      COLLECTIONS.map((collection) => store.documents.list(collection)),
    );
    const names = await Promise.all(COLLECTIONS.map((one) => raw.hkeys(`prosa:{d:${one}}:docs`)));
    const opened = JSON.stringify([lists, names]);
    for (const secret of [base64, "529.982.247-25", named.fileName, file, code])
      expect(opened.includes(secret), secret).toBe(false);
    // Nor does what anybody with the keys can make lead to it.
    const known = [of.account, of.contact, ...names.flat()];
    for (const one of known) {
      const guess = keys.hash(`file-link:${of.account}:${of.contact}:${one}`);
      expect(await fileByCode(context, guess, "look")).toBeNull();
      expect(await fileOf(context, "demo", one)).toBeNull();
    }

    // Sent again it is the same address; made again under one secret it is one file.
    expect(await openFileLink(context, { ...of, file, until: DAY })).toBe(code);
    expect((await putFile(context, { ...of, ...named, bytes, secret: file }))?.file).toBe(file);
    expect((await store.documents.list("files")).items).toHaveLength(1);
    expect((await fileByCode(context, code, "look"))?.base64).toBe(base64);
    for (let left = 3; left > 0; left--)
      expect((await fileByCode(context, code, "take"))?.base64).toBe(base64);
    expect(await fileByCode(context, code, "take")).toBeNull();

    const large = await putFile(context, { ...of, ...named, bytes: Buffer.alloc(600 * 1024, 7) });
    expect((await fileOf(context, "demo", large?.file ?? ""))?.base64).toHaveLength(800 * 1024);
    const gone = await dropFilesOf(context, of.account, of.contact);
    await withdrawFileLinks(context, of.account, "another", gone);
    expect(await fileOf(context, "demo", file)).toBeNull();
    for (const one of COLLECTIONS) expect((await store.documents.list(one)).items).toEqual([]);
  } finally {
    raw.disconnect();
    await store.close();
  }
});

test("a copy sent again by short message names the address it had, which gives it", async () => {
  const it = await rig();
  try {
    const from = { address: CUSTOMER, phone: CUSTOMER };
    const said = { id: "s1", messageId: "s1", content: { type: "text", text: "oi" } };
    const event = { kind: "message", at: it.clock.now(), from, ...said };
    const mail = { kind: "inbound", channel: "sms", acceptedAt: it.clock.now(), event };
    const contact = await it.contact(CUSTOMER);
    await it.store.mail.accept([{ account: "demo", contact, event: "s1", mail }]);
    await it.worker.drain();

    const lost = { kind: "accepted_then_lost" };
    await it.fault({ route: "sms.send", effect: lost, times: 1 });
    const copy = { type: "call", class: "read", name: "privacy.export", waiter: WAITER, input: {} };
    await it.asks(CUSTOMER, copy as Asked);
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 60_000);
    await it.worker.drain();

    const codes = (await it.received(CUSTOMER)).flatMap(
      (text) => /\/f\/(\w+)/.exec(text)?.[1] ?? [],
    );
    expect(codes).toHaveLength(2);
    expect(new Set(codes).size).toBe(1);
    expect((await it.store.documents.list("files")).items).toHaveLength(1);
    const kept = await fileByCode(it, codes[0] ?? "", "take");
    expect(Buffer.from(kept?.base64 ?? "", "base64").toString()).toContain(CUSTOMER);
  } finally {
    await it.close();
  }
});
