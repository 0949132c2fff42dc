/** What was brought and dropped again: who has an old copy of the store has nothing of it without the conversation's own key. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Redis } from "ioredis";
import { openStore } from "../../../../src/store/index.ts";
import { Links } from "../../../../src/plugins/invoicing/certificates/links.ts";
import { Tickets } from "../../../../src/plugins/invoicing/certificates/tickets.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { KEYS } from "../../../worker/rig.ts";

const CODE = "c".repeat(43);
const TICKET = "t".repeat(43);
const COLLECTIONS = ["certificates", "upload-links"] as const;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test("a file and its password open by their ticket alone, and the ticket by the page's code alone", async () => {
  const store = await openStore({ redisUrl: redis.url, keys: KEYS });
  const raw = new Redis(redis.url);
  try {
    const of = { account: "demo", contact: "a".repeat(32), issuer: "i" };
    const brought = {
      ...of,
      certificado: "MIIK",
      senha: "segredo",
      holder: "Ana",
      until: "2027-01-01",
    };
    const tickets = new Tickets(store);
    await tickets.keep(TICKET, { ...brought, at: 1 });
    const links = new Links(store);
    await links.open(CODE, { ...of, locale: "en", until: 9, tries: 1, failed: 0 });
    expect(await links.use(CODE, { ticket: TICKET, valid: "2027-01-01" })).toBe(true);
    expect(await links.use(CODE, { ticket: TICKET, valid: "2027-01-01" })).toBe(false);
    expect(await tickets.get(TICKET)).toMatchObject(brought);
    expect((await links.find(CODE))?.link.ticket).toBe(TICKET);

    // All that the keys of collections open, and the names under which it stands.
    const lists = await Promise.all(
      COLLECTIONS.map((collection) => store.documents.list(collection)),
    );
    const opened = JSON.stringify(lists);
    for (const secret of ["segredo", "MIIK", "Ana", TICKET, CODE])
      expect(opened.includes(secret)).toBe(false);
    const names = await Promise.all(COLLECTIONS.map((one) => raw.hkeys(`prosa:{d:${one}}:docs`)));
    expect(names.flat()).not.toContain(TICKET);

    await tickets.dropOf("demo", of.contact);
    expect(await tickets.get(TICKET)).toBeNull();
    expect((await store.documents.list("certificates")).items).toEqual([]);
  } finally {
    raw.disconnect();
    await store.close();
  }
});
