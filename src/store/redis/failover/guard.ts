/**
 * The guard of calls that must not be made twice. `begin.lua` hands such effects out only while the server that runs it is
 * the one written down in the partition, and remembers everything that this process saw begun there. Any other look is
 * judged here (`judge.ts`). After a fail-over or a restored backup the hold is durable before anything is begun again.
 */
import { GUARDED, holdOf, type HoldReason, isGuarded, isHoldReason } from "../../pauses.ts";
import type { GuardMarks } from "../../guard-marks.ts";
import { beginValues } from "../effects/entries.ts";
import type { Scopes } from "../scopes.ts";
import type { RedisContext } from "../connection/redis-context.ts";
import type { WitnessKeys } from "./witness-keys.ts";
import { judge, type Look, SeenServers } from "./judge.ts";
import { type Reply, list, number, text } from "../connection/script-calls.ts";

/** A partition's server is looked at this often also while no guarded effect is due, ms: it costs microseconds. */
const LOOK_MS = 2_000;

export class Guard {
  readonly #context: RedisContext;
  readonly #scopes: Scopes;
  readonly #marks: GuardMarks;
  readonly #witnesses: Pick<WitnessKeys, "numbers">;
  readonly #servers = new SeenServers();
  readonly #lookedAt = new Map<number, number>();
  /** When restarts were first seen: other processes that know more get time to judge them. */
  readonly #restarts = new Map<number, { readonly run: string; readonly since: number }>();
  /** Partitions with a hold that is on no list, seen once. */
  readonly #unlisted = new Set<number>();
  #isSweeping = false;
  #holding: Promise<boolean> | undefined;
  /** How often a look said that a class may not leave. */
  readonly #refused = new Map<string, number>();
  #witnessedAt = -Infinity;

  constructor(
    context: RedisContext,
    scopes: Scopes,
    marks: GuardMarks,
    witnesses: Pick<WitnessKeys, "numbers">,
  ) {
    this.#context = context;
    this.#scopes = scopes;
    this.#marks = marks;
    this.#witnesses = witnesses;
  }

