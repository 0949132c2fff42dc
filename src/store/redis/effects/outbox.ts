/** Effects on Redis: what waits, what is in flight, what rests. */
import { sealMail } from "../../sealing/contact-keys.ts";
import { lineOf, openPayload, sealPayload } from "../../sealing/journal.ts";
import { associatedData } from "../../names.ts";
import { isGuarded } from "../../pauses.ts";
import { Listeners } from "../../listeners.ts";
import type { Begun, EffectStore, SendEnd } from "../../port/port.ts";
import { afterLease, UNREADABLE } from "../../sealing/unreadable.ts";
import { beginValues, outcomeValues } from "./entries.ts";
import type { Barrier } from "../failover/durability.ts";
import type { Guard } from "../failover/guard.ts";
import { type RedisContext, newToken } from "../connection/redis-context.ts";
import { type Reply, list, number, orUnknown, text } from "../connection/script-calls.ts";

/** Classes that a fail-over must not send twice: they leave only once a replica knows that they were begun. */
const IRREVERSIBLE: ReadonlySet<string> = new Set(["fiscal", "costly", "destructive"]);
/**
 * How far back a confirmation reaches, ms: a caller waits for the answer of each write before it asks, and no answer takes
 * longer than a command's time.
 */
const CONFIRMED_MS = 3_000;
/** Until the next attempt of an effect that was not confirmed, ms. */
const UNCONFIRMED_MS = 1_000;

export class Outbox implements EffectStore {
  readonly #context: RedisContext;
  readonly #guard: Guard;
  readonly #barrier: Barrier;
  /** Told when the required replicas did not confirm in time. */
  readonly unconfirmed = new Listeners<void>();

  constructor(context: RedisContext, parts: { guard: Guard; barrier: Barrier }) {
    this.#context = context;
    this.#guard = parts.guard;
    this.#barrier = parts.barrier;
  }

  async begin(options: Parameters<EffectStore["begin"]>[0]): Promise<readonly Begun[]> {
    const begun = await this.#begin(options);
    const classes = [...new Set(begun.map((one) => one.class))];
    const asked = classes.filter((one) => IRREVERSIBLE.has(one));
    const confirmed = await Promise.all(asked.map((one) => this.confirm(one)));
    const back = asked.filter((_, at) => confirmed[at] !== true);
    return back.length === 0 ? begun : this.#giveBack(begun, new Set(back));
  }

  async confirm(effectClass = ""): Promise<boolean> {
    try {
      await this.#barrier.pass(performance.now() - CONFIRMED_MS);
    } catch {
      this.unconfirmed.tell();
      return false;
    }
    // Last: a server that answers now has everything that was asked of it before.
    return !isGuarded(effectClass) || this.#guard.mayLeave(effectClass);
  }

