/**
 * The guard before what may not be done twice, against servers of ours that answer as Redis does: which looks get lost, and
 * when, is chosen here, as no real server would let us.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import type { Scopes } from "../../src/store/redis/scopes.ts";
import { Guard } from "../../src/store/redis/failover/guard.ts";
import type { RedisContext } from "../../src/store/redis/connection/redis-context.ts";
import { GuardMarks } from "../../src/store/guard-marks.ts";

const PARTITIONS = 4;

interface Partition {
  run: string;
  history: string;
  seen: number;
  guarded: number;
  hold: string;
}

class FakeRedis {
  readonly parts = new Map<number, Partition>();
  readonly pauses = new Map<string, string>();
  readonly of: { run: string; history: string; continued: string; started: number };

  constructor(of: FakeRedis["of"]) {
    this.of = of;
  }

  /** A replica that has all of it, made the primary. */
  promoted(run: string, history: string): FakeRedis {
    const { started, history: continued } = this.of;
    const made = new FakeRedis({ run, history, continued, started });
    for (const [id, part] of this.parts) made.parts.set(id, { ...part });
    for (const [scope, reason] of this.pauses) made.pauses.set(scope, reason);
    return made;
  }

  /** What `begin.lua` answers of its look; `due`: a guarded effect waits, and leaves when it may. */
  begin(partition: number, known: string, marks: number, due: boolean, now: number) {
    const { run, history, continued, started } = this.of;
    const part = this.parts.get(partition);
    const fits =
      part?.run === run &&
      part.history === history &&
      part.guarded >= marks &&
      (known === "" || known === `${run}.${history}`);
    const left = due && fits && part.hold === "";
    if (left) Object.assign(part, { guarded: part.guarded + 1, seen: now });
    const noted = [part?.run ?? "", part?.history ?? "", part?.seen ?? 0, part?.guarded ?? 0];
    const row = [fits ? 1 : 0, run, history, continued, started, 0, ...noted, part?.hold ?? ""];
    return { left, look: [...row, now] };
  }

  vouch(partition: number, values: readonly (string | number)[], now: number): number {
    const [wasRun, wasHistory, run, history, guarded, hold] = values;
    const part = this.parts.get(partition);
    if ((part?.run ?? "") !== wasRun || (part?.history ?? "") !== wasHistory) return 0;
    if (run !== this.of.run || history !== this.of.history) return 0;
    this.parts.set(partition, {
      ...{ run: this.of.run, history: this.of.history, seen: now },
      hold: part?.hold === undefined || part.hold === "" ? String(hold) : part.hold,
      guarded: Math.max(part?.guarded ?? 0, Number(guarded)),
    });
    return 1;
  }

  hold(partition: number, one: string): number {
    const part = this.parts.get(partition);
    const held = part ?? { run: "", history: "", seen: 0, guarded: 0, hold: "" };
    this.parts.set(partition, held);
    if (!held.hold.includes(one)) held.hold = `${held.hold} ${one}`.trim();
    return 1;
  }
}

/** A process and the server behind its one address. */
class Town {
  server: FakeRedis;
  now = 1_000_000;
  /** Looks at these partitions never come back. */
  lost = new Set<number>();
  readonly guard: Guard;
  readonly #marks = new GuardMarks();

  constructor(server: FakeRedis) {
    this.server = server;
    const context = {
      limits: { restartGraceMs: 0 },
      partitions: PARTITIONS,
      work: { isCluster: true },
      all: () => Array.from({ length: PARTITIONS }, (_, at) => at),
      at: async (name: string, partition: number, ...values: (string | number)[]) => {
        await Promise.resolve();
        this.now += 1;
        if (this.lost.has(partition)) throw new Fault("STORE_UNAVAILABLE", "no answer");
        if (name === "vouch") return this.server.vouch(partition, values, this.now);
        if (name === "hold") return this.server.hold(partition, String(values[0]));
        const [known, marks] = [String(values[6]), Number(values[7])];
        expect(values).toHaveLength(10);
        return [0, this.server.begin(partition, known, marks, false, this.now).look];
      },
    };
    const scopes = {
      pauses: async () => new Map(this.server.pauses),
      list: async (scope: string, reason: string) => {
        this.server.pauses.set(scope, reason);
        return true;
      },
    };
    const posts = { numbers: async () => [] };
    this.guard = new Guard(
      context as unknown as RedisContext,
      scopes as unknown as Scopes,
      this.#marks,
      posts,
    );
  }

  /** Asks a partition for a guarded effect that waits there; true when it was handed out. */
  async begins(partition: number): Promise<boolean> {
    for (let again = 0; again < 2; again += 1) {
      this.now += 1;
      if (this.lost.has(partition)) return false;
      const [known, marks] = this.guard.values(partition, ["fiscal"]);
      const now = this.now;
      const said = this.server.begin(partition, String(known), Number(marks), true, now);
      const retry = await this.guard.heard(partition, said.look);
      if (said.left) return true;
      if (!retry) return false;
    }
    return false;
  }

