/**
 * Notes that were sent and have no end, be they uncertain or being processed, and those that were issued without their key: an
 * alarm when one is an hour old, and once a day again until a person or a proof ends it; of those without a key a week long, since
 * they were issued and their key may never come.
 * What it reads is durable, so a restart neither forgets an alarm nor raises it twice.
 */
import { each, Fault, formatBrl } from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import { isOnList } from "../note/life.ts";
import { type Invoice, isKeyless } from "../note/invoice.ts";
import { lineOf } from "../note/invoices.ts";
import { endSale } from "../note/issue/sale.ts";
import { linesOf, type Uncertain, UNCERTAIN } from "../note/open-notes.ts";

/** Virtual ms. */
const STUCK_MS = 3_600_000;
const AGAIN_MS = 86_400_000;
/** Alarms about a note that only lacks its key: after them it stands among the open notes alone. */
const KEYLESS_MOST = 7;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;

type StuckContext = Pick<InvoicingContext, "store" | "invoices" | "alarms" | "pager" | "clock">;

/** Raises what is due; answers how many alarms. */
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
