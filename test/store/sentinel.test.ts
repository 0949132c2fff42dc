/**
 * Three Sentinels, a primary and two replicas, all real; the primary dies under load. Conversations go on with the new one,
 * nothing that was answered is lost or done twice, and what may not be done twice waits for a person.
 */
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { startRedis, startSentinels, type TestRedis } from "../support/redis.ts";
import { ACCOUNT, beginAll, claimAll, commitOf, message, newContact, sleep } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const CONTACTS = 12;
/** Events of each contact after the primary died. */
const MORE = 10;

async function until(met: () => Promise<boolean>, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !(await met().catch(() => false)); await sleep(20))
    if (Date.now() > end) throw new Error("it did not happen in time");
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
    await until(async () => (await watched.info("replication")).split("state=online").length === 3);
    const sentinels = await startSentinels(primary);
    closing.push(() => sentinels.stop());
    for (const port of sentinels.ports) {
      const sentinel = new Redis(port);
      closing.push(() => sentinel.disconnect());
      await until(async () => {
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

    const sent = new Map<string, number>();
    let working = true;
    const work = (async () => {
      for (; working; await sleep(5)) {
        try {
          for (const claimed of await claimAll(worker, 1_000)) {
            const heard = (claimed.session as { heard?: string[] } | null)?.heard ?? [];
            const more = claimed.mail.map(({ mail }) => (mail as { text: string }).text);
            const last = more.at(-1) ?? "";
            const id = (kind: string) => `${claimed.contact}:${last}:${kind}`;
            const effects = [
              message(id("note"), { class: "fiscal", ordered: false }),
              message(id("words")),
            ];
            const session = { heard: [...heard, ...more] };
            await worker.commit([commitOf(claimed, { session, effects })]);
          }
          const begun = await beginAll(worker);
          // The call would be made here.
          for (const { id } of begun) sent.set(id, (sent.get(id) ?? 0) + 1);
          await worker.endSend(
            begun.map((one) => ({ ...one, outcome: { kind: "done" } as const })),
          );
        } catch {
          // The store is away: the next round finds it, or its successor.
        }
      }
    })();
    closing.push(() => ((working = false), work));

    const contacts = await Promise.all(Array.from({ length: CONTACTS }, () => newContact(ingress)));
    const told = async (contact: string, name: string): Promise<void> => {
      const mail = { kind: "text", text: name };
      await until(async () => {
        const [answer] = await ingress.accept([{ account: ACCOUNT, contact, event: name, mail }]);
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
    await sleep(500);
    const notes = [...sent.keys()].filter((id) => id.endsWith("note"));
    expect(notes.length).toBeGreaterThan(0);
    primary.process?.kill("SIGKILL");
    dead.yes = true;
    const all = await Promise.all(lists);
    await until(async () => (await worker.backlog()).counters.queued === 0);

    for (const { contact, names } of all)
      expect((await worker.session(ACCOUNT, contact))?.session).toEqual({ heard: names });
    await until(async () => (await worker.pauses()).size === 2);
    expect(
      [...(await ingress.pauses())].map(([scope, { reason }]) => `${scope} ${reason}`).sort(),
    ).toEqual(["hold:costly failover", "hold:fiscal failover"]);
    const before = [...sent.keys()].filter((id) => id.endsWith("note")).length;
    const waiting = await worker.effects({ state: "pending", limit: 1_000 });
    expect(waiting.filter((one) => one.class === "fiscal").length).toBeGreaterThan(0);
    await until(async () =>
      (await worker.effects({ state: "pending", limit: 1_000 })).every(
        (one) => one.class === "fiscal",
      ),
    );

    for (const hold of ["hold:fiscal", "hold:costly"]) await ingress.resume(hold);
    // Begun and given back while the connection is so new that nothing counts as confirmed: so all states are asked for.
    await until(async () => (await worker.effects({ limit: 9 })).length === 0);
    expect([...sent.keys()].filter((id) => id.endsWith("note")).length).toBeGreaterThan(before);
    for (const [id, times] of sent) if (id.endsWith("note")) expect(times, id).toBe(1);
  } finally {
    for (const close of closing.reverse()) await close();
  }
});
