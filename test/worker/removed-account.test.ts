/** An account that was removed keeps what it promised its people: what they said is forgotten in time. */
import { expect, test } from "vitest";
import { createAccountRepository } from "../../src/store/accounts.ts";
import { CUSTOMER, issue, OTHER, rig } from "./rig.ts";
import { model } from "../support/plugins.ts";

const DAY = 86_400_000;

test("what people said to a business that was removed is forgotten when it would have been, and its notes in their time", async () => {
  const it = await rig({ kept: true });
  const repository = createAccountRepository(it.store, model, () => performance.now());
  const worker = it.again({
    accounts: {
      get: async (id) => (await repository.get(id))?.account ?? null,
      ids: () => repository.ids(),
      removed: () => repository.removed(),
      onChange: (listener) => repository.onChange(listener),
    },
  });
  const later = async (days: number) => {
    it.clock.moveTo(it.clock.now() + days * DAY);
    await worker.drain();
  };
  try {
    await it.says(CUSTOMER, "meu cpf é 529.982.247-25");
    await it.says(OTHER, "bomba");
    await worker.drain();
    await it.asks(CUSTOMER, issue());
    await worker.drain();
    const contact = await it.contact(CUSTOMER);
    expect(await repository.remove("nobody")).toBe(false);
    expect(await repository.remove("demo")).toBe(true);
    expect((await repository.removed()).map(({ id }) => id)).toEqual(["demo"]);

    await later(89);
    expect(await it.store.views.session("demo", contact)).not.toBeNull();
    await later(3);
    expect(await it.store.views.session("demo", contact)).toBeNull();
    expect(await it.store.views.journal("demo", contact, 10)).toEqual([]);
    expect((await it.store.deadLetters.list({ account: "demo", limit: 5 })).items).toEqual([]);
    expect((await worker.invoices.list("demo", { limit: 5 })).items).toHaveLength(1);
    await later(7 * 365);
    expect((await worker.invoices.list("demo", { limit: 5 })).items).toEqual([]);

    // Nobody else has its id; put back it is one as any other.
    const other = { ...it.account, name: "Outra" };
    expect(await repository.put(other, 0)).toEqual({ ok: false, reason: "removed" });
    expect(await repository.put(other)).toEqual({ ok: false, reason: "removed" });
    expect(await repository.remove("demo")).toBe(false);
    expect(await repository.wasRemoved("demo")).toBe(true);
    expect(await repository.put(it.account, 0, { restore: true })).toMatchObject({ ok: true });
    expect(await repository.wasRemoved("demo")).toBe(false);
    expect(await repository.removed()).toEqual([]);
  } finally {
    await worker.stop(1_000);
    await it.close();
  }
});