  release(): void {
    this.server.pauses.clear();
    for (const part of this.server.parts.values()) part.hold = "";
  }
}

const first = () => new FakeRedis({ run: "r1", history: "h1", continued: "", started: 1_000 });

describe("the guard", () => {
  test("knows the server by what any partition saw of it: back on the old primary nothing begins where a look was lost", async () => {
    const town = new Town(first());
    for (const partition of [0, 1, 2, 3]) expect(await town.begins(partition)).toBe(true);
    const old = town.server;
    town.server = old.promoted("r2", "h2");
    town.lost = new Set([2, 3]);
    expect(await town.begins(0)).toBe(false);
    town.lost.clear();
    town.release();
    expect(await town.begins(1)).toBe(true);

    town.server = old;
    expect(await town.begins(2)).toBe(false);
    expect([...old.pauses.keys()].sort()).toEqual(["hold:costly", "hold:fiscal"]);
    expect(await town.begins(3)).toBe(false);
  });

  test("looks again at once where a look was lost, not only when the next would be due", async () => {
    const town = new Town(first());
    for (const partition of [0, 1, 2, 3]) await town.begins(partition);
    town.server = town.server.promoted("r2", "h2");
    town.lost = new Set([2]);
    expect(await town.begins(0)).toBe(false);
    expect(town.guard.values(1, ["words"])[2]).toBe(0);
    expect(town.guard.values(2, undefined)[2]).toBe(1);
  });

  test("lets nothing leave that was begun before another server was seen anywhere, nor while its class is held", async () => {
    const town = new Town(first());
    for (const partition of [0, 1, 2, 3]) expect(await town.begins(partition)).toBe(true);
    expect(await town.guard.mayLeave("fiscal")).toBe(true);
    town.lost = new Set([3]);
    expect(await town.guard.mayLeave("fiscal")).toBe(false);
    town.lost.clear();
    expect(await town.guard.mayLeave("fiscal")).toBe(true);

    town.server = town.server.promoted("r2", "h2");
    expect(await town.guard.mayLeave("fiscal")).toBe(false);
    expect([...town.server.pauses.keys()].sort()).toEqual(["hold:costly", "hold:fiscal"]);
    expect(await town.guard.mayLeave("fiscal")).toBe(false);
    // Somebody else lets go of one class in one partition, then in all of them.
    const parts = [...town.server.parts.values()];
    for (const part of parts) part.hold = "fiscal";
    expect(await town.guard.mayLeave("costly")).toBe(true);
    for (const part of parts.slice(1)) part.hold = "";
    expect(await town.guard.mayLeave("fiscal")).toBe(false);
    town.release();
    expect(await town.guard.mayLeave("fiscal")).toBe(true);
  });

  test("holds in every partition at once, also where the old server still answers", async () => {
    const town = new Town(first());
    for (const partition of [0, 1, 2, 3]) await town.begins(partition);
    town.server = town.server.promoted("r2", "h2");
    town.lost = new Set([2]);
    expect(await town.begins(0)).toBe(false);
    const held = () => [...town.server.parts.values()].map(({ hold }) => hold.split(" ").sort());
    expect(held().filter((classes) => classes.join() === "costly,fiscal")).toHaveLength(3);
  });

  test("whatever is promoted, put back, lost and released: nothing begins where another server was seen since, unheld", async () => {
    const partition = fc.integer({ min: 0, max: PARTITIONS - 1 });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant("begin" as const), at: partition }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("lose" as const), at: partition }) },
      fc.record({ do: fc.constantFrom("promote" as const, "heal" as const, "release" as const) }),
      fc.record({ do: fc.constant("back" as const), to: fc.nat(5) }),
    );
    let begun = 0;
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), async (steps) => {
        const town = new Town(first());
        const servers = [town.server];
        const seen = new Map<FakeRedis, number>();
        const settled = new Map<FakeRedis, Map<number, number>>();
        for (const [time, act] of steps.entries()) {
          const { server } = town;
          if (act.do === "lose") town.lost.add(act.at);
          if (act.do === "heal") town.lost.clear();
          if (act.do === "release") town.release();
          if (act.do === "promote") {
            town.server = server.promoted(`r${servers.length + 1}`, `h${servers.length + 1}`);
            servers.push(town.server);
          }
          if (act.do === "back") town.server = servers[act.to % servers.length] ?? server;
          if (act.do !== "begin") continue;
          const left = await town.begins(act.at);
          const of = settled.get(server) ?? new Map<number, number>();
          settled.set(server, of);
          for (const [id, part] of server.parts) if (part.hold !== "") of.set(id, time);
          if (!town.lost.has(act.at)) seen.set(server, time);
          if (!left) {
            kept += 1;
            continue;
          }
          begun += 1;
          const since = of.get(act.at) ?? -1;
          for (const [other, at] of seen) if (other !== server) expect(at).toBeLessThan(since);
          of.set(act.at, time);
        }
      }),
      { numRuns: 700, seed: 4 },
    );
    expect(Math.min(begun, kept)).toBeGreaterThan(1_000);
  });
});