  /** What `begin.lua` is told of a partition. */
  values(partition: number, classes: readonly string[] | undefined): (string | number)[] {
    if (classes && !classes.some(isGuarded)) return ["", 0, 0];
    const now = performance.now();
    const due = now - (this.#lookedAt.get(partition) ?? -Infinity) > LOOK_MS;
    return [this.#servers.expected(partition), this.#marks.of(partition), due ? 1 : 0];
  }

  /** Takes in what `begin.lua` saw. True: ask once more, because the look is settled and nothing is held. */
  async heard(partition: number, reply: Reply | undefined): Promise<boolean> {
    this.#lookedAt.set(partition, performance.now());
    try {
      const look = lookOf(reply);
      if (look.held.length > 0) this.#refuse(look.held);
      const isSettled = await this.#settle(partition, look);
      if (!isSettled) this.#refuse(GUARDED);
      return isSettled && !look.fits;
    } catch (error) {
      // It is only known that it did not fit: the next round looks again.
      this.#lookedAt.delete(partition);
      this.#refuse(GUARDED);
      throw error;
    }
  }

  /**
   * Whether a guarded effect that was begun may leave: every primary answers, is the one that was known, and no hold is on
   * the class. The effect's key, its record and the list of pauses are in other places than its partition.
   */
  async mayLeave(effectClass: string): Promise<boolean> {
    const before = this.#refused.get(effectClass);
    const [first = 0, ...others] = this.#context.all();
    try {
      // Outside a Cluster one server holds all partitions.
      const rest = this.#context.work.isCluster
        ? [...others, ...(await this.#witnesses.numbers())]
        : [];
      await Promise.all([first, ...rest].map((one) => this.#lookAt(one)));
    } catch {
      return false;
    }
    return this.#refused.get(effectClass) === before;
  }

  /** Primaries without a partition are looked at as often as those with one. */
  async lookAtWitnesses(classes: readonly string[] | undefined): Promise<void> {
    if (classes && !classes.some(isGuarded)) return;
    const now = performance.now();
    if (now - this.#witnessedAt <= LOOK_MS) return;
    this.#witnessedAt = now;
    const witnesses = await this.#witnesses.numbers();
    await Promise.allSettled(witnesses.map((witness) => this.#lookAt(witness)));
  }

  #refuse(classes: readonly string[]): void {
    for (const one of classes) this.#refused.set(one, (this.#refused.get(one) ?? 0) + 1);
  }

  /** True: the partition is held by the server written down, and that server was judged. */
  async #settle(partition: number, look: Look): Promise<boolean> {
    if (look.held.length > 0) await this.#relist(partition, look);
    if (look.fits) {
      await this.#believe(partition, look);
      return true;
    }
    const verdict = judge(look, {
      isKnown: this.#servers.of(partition) !== undefined,
      before: this.#servers.before(partition, look),
      guarded: this.#marks.of(partition),
    });
    switch (verdict) {
      case "known":
        await this.#believe(partition, look);
        return true;
      case "restart":
        if (this.#isEarly(partition, look)) return false;
        return this.#vouch(partition, look, "");
      case "new":
        return this.#vouch(partition, look, "");
      case "failover":
      case "restored":
        await this.#hold(partition, look, verdict);
        return false;
    }
  }

  async #hold(partition: number, look: Look, reason: HoldReason): Promise<void> {
    // The hold first: once the server is accepted, every process may begin effects there again.
    this.#holding ??= this.#holdAll(reason).finally(() => (this.#holding = undefined));
    const everywhere = await this.#holding;
    // A partition keeps its own hold until a person releases it; a witness key has none.
    const isWitness = partition >= this.#context.partitions;
    if (isWitness && !everywhere) return;
    await this.#vouch(partition, look, isWitness ? "" : GUARDED.join(" "));
    // The other partitions now, so that a person who releases the hold is not asked again a moment later.
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    const rest = this.#context.all().filter((one) => one !== partition);
    const witnesses = await this.#witnesses.numbers().catch(() => []);
    await Promise.allSettled([...rest, ...witnesses].map((one) => this.#lookAt(one)));
    this.#isSweeping = false;
  }

  /**
   * On the list, for people and processes, and in each partition, whose own step then refuses. False: a partition did not
   * answer.
   */
  async #holdAll(reason: HoldReason): Promise<boolean> {
    for (const one of GUARDED) {
      const scope = holdOf(one);
      const { reason: known = "", until } = (await this.#scopes.pauses()).get(scope) ?? {};
      // A hold by a person may have an end, or be released by a caller that knows only its own reason.
      if (!isHoldReason(known) || until !== undefined) await this.#scopes.list(scope, reason);
    }
    const asked = GUARDED.flatMap((one) =>
      this.#context.all().map((partition) => this.#context.at("hold", partition, one, 1)),
    );
    return (await Promise.allSettled(asked)).every(({ status }) => status === "fulfilled");
  }

  async #lookAt(partition: number): Promise<void> {
    // Due again until an answer comes, whatever happens.
    this.#lookedAt.delete(partition);
    const values = beginValues({
      limit: 0,
      leaseMs: 0,
      offsetMs: 0,
      token: "",
      paused: [],
      classes: [],
      guard: [this.#servers.expected(partition), this.#marks.of(partition), 1],
    });
    const [, reply] = list(await this.#context.at("begin", partition, ...values));
    if (reply !== 0) await this.heard(partition, reply);
  }

  async #vouch(partition: number, look: Look, hold: string): Promise<boolean> {
    const { noted, run, history } = look;
    const guarded = Math.max(look.guarded, this.#marks.of(partition));
    const done = await this.#context.at(
      "vouch",
      partition,
      noted?.run ?? "",
      noted?.history ?? "",
      run,
      history,
      guarded,
      hold,
    );
    // Another process was faster: what it wrote is judged with the next look.
    if (done !== 1) return false;
    await this.#believe(partition, { ...look, guarded });
    return hold === "";
  }

  async #believe(partition: number, look: Look): Promise<void> {
    const { run, history, now, guarded } = look;
    this.#servers.settle(partition, { run, history, at: now }, look.cluster);
    this.#restarts.delete(partition);
    await this.#marks.raise(partition, guarded);
  }

  #isEarly(partition: number, { run }: Look): boolean {
    const known = this.#restarts.get(partition);
    const now = performance.now();
    if (known?.run === run) return now - known.since < this.#context.limits.restartGraceMs;
    this.#restarts.set(partition, { run, since: now });
    // Looked at again in the next round, not only when it is due.
    this.#lookedAt.delete(partition);
    return true;
  }

  /** A hold in a partition that is on no list: the node with the list was lost, and people must see the hold. */
  async #relist(partition: number, { held }: Look): Promise<void> {
    const pauses = await this.#scopes.pauses();
    const lost = held.filter((one) => !pauses.has(holdOf(one)));
    if (lost.length === 0) this.#unlisted.delete(partition);
    // Seen once it may be a release under way, which clears the partitions first.
    else if (!this.#unlisted.has(partition)) this.#unlisted.add(partition);
    else for (const one of lost) await this.#scopes.list(holdOf(one), "failover");
  }
}

function lookOf(reply: Reply | undefined): Look {
  const row = list(reply);
  const noted = text(row[6]);
  const held = text(row[10]);
  return {
    fits: row[0] === 1,
    run: text(row[1]),
    history: text(row[2]),
    continued: text(row[3]),
    started: number(row[4]),
    cluster: row[5] === 1,
    noted: noted === "" ? null : { run: noted, history: text(row[7]), at: number(row[8]) },
    guarded: number(row[9]),
    held: held === "" ? [] : held.split(" "),
    now: number(row[11]),
  };
}
