/**
 * Notes that were sent and have no end, be they uncertain or being processed: an alarm when one is an hour old, and once a day again until a person or a proof ends it.
 * What it reads is durable, so a restart neither forgets an alarm nor raises it twice.
 */
import { formatBrl } from "../../brazil/index.ts";
import type { Desk } from "../desk.ts";
import { documentsOf } from "../document.ts";
import { isListed, UNCERTAIN, Uncertain } from "../invoices/invoices.ts";

/** Virtual ms. */
const STUCK_MS = 3_600_000;
const AGAIN_MS = 86_400_000;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;

type StuckDesk = Pick<Desk, "store" | "invoices" | "alarms" | "pager" | "clock">;

/** Raises what is due; answers how many alarms. */
export async function alarmStuck(desk: StuckDesk, owner: string): Promise<number> {
  let raised = 0;
  for await (const { id, value, rev } of documentsOf(desk.store, UNCERTAIN)) {
    const note = Uncertain.safeParse(value);
    if (!note.success) continue;
    const { account, invoice, since, told, toldAt } = note.data;
    const now = desk.clock.now();
    if (now - since < STUCK_MS || (toldAt !== undefined && now - toldAt < AGAIN_MS)) continue;
    const record = await desk.invoices.get(account, invoice);
    if (!record || !isListed(record)) {
      // A crash between the record's end and its leaving this list.
      await desk.store.remove(UNCERTAIN, id);
      continue;
    }
    const claim = await desk.store.claimKey(account, `stuck:${invoice}:${told}`, owner, LEASE_MS);
    if (!claim.ok) continue;
    const hours = Math.floor((now - since) / 3_600_000);
    desk.alarms.raise({
      code: "invoice.stuck",
      account,
      subject: `${invoice} ${told + 1}`,
      message: `An invoice of ${formatBrl(record.cents)} is without confirmation for ${hours} h; it is not sent again, a person has to look.`,
      vars: { hours },
    });
    await desk.pager.stored();
    const next = { ...note.data, told: told + 1, toldAt: now };
    await desk.store.put(UNCERTAIN, id, next, rev);
    raised++;
  }
  return raised;
}
