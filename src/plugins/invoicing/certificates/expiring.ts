/**
 * Certificates that are about to end: without one no note can be issued, and a new one takes days to get. Told 30, 7 and 1 day
 * before, and when it is over; once each, from the account's hour for reports on. What it reads is durable.
 */
import { type Account, type Context, localDay, localTime } from "../../../plugin.ts";
import { invoicingOf } from "../account.ts";
import type { Issuer } from "../fiscal/issuer.ts";

/** Days before the end; 0 = it is over. */
const STEPS = [30, 7, 1, 0] as const;
const COLLECTION = "certificate-alarms";
const DAY_MS = 86_400_000;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;

type ExpiringContext = Pick<Context, "store" | "accounts" | "alarms" | "pager" | "clock">;

/** Raises what is due; answers how many alarms. */
export async function alarmExpiring(context: ExpiringContext, owner: string): Promise<number> {
  let raised = 0;
  for (const id of await context.accounts.ids()) {
    const account = await context.accounts.get(id).catch(() => null);
    if (!account || isTooEarly(account, context.clock.now())) continue;
    for (const issuer of invoicingOf(account).issuers)
      if (await told(context, account, issuer, owner)) raised++;
  }
  return raised;
}

function isTooEarly({ alerts, zone }: Account, now: number): boolean {
  return localTime(now, zone).time < alerts.reportAt;
}

async function told(
  context: ExpiringContext,
  account: Account,
  issuer: Issuer,
  owner: string,
): Promise<boolean> {
  const { certificate_until: until, emitente_id } = issuer;
  if (until === undefined) return false;
  const today = localDay(context.clock.now(), issuer.zone);
  const days = Math.round((Date.parse(until) - Date.parse(today)) / DAY_MS);
  const step = STEPS.findLast((one) => (one === 0 ? days < 0 : days <= one));
  if (step === undefined) return false;
  // Of one certificate: the next one is counted anew.
  const id = `${account.id} ${emitente_id} ${until}`;
  const kept = await context.store.documents.get(COLLECTION, id);
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
  await context.store.documents.put(COLLECTION, id, { told: step }, kept?.rev ?? 0);
  return true;
}
