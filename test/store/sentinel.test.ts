/**
 * Three Sentinels, a primary and two replicas, all real; the primary dies under load. Conversations go on with the new one,
 * nothing that was answered is lost or done twice, and what may not be done twice waits for a person.
 */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { startRedis, startSentinels, type TestRedis } from "../support/redis.ts";
import { ACCOUNT, newContact, sleep } from "./contract.ts";
import { steady } from "./steady-worker.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const CONTACTS = 12;
/** Events of each contact after the primary died. */
const MORE = 10;

async function until(what: string, met: () => Promise<boolean>, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !(await met().catch(() => false)); await sleep(20))
    if (Date.now() > end) throw new Error(`${what}: did not happen in ${ms} ms`);
}

test("a primary that dies under load: all that was answered is applied once and in order, fiscal calls wait for a person", async () => {
  const closing: (() => Promise<unknown> | void)[] = [];
  try {
    const strict = ["--repl-diskless-sync-delay", "0", "--min-replicas-to-write", "1"];
    const primary = await startRedis({ args: strict });
    closing.push(() => primary.stop());
    const replicas: TestRedis[] = [];
    for (let index = 0; index < 2; index += 1) {
      const args = [...strict, "--replicaof", "127.0.0.1", String(primary.port)];
      const replica = await startRedis({ args });
      replicas.push(replica);
      closing.push(() => replica.stop());
    }
    const watched = new Redis(primary.url);
    watched.on("error", () => undefined);
    closing.push(() => watched.disconnect());
    await until(
      "replication",
      async () => (await watched.info("replication")).split("state=online").length === 3,
    );
    const sentinels = await startSentinels(primary);
    closing.push(() => sentinels.stop());
    for (const port of sentinels.ports) {
      const sentinel = new Redis(port);
      closing.push(() => sentinel.disconnect());
      await until("a Sentinel that knows all", async () => {
        const [, ...facts] = [await sentinel.call("SENTINEL", "MASTER", "main")].flat() as string[];
        const fact = (name: string) => facts[facts.indexOf(name) + 1];
        return fact("num-slaves") === "2" && fact("num-other-sentinels") === "2";
      });
    }
    const open = async (): Promise<Store> => {
      const store = await openStore({ redisUrl: sentinels.url, keys: KEYS });
      closing.push(() => store.close());
      return store;
    };
    const [ingress, worker] = [await open(), await open()];
    expect(await worker.info()).toMatchObject({ durability: "D2" });

    const { sent, notes, stop } = steady(worker);
    closing.push(stop);

    const contacts = await Promise.all(Array.from({ length: CONTACTS }, () => newContact(ingress)));
    const told = async (contact: string, name: string): Promise<void> => {
      const mail = { kind: "text", text: name };
      await until(`an answer to ${name}`, async () => {
        const [answer] = await ingress.mail.accept([
          { account: ACCOUNT, contact, event: name, mail },
        ]);
        return answer === "new" || answer === "duplicate";
      });
    };
    const dead = { yes: false };
    const lists = contacts.map(async (contact) => {
      const names: string[] = [];
      for (let left = MORE; left > 0; left -= dead.yes ? 1 : 0) {
        names.push(`e${names.length}`);
        await told(contact, names.at(-1) ?? "");
      }
      return { contact, names };
    });
    await until("notes before the death", async () => notes().length > CONTACTS);
    primary.process?.kill("SIGKILL");
    dead.yes = true;
    const all = await Promise.all(lists);
    await until(
      "the end of the back-log",
      async () => (await worker.views.backlog()).counters.queued === 0,
    );

    for (const { contact, names } of all)
      expect((await worker.views.session(ACCOUNT, contact))?.session).toEqual({ heard: names });
    await until("the holds", async () => (await worker.scopes.pauses()).size === 2);
    expect(
      [...(await ingress.scopes.pauses())]
        .map(([scope, { reason }]) => `${scope} ${reason}`)
        .sort(),
    ).toEqual(["hold:costly failover", "hold:fiscal failover"]);
    const before = notes().length;
    const waiting = await worker.views.effects({ state: "pending", limit: 1_000 });
    expect(waiting.filter((one) => one.class === "fiscal").length).toBeGreaterThan(0);
    await until("words without a hold", async () =>
      (await worker.views.effects({ state: "pending", limit: 1_000 })).every(
        (one) => one.class === "fiscal",
      ),
    );

    for (const hold of ["hold:fiscal", "hold:costly"]) await ingress.scopes.resume(hold);
    // Begun and given back while the connection is so new that nothing counts as confirmed: so all states are asked for.
    await until(
      "the last effect",
      async () => (await worker.views.effects({ limit: 9 })).length === 0,
    );
    expect(notes().length).toBeGreaterThan(before);
    for (const [id, times] of sent) if (id.endsWith("note")) expect(times, id).toBe(1);
  } finally {
    for (const close of closing.reverse()) await close();
  }
});
