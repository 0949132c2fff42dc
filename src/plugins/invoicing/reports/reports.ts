/**
 * The daily report: made once for each account and day, kept, and told to the operators when there is something to say. Its
 * day is its name and its mail's event id, so neither a crash nor a second process makes another.
 */
import {
  type Account,
  addDays,
  documentsOf,
  each,
  instantOf,
  isReachable,
  type Json,
  localDay,
  localTime,
  tellOperators,
  TOLD,
  type Usage,
} from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import { advanced, can, isOnList } from "../note/life.ts";
import type { Invoice } from "../note/invoice.ts";
import { isOpen, noticeOf, reconcile, Reconciliation, spanOf } from "./reconciliation.ts";

const COLLECTION = "reports";
/**
 * So long after its hour a report is still made when the day in which it was due is over: an hour shortly before midnight
 * would be missed otherwise. Later it would wake people. Virtual ms.
 */
const LATE_MS = 6 * 3_600_000;
/** Days whose reports are still told when nobody could be told of them in time. */
const OWED_DAYS = 6;
/** No call takes so long: what is on its way still was given up by whoever made it. Virtual ms. */
const LOST_MS = 3_600_000;

export class Reports {
  readonly #context: InvoicingContext;
  /** The last day of each account whose report was told, or had nothing to tell. */
  readonly #done = new Map<string, string>();

  constructor(context: InvoicingContext) {
    this.#context = context;
  }

  /**
   * Makes and tells what is due, that of earlier days first when it could not be told then; answers how many reports were
   * made or told. All older ones are made when asked for.
   */
  async round(): Promise<number> {
    const { accounts, clock } = this.#context;
    let made = 0;
    // One account's trouble is not the others', and the next round tries it again.
    await each(await accounts.ids(), async (id) => {
      const account = await accounts.get(id).catch(() => null);
      if (!account || account.alerts.report === "off") return;
      const day = dueDay(account, clock.now());
      if (day === undefined || this.#done.get(id) === day) return;
      for (const owed of [...(await this.#owed(account, day)), day])
        if (await this.#daily(account, owed)) made++;
    });
    return made;
  }

  /**
   * Days before this one whose report waits untold since its own night began, or was never made because nobody ran; the
   * first day first. What happened before the first report is nobody's business.
   */
  async #owed({ id }: Account, day: string): Promise<readonly string[]> {
    const owed: string[] = [];
    const unmade: string[] = [];
    for (let back = 1; back <= OWED_DAYS; back++) {
      const earlier = addDays(day, -back);
      const kept = await this.#context.store.documents.get(COLLECTION, docId(id, earlier));
      if (!kept) unmade.push(earlier);
      else owed.push(...unmade.splice(0));
      if (kept?.value["told"] === false) owed.push(earlier);
      else if (kept) break;
    }
    return owed.reverse();
  }

  /** The kept report of a day that is over, or the state of things now. */
  async of(account: Account, day = localDay(this.#context.clock.now(), account.zone)) {
    const kept = await this.#context.store.documents.get(COLLECTION, docId(account.id, day));
    const report = Reconciliation.safeParse(kept?.value["report"]).data;
    return report ?? (await this.#make(account, day)).report;
  }

  async #daily(account: Account, day: string): Promise<boolean> {
    const { store } = this.#context;
    const id = docId(account.id, day);
    let kept = await store.documents.get(COLLECTION, id);
    const isNew = kept === null;
    if (!kept) {
      const { report } = await this.#make(account, day);
      await store.documents.put(COLLECTION, id, { report, told: false }, 0);
      kept = await store.documents.get(COLLECTION, id);
    }
    const isUntold = kept?.value["told"] === false;
    if (isUntold && !(await this.#tell(account, day, kept?.value["report"]))) return isNew;
    this.#done.set(account.id, day);
    return isNew || isUntold;
  }

  /** True when it is told or need not be. */
  async #tell(account: Account, day: string, stored: Json | undefined): Promise<boolean> {
    const { store, budget } = this.#context;
    const report = Reconciliation.parse(stored);
    const isWanted = account.alerts.report === "daily" || report.needsSomebody;
    const isHeard = isWanted && account.operators.length > 0;
    // While sending is paused it waits, over midnight until the hour of the next one.
    if (isHeard && !(await isReachable(this.#context, account))) return false;
    const isSent = isHeard && !(await budget.isReserved(account));
    if (isSent)
      await tellOperators(
        this.#context,
        account,
        `report:${account.id}:${day}`,
        noticeOf(report, report.usage as unknown as Usage),
      );
    const told = isSent ? "phones" : isWanted ? "nobody" : "nothing";
    await store.documents.put(COLLECTION, docId(account.id, day), { report, told });
    return true;
  }

  async #make(account: Account, day: string) {
    const { invoices, dailyCounters, budget, clock } = this.#context;
    const { from, to } = spanOf(day, account.zone);
    const found = await invoices.all(account.id, (invoice) => {
      const { settledAt = 0 } = invoice;
      return isOpen(invoice) || (settledAt >= from && settledAt < to);
    });
    const some: Invoice[] = [];
    for (const invoice of found) some.push(await this.#judged(invoice));
    // A list that a fail-over left incomplete is made whole by the one look at all records.
    for (const invoice of some) if (isOnList(invoice)) await invoices.remember(invoice);
    const usage = await budget.usage(account.id);
    const deeds = await dailyCounters.of(account.id, day);
    const report = reconcile({
      account,
      day,
      usage,
      deeds,
      invoices: some,
      moved: await this.#movedIn(from, to),
      now: clock.now(),
    });
    return { report, usage };
  }

  /**
   * A note on its way whose person was erased has no effect left that a reaper could judge: when its process died, nobody
   * else would ever say that its fate is unknown.
   */
  async #judged(invoice: Invoice): Promise<Invoice> {
    const { invoices, clock } = this.#context;
    const at = clock.now();
    const lost = { type: "worker.expire", before: at - LOST_MS } as const;
    if (!can(invoice, lost)) return invoice;
    const by = { at, by: "worker", why: "process_lost" };
    const judged = await invoices.change(invoice.account, invoice.id, (now) =>
      advanced(now, lost, by),
    );
    return judged?.invoice ?? invoice;
  }

  /** Whether the store held calls back because it was another, or an older one, within this time. */
  async #movedIn(from: number, to: number): Promise<boolean> {
    for await (const { value } of documentsOf(this.#context.store, TOLD)) {
      const at = Number(value["at"]);
      if (at >= from && at < to) return true;
    }
    return false;
  }
}

/** The day whose report is due: yesterday, or until some hours after midnight the day before. */
function dueDay({ zone, alerts }: Account, now: number): string | undefined {
  const { day: today, time } = localTime(now, zone);
  const yesterday = addDays(today, -1);
  if (time >= alerts.reportAt) return yesterday;
  const due = instantOf(yesterday, `${alerts.reportAt}:00`, zone);
  return now - due < LATE_MS ? addDays(today, -2) : undefined;
}

function docId(account: string, day: string): string {
  return `${account}.${day}`;
}
