/**
 * Alarms by the clock: notes without an end, and certificates that end. What they read is durable, so a restart neither forgets nor
 * repeats one.
 */
import {
  each,
  Fault,
  formatBrl,
  type Account,
  type Context,
  localDay,
  localTime,
} from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import { isOnList } from "../note/life.ts";
import { type Invoice, isKeyless } from "../note/invoice.ts";
import { lineOf } from "../note/invoices.ts";
import { endSale } from "../note/issue/sale.ts";
import { linesOf, type Uncertain, UNCERTAIN } from "../note/open-notes.ts";
import { invoicingOf } from "../account.ts";
import type { Issuer } from "../fiscal/issuer.ts";

/** Virtual ms. */
const STUCK_MS = 3_600_000;
const AGAIN_MS = 86_400_000;
/** Alarms about a note that only lacks its key: after them it stands among the open notes alone. */
const KEYLESS_MOST = 7;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;

type StuckContext = Pick<InvoicingContext, "store" | "invoices" | "alarms" | "pager" | "clock">;

/**
 * Notes that were sent and have no end, be they uncertain or being processed, and those that were issued without their key: an
 * alarm when one is an hour old, and once a day again until a person or a proof ends it. Those without a key are told of for a
 * week, since they were issued and their key may never come. Answers how many alarms.
 */
export async function alarmStuck(context: StuckContext, owner: string): Promise<number> {
  let raised = 0;
  await each(linesOf(context.store), async (listed) => {
    if (await alarmOne(context, owner, listed)) raised++;
  });
  return raised;
}

async function alarmOne(
  context: StuckContext,
  owner: string,
  { id, line, rev }: { readonly id: string; readonly line: Uncertain; readonly rev: number },
): Promise<boolean> {
  const { account, invoice, since, told, toldAt } = line;
  const now = context.clock.now();
  if (now - since < STUCK_MS || (toldAt !== undefined && now - toldAt < AGAIN_MS)) return false;
  const record = await recordOf(context, line);
  if (record !== "damaged" && (!record || !isOnList(record) || lineOf(record) !== id)) {
    // A crash between the record's end and its leaving this list: what was to be done in between is done.
    if (record) await endSale(context, record);
    await context.store.documents.remove(UNCERTAIN, id);
    return false;
  }
  if (record !== "damaged" && isKeyless(record) && told >= KEYLESS_MOST) {
    // Looked at once a day as before: a line that a crash left goes then.
    await context.store.documents.put(UNCERTAIN, id, { ...line, toldAt: now }, rev);
    return false;
  }
  const claim = await context.store.keys.claim(
    account,
    `stuck:${invoice}:${told}`,
    owner,
    LEASE_MS,
  );
  if (!claim.ok) return false;
  const hours = Math.floor((now - since) / 3_600_000);
  context.alarms.raise({
    code: "invoice.stuck",
    account,
    subject: `${invoice} ${told + 1}`,
    message: messageOf(record, hours),
    vars: { hours },
  });
  await context.pager.stored();
  await context.store.documents.put(UNCERTAIN, id, { ...line, told: told + 1, toldAt: now }, rev);
  return true;
}

/** `damaged`: its bytes were changed. Then nobody can say that it has an end, and a person has to look. */
async function recordOf(
  { invoices }: StuckContext,
  { account, invoice }: Uncertain,
): Promise<Invoice | "damaged" | null> {
  try {
    return await invoices.get(account, invoice);
  } catch (error) {
    if (Fault.is(error, "DATA_TAMPERED")) return "damaged";
    throw error;
  }
}

function messageOf(record: Invoice | "damaged", hours: number): string {
  if (record === "damaged")
    return `The record of an invoice that had no confirmation ${hours} h ago cannot be opened; it is not sent again, a person has to look.`;
  return isKeyless(record)
    ? `An invoice of ${formatBrl(record.cents)} was issued ${hours} h ago, as its gateway said without telling its key; a person has to look it up.`
    : `An invoice of ${formatBrl(record.cents)} is without confirmation for ${hours} h; it is not sent again, a person has to look.`;
}

/** Days before the end; 0 = it is over. */
const DAYS_BEFORE = [30, 7, 1, 0] as const;
const CERTIFICATE_ALARMS = "certificate-alarms";
const DAY_MS = 86_400_000;

type ExpiringContext = Pick<Context, "store" | "accounts" | "alarms" | "pager" | "clock">;

/**
 * Certificates that are about to end: without one no note can be issued, and a new one takes days to get. Told 30, 7 and 1 day
 * before, and when it is over; once each, from the account's hour for reports on. Answers how many alarms.
 */
export async function alarmExpiring(context: ExpiringContext, owner: string): Promise<number> {
  let raised = 0;
  for (const id of await context.accounts.ids()) {
    const account = await context.accounts.get(id).catch(() => null);
    if (!account || isTooEarly(account, context.clock.now())) continue;
    for (const issuer of invoicingOf(account).issuers)
      if (await toldOfCertificate(context, account, issuer, owner)) raised++;
  }
  return raised;
}

function isTooEarly({ alerts, zone }: Account, now: number): boolean {
  return localTime(now, zone).time < alerts.reportAt;
}

async function toldOfCertificate(
  context: ExpiringContext,
  account: Account,
  issuer: Issuer,
  owner: string,
): Promise<boolean> {
  const { certificate_until: until, emitente_id } = issuer;
  if (until === undefined) return false;
  const today = localDay(context.clock.now(), issuer.zone);
  const days = Math.round((Date.parse(until) - Date.parse(today)) / DAY_MS);
  const step = DAYS_BEFORE.findLast((one) => (one === 0 ? days < 0 : days <= one));
  if (step === undefined) return false;
  // Of one certificate: the next one is counted anew.
  const id = `${account.id} ${emitente_id} ${until}`;
  const kept = await context.store.documents.get(CERTIFICATE_ALARMS, id);
  const before = kept?.value["told"];
  if (typeof before === "number" && before <= step) return false;
  const key = `certificate:${emitente_id}:${until}:${step}`;
  const claim = await context.store.keys.claim(account.id, key, owner, LEASE_MS);
  if (!claim.ok) return false;
  context.alarms.raise({
    code: step === 0 ? "certificate.expired" : "certificate.expiring",
    account: account.id,
    subject: `${emitente_id} ${until} ${step}`,
    message:
      step === 0
        ? "An issuer's certificate is over: its notes will be refused until a new one is uploaded."
        : `An issuer's certificate ends in ${days} days; a new one has to be uploaded before.`,
    // Sole traders often have their CPF in the legal name.
    vars: { days, company: issuer.razao.replace(/\s*\d{6,}/g, "").trim() },
  });
  await context.pager.stored();
  await context.store.documents.put(CERTIFICATE_ALARMS, id, { told: step }, kept?.rev ?? 0);
  return true;
}
