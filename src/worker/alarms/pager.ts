/**
 * Alarms on the operators' phones. They are written down first and sent from there, so a crash in between neither loses nor
 * repeats a message: it has a number, which is the event id of the mail.
 */
import type { JsonObject } from "../../base/index.ts";
import { localDay } from "../../brazil/index.ts";
import type { Account } from "../../engine/index.ts";
import type { Alarm } from "./alarms.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import { changeDocument, documentsOf } from "../context/document.ts";
import { PAGE } from "../outbox/entry.ts";
import { Loop } from "../loop.ts";
import { isReachable, tellOperators } from "../operators.ts";
import { type Batch, heard, isPaged, next, type Paged, pagedBy, Pages } from "./paging.ts";

/** A message that waits for its hour, for a scope or for another process is looked at again after this, real ms. */
const IDLE_MS = 15_000;
const COLLECTION = "pages";
/** An alarm that names no account concerns all accounts. */
const EVERYBODY = "*";

type PagerContext = Pick<
  RuntimeContext,
  "plugins" | "store" | "accounts" | "clock" | "log" | "budget" | "scopes" | "wake"
>;

export class Pager {
  readonly #context: PagerContext;
  readonly #paged: Paged;
  readonly loop: Loop;
  #batches = new Map<string, Map<string, Batch>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(context: PagerContext) {
    this.#context = context;
    this.#paged = pagedBy(context.plugins);
    this.loop = new Loop({
      round: () => this.round(),
      idleMs: () => IDLE_MS,
      failed: (error) => context.log.error({ err: error }, "alarms could not be told on phones"),
    });
  }

  /** Writes down the alarms heard; sending is left to the next process. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.stored();
  }

  /** Takes a raised alarm. However many come, one batch of each kind is written. */
  hear(alarm: Alarm): void {
    if (!isPaged(this.#paged, alarm)) return;
    const { code, vars = {} } = alarm;
    this.#keep(alarm.account ?? EVERYBODY, [{ code, count: 1, vars }]);
    this.loop.ring();
  }

  /** One batch of each kind; its words are those of the last alarm that has any. */
  #keep(account: string, batches: readonly Batch[]): void {
    const own = this.#batches.get(account) ?? new Map<string, Batch>();
    for (const { code, count, vars } of batches) {
      const known = own.get(code);
      const words = Object.keys(vars).length > 0 || !known ? vars : known.vars;
      own.set(code, { code, count: (known?.count ?? 0) + count, vars: words });
    }
    this.#batches.set(account, own);
  }

  /** Resolves when all alarms heard so far are in the store. Throws what the store throws; what was not written is kept. */
  stored(): Promise<void> {
    // After the write under way, which may hold earlier alarms and may fail.
    const writing = this.#writing.catch(() => undefined).then(() => this.#write());
    this.#writing = writing;
    return writing;
  }

  async #write(): Promise<void> {
    const batches = this.#batches;
    this.#batches = new Map();
    for (const [account, own] of batches) {
      const all = [...own.values()];
      const ids = account === EVERYBODY ? await this.#context.accounts.ids() : [account];
      try {
        for (const id of ids)
          await this.#change(id, (pages) => heard(pages, all, this.#context.clock.now()));
        batches.delete(account);
      } catch (error) {
        for (const [name, rest] of batches) this.#keep(name, [...rest.values()]);
        throw error;
      }
    }
  }

  /** Writes down the alarms heard and sends what is due; answers how many messages. */
  async round(): Promise<number> {
    await this.stored();
    let told = 0;
    for await (const { id, value } of documentsOf(this.#context.store, COLLECTION)) {
      const pages = pagesOf(value);
      const isOpen = pages.telling ?? Object.values(pages.codes).some(({ untold }) => untold > 0);
      if (isOpen && (await this.#tell(id))) told++;
    }
    return told;
  }

  /** What an account's people are told of, by kind. */
  async of(account: string): Promise<Pages> {
    return pagesOf((await this.#context.store.documents.get(COLLECTION, account))?.value);
  }

  async #tell(id: string): Promise<boolean> {
    // A failure for one account does not stop the others.
    const account = await this.#context.accounts.get(id).catch(() => null);
    if (!account?.alerts.phones || account.operators.length === 0) return false;
    if (!(await isReachable(this.#context, account))) return false;
    const means = await this.#means(account);
    const pages = await this.#change(id, (now) => next(now, means));
    const { telling, generation } = pages;
    if (!telling) return false;
    const { lines, fiscal } = telling;
    await tellOperators(this.#context, account, `${PAGE}${id}:${generation}`, {
      kind: "notice",
      key: "alarm",
      vars: {},
      lines,
      ...(fiscal ? { fiscal } : {}),
    });
    await this.#change(id, (now) =>
      now.generation === generation && now.telling ? { ...now, telling: undefined } : null,
    );
    return true;
  }

  async #means({ id, zone, alerts, quotaReserve }: Account) {
    const now = this.#context.clock.now();
    const reserved = await this.#context.budget.isReserved({ id, quotaReserve });
    const { perDay, mute: muted } = alerts;
    return { paged: this.#paged, now, day: localDay(now, zone), perDay, muted, reserved };
  }

  async #change(id: string, change: (pages: Pages) => Pages | null): Promise<Pages> {
    const value = await changeDocument(this.#context.store, COLLECTION, id, (stored) => {
      const changed = change(pagesOf(stored));
      return changed ? (JSON.parse(JSON.stringify(changed)) as JsonObject) : null;
    });
    return pagesOf(value);
  }
}

function pagesOf(value: unknown): Pages {
  return Pages.safeParse(value ?? {}).data ?? Pages.parse({});
}
