import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import { accountModel } from "../../src/engine/index.ts";
import { createAccountRepository, newToken } from "../../src/store/index.ts";
import { demo, openHouse, TOKEN, type House } from "./house.ts";
import { model } from "../support/plugins.ts";
import { invoicingOf } from "../../src/plugins/invoicing/account.ts";
import { withSteps } from "../../src/store/port/with-steps.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe("accounts by token", () => {
  test("a busy second costs one look, and a change is seen after it", async () => {
    let reads = 0;
    const counting = withSteps(house.store, (method) => {
      if (method === "documents.get") reads++;
      return undefined;
    });
    let now = 0;
    const repository = createAccountRepository(counting, model, () => now);
    const all = await Promise.all(
      Array.from({ length: 100 }, () => repository.byWebhookToken("engine-b", TOKEN)),
    );
    expect(all.every((one) => one?.account.id === "demo")).toBe(true);
    expect(reads).toBe(2);
    const renamed = { ...demo, name: "Outro nome" };
    await createAccountRepository(house.store, model, () => 0).put(renamed);
    now = 999;
    expect((await repository.byWebhookToken("engine-b", TOKEN))?.account.name).toBe("Loja Demo");
    now = 1_001;
    expect((await repository.byWebhookToken("engine-b", TOKEN))?.account.name).toBe("Outro nome");
  });

  test("fields of a plugin that is not loaded stay as they are stored", async () => {
    const whole = createAccountRepository(house.store, model, () => 0);
    const settled = model.schema.parse({
      ...{ id: "kept", name: "Loja", cancelTipo: "nfse-cancelamento" },
      ...{ policy: { ceiling: 1_234 }, retention: { fiscalYears: 9 } },
    });
    await whole.put(settled);
    const bare = createAccountRepository(house.store, accountModel([]), () => 0);

    await bare.change("kept", (account) => ({ ...account, name: "Outro nome" }));

    expect((await whole.get("kept"))?.account).toEqual({ ...settled, name: "Outro nome" });
    await whole.remove("kept");
  });

  test("a token is good for its own channel only", async () => {
    const repository = createAccountRepository(house.store, model, () => 0);
    const own = { channel: "engine-c", token: newToken((n) => Buffer.alloc(n, 7)) } as const;
    const { invoicingToken: _, ...rest } = invoicingOf(demo);
    await repository.put({
      ...rest,
      id: "one",
      channels: [{ ...own, enabled: true, filter: [] }],
    });
    expect(await repository.byWebhookToken("engine-c", own.token)).not.toBeNull();
    expect(await repository.byWebhookToken("engine-b", own.token)).toBeNull();
    expect(await repository.byPluginToken("invoicing", own.token)).toBeNull();
    expect((await repository.byPluginToken("invoicing", TOKEN))?.id).toBe("demo");
  });

  test("a store that is down is told, and not remembered", async () => {
    let isDown = true;
    const flaky = withSteps(house.store, (method) =>
      method === "documents.get" && isDown
        ? () => Promise.reject(new Fault("STORE_UNAVAILABLE", "Gone."))
        : undefined,
    );
    const repository = createAccountRepository(flaky, model, () => 0);
    await expect(repository.byWebhookToken("sms", TOKEN)).rejects.toThrow("STORE_UNAVAILABLE");
    isDown = false;
    expect((await repository.byWebhookToken("sms", TOKEN))?.account.id).toBe("demo");
  });

  test("two people who change one account at a time do not overwrite each other", async () => {
    const repository = createAccountRepository(house.store, model, () => 0);
    const read = await repository.get("demo");
    expect(await repository.put(demo, read?.rev)).toMatchObject({ ok: true });
    expect(await repository.put(demo, read?.rev)).toEqual({ ok: false, reason: "conflict" });
  });

  test.each([
    ["does not fit", false],
    ["does not open", true],
  ])(
    "one that %s is named with the others, keeps none of them, and can be put anew or removed",
    async (_how, isSealed) => {
      const get: typeof house.store.documents.get = async (collection, id) => {
        if (collection === "accounts" && id === "aaa" && isSealed)
          throw new Fault("DATA_TAMPERED", "A sealed value does not open.");
        return house.store.documents.get(collection, id);
      };
      const store = withSteps(house.store, (method) =>
        method === "documents.get" ? get : undefined,
      );
      await house.store.documents.put("accounts", "aaa", { name: 1 });
      const repository = createAccountRepository(store, model, () => 0);
      expect((await repository.list()).map(({ id }) => id)).toContain("demo");
      expect((await repository.list()).map(({ id }) => id)).not.toContain("aaa");
      expect((await repository.ids()).slice(0, 2)).toEqual(["aaa", "demo"]);
      await expect(repository.get("aaa")).rejects.toThrow("DATA_TAMPERED");

      const { invoicingToken: _own, ...rest } = invoicingOf(demo);
      expect(await repository.put({ ...rest, id: "aaa", channels: [] })).toMatchObject({
        ok: true,
      });
      expect(await createAccountRepository(house.store, model, () => 0).get("aaa")).not.toBeNull();
      expect(await repository.remove("aaa")).toBe(true);
      expect(await repository.ids()).not.toContain("aaa");
    },
  );

  test("a token has 256 bits and fits a path", () => {
    expect(newToken((n) => Buffer.alloc(n, 255))).toMatch(/^[\w-]{43}$/);
  });
});