  /** Nothing left yet: effects that may not be sent twice go back, the rest may go. */
  async #giveBack(
    begun: readonly Begun[],
    classes: ReadonlySet<string>,
  ): Promise<readonly Begun[]> {
    const at = (await this.#context.now()) + UNCONFIRMED_MS;
    const back = begun.filter((one) => classes.has(one.class));
    // If that cannot be written its lease ends, and it is judged as never sent.
    await this.end(back.map((one) => ({ ...one, outcome: { kind: "not_sent", at } }))).catch(
      () => undefined,
    );
    return begun.filter((one) => !classes.has(one.class));
  }

  #begin(options: Parameters<EffectStore["begin"]>[0]): Promise<readonly Begun[]> {
    const { classes } = options;
    // Beside the other calls: what it shows is asked for again before a guarded effect leaves.
    void this.#guard.lookAtWitnesses(classes).catch(() => undefined);
    const { limit, hinted = false, asker = "" } = options;
    const poller = this.#context.poller.outbox.of(`${asker} ${classes?.join() ?? ""}`);
    const left = options.shares && new Map(options.shares);
    const ask = async (partition: number, share: number) => {
      const values = beginValues({
        ...options,
        limit: share,
        token: newToken(),
        shares: left,
        guard: this.#guard.values(partition, classes),
      });
      const answer = list(await this.#context.at("begin", partition, ...values));
      for (const row of answer.slice(2)) {
        const scope = text(list(row)[4]);
        left?.set(scope, (left.get(scope) ?? 0) - 1);
      }
      return answer;
    };
    // With shares one partition after the other: together they would use them up several times.
    return poller.gather(
      { limit, hinted, inTurn: left !== undefined },
      async (partition, share) => {
        const [more, look, ...rows] = await ask(partition, share);
        const got = this.#opened(rows);
        if (look === 0 || !(await this.#guard.heard(partition, look)))
          return { got, more: more === 1 };
        if (got.length === share) return { got, more: true };
        const [still, second, ...others] = await ask(partition, share - got.length);
        if (second !== 0) await this.#guard.heard(partition, second);
        return { got: [...got, ...this.#opened(others)], more: still === 1 };
      },
    );
  }

  async amend(input: Parameters<EffectStore["amend"]>[0]): Promise<boolean> {
    const key = await this.#context.keyOf(input.contact);
    if (!key) return false;
    const { contact, account, id, token } = input;
    const sealed = sealPayload(key, id, input.payload);
    return (await this.#context.run("amend", contact, account, id, token, sealed)) === 1;
  }

  async renew(
    items: Parameters<EffectStore["renew"]>[0],
    leaseMs: number,
  ): Promise<readonly (boolean | undefined)[]> {
    const slots = new Map<number, { index: number; values: string[] }[]>();
    for (const [index, { id, account, contact, token }] of items.entries()) {
      const partition = this.#context.partitionOf(contact);
      const slot = slots.get(partition) ?? [];
      slots.set(partition, slot);
      slot.push({ index, values: [contact, account, id, token] });
    }
    const renewed = items.map((): boolean | undefined => undefined);
    await orUnknown(
      [...slots].map(async ([partition, slot]) => {
        const values = slot.flatMap((item) => item.values);
        const answers = list(
          await this.#context.at("renew", partition, leaseMs, slot.length, ...values),
        );
        slot.forEach(({ index }, at) => (renewed[index] = answers[at] === 1));
      }),
      undefined,
    );
    return renewed;
  }

  async end(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale" | "unknown")[]> {
    return orUnknown(
      ends.map((end) => this.#end(end)),
      "unknown",
    );
  }

  async #end(end: SendEnd): Promise<"ok" | "stale"> {
    const context = this.#context;
    const { contact, id, result } = end;
    const key = await context.keyOf(contact);
    if (!key) return "stale";
    const event = result ? context.names.event(contact, result.event) : "";
    const answer = await context.run(
      "end",
      contact,
      end.account,
      id,
      end.token,
      ...outcomeValues(key, end),
      event,
      result ? sealMail(key, contact, event, result) : "",
      context.limits.dedupeMs,
      end.holdTurn === undefined ? "" : context.names.turn(contact, end.holdTurn),
      context.limits.journal,
      end.journal === undefined ? "" : lineOf(key, end, end.journal),
      end.yields ?? "",
    );
    if (answer === 0) return "stale";
    if (result) context.tell("turns", contact);
    if (answer === 2) context.tell("outbox", contact);
    return "ok";
  }

  /** All partitions at once, each its share; then in turn those that may have more. */
  async reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]> {
    const taken: Begun[] = [];
    const all = this.#context.all();
    const share = Math.floor(options.limit / all.length);
    const ask = async (partition: number, limit: number): Promise<number> => {
      const rows = list(
        await this.#context.at("reap", partition, limit, options.leaseMs, newToken()),
      );
      for (const row of rows) {
        const one = this.#readable(row);
        if (one) taken.push(one);
        else await this.#putBy(list(row));
      }
      return rows.length;
    };
    // A node that is away must not keep lost calls of others from being judged.
    const away = -1;
    const counts =
      share === 0
        ? all.map(() => 0)
        : await orUnknown(
            all.map((one) => ask(one, share)),
            away,
          );
    let failure: Error | undefined;
    for (const partition of all) {
      const left = options.limit - taken.length;
      if (left <= 0) break;
      if (counts[partition] !== share) continue;
      counts[partition] = await ask(partition, left).catch((error: unknown) => {
        failure = error as Error;
        return away;
      });
    }
    if (failure !== undefined && counts.every((count) => count === away)) throw failure;
    return taken;
  }

  async resolve(input: Parameters<EffectStore["resolve"]>[0]): Promise<boolean> {
    const context = this.#context;
    const { contact, account, id, action, result, reason = "", journal } = input;
    const key = await context.keyOf(contact);
    if (!key) return false;
    const event = result ? context.names.event(contact, result.event) : "";
    const sealed = result ? sealMail(key, contact, event, result) : "";
    const answer = await context.run(
      "resolve",
      contact,
      account,
      id,
      action,
      event,
      sealed,
      context.limits.dedupeMs,
      action === "hold" ? key.sealText(associatedData.why(id), reason) : "",
      context.limits.journal,
      journal === undefined ? "" : lineOf(key, { contact, id }, journal),
      input.rev ?? "",
      ...(input.behind ?? []),
    );
    const done = answer === 1;
    if (done) for (const what of ["turns", "outbox"] as const) context.tell(what, contact);
    return done;
  }

  /** An effect that cannot be opened does not stop the others: it is left to its lease. */
  #opened(rows: readonly Reply[]): Begun[] {
    return rows.flatMap((row) => this.#readable(row) ?? []);
  }

  #readable(row: Reply): Begun | null {
    try {
      return this.#begunOf(row);
    } catch {
      return null;
    }
  }

  async #putBy(row: readonly Reply[]): Promise<void> {
    const [id, account, contact, token] = [0, 1, 2, 7].map((at) => text(row[at]));
    const then = afterLease({ class: text(row[3]), attempt: number(row[8]) });
    const how = then === "held" ? ["held", UNREADABLE] : ["retry", 0];
    const { dedupeMs, journal } = this.#context.limits;
    const nothing = ["", "", dedupeMs, "", journal, "", ""];
    await this.#context.run(
      "end",
      contact ?? "",
      account ?? "",
      id ?? "",
      token ?? "",
      ...how,
      ...nothing,
    );
    this.#context.tell("outbox", contact ?? "");
  }

  #begunOf(reply: Reply): Begun {
    const row = list(reply);
    const [id, contact] = [text(row[0]), text(row[2])];
    const key = this.#context.keys.of(contact, text(row[10]));
    return {
      id,
      account: text(row[1]),
      contact,
      class: text(row[3]),
      scope: text(row[4]),
      ordered: text(row[5]) === "1",
      payload: openPayload(key, { id, contact }, text(row[6])),
      token: text(row[7]),
      attempt: number(row[8]),
      createdAt: number(row[9]),
    };
  }
}
