/**
 * Dead letters that no operator released or dropped: an alarm for each account that has some. A letter that found no room
 * in a mailbox has had no alarm, so it is told at once, at most once an hour. A letter with an alarm of its own is told
 * again after an hour. Then once a day.
 */
import { z } from "zod";
import type { DeadLetter } from "../../store/port/port.ts";
import type { Context } from "../context/context.ts";
import { each } from "../loop.ts";
import { whenIn } from "../operators.ts";

/** Age of the oldest letter at the first alarm, and pause between two alarms. Ms of the store's clock. */
const WAITED_MS = 3_600_000;
const AGAIN_MS = 86_400_000;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;
/** Letters of one account that are counted; more are told as "more than". */
const LOOKED_AT = 500;
/** Further letters that one round looks through for new ones, each once. */
const LOOKED_BEHIND = 2_500;
const PAGE = 100;
const COLLECTION = "dead-told";
/** The reason of a letter that had no alarm of its own. */
const UNTOLD = "mailbox_full";

/** Times are ms of the store's clock. */
const Told = z.object({
  /** Alarms so far. */
  alarms: z.number().int().default(0),
  at: z.number().default(0),
  /** The newest letter then. */
  newest: z.number().default(0),
  /** Where there were more letters than are counted: the place up to which they were looked through. */
  after: z.string().optional(),
});

type DeadContext = Pick<Context, "store" | "accounts" | "alarms" | "pager">;

/** The letters of one account. Times are ms. */
interface Letters {
  readonly letters: number;
  /** There are more than were looked at. */
  readonly more: boolean;
  readonly oldest: number;
  readonly newest: number;
  /** The newest one without an alarm of its own; 0 when there is none. */
  readonly newestUntold: number;
  readonly after: string | undefined;
}

/** Raises what is due; answers how many alarms. */
export async function alarmDead(context: DeadContext, owner: string): Promise<number> {
  const { store, accounts } = context;
  // Asked first, because it is cheap: mostly there is none.
  if ((await store.views.backlog()).dead === 0) return 0;
  let raised = 0;
  await each(await accounts.ids(), async (account) => {
    if (await alarmOne(context, account, owner)) raised++;
  });
  return raised;
}

async function alarmOne(context: DeadContext, account: string, owner: string): Promise<boolean> {
  const { store } = context;
  const found = await store.documents.get(COLLECTION, account);
  const told = Told.parse(found?.value ?? {});
  const now = await store.now();
  if (now - told.at < WAITED_MS) return false;
  const waiting = await lettersOf(context, account, told.after);
  if (!waiting) return false;
  if (!isDue(waiting, told, now)) {
    // The next round continues after them: letters without an alarm may come after thousands of others.
    if (waiting.after !== told.after)
      await store.documents.put(
        COLLECTION,
        account,
        { ...told, after: waiting.after },
        found?.rev ?? 0,
      );
    return false;
  }
  const claim = await store.keys.claim(account, `dead:${told.alarms}`, owner, LEASE_MS);
  if (!claim.ok) return false;
  const zone = (await context.accounts.get(account).catch(() => null))?.zone ?? "America/Sao_Paulo";
  const letters = `${waiting.letters}${waiting.more ? "+" : ""}`;
  context.alarms.raise({
    code: "dead.waiting",
    account,
    subject: `${told.alarms + 1}`,
    message: `${letters} dead letters wait for somebody; the oldest is ${Math.floor((now - waiting.oldest) / 60_000)} min old.`,
    vars: { letters, since: whenIn(zone, waiting.oldest) },
  });
  await context.pager.stored();
  const next = { alarms: told.alarms + 1, at: now, newest: waiting.newest, after: waiting.after };
  await store.documents.put(COLLECTION, account, next, found?.rev ?? 0);
  return true;
}

function isDue(waiting: Letters, told: z.output<typeof Told>, now: number): boolean {
  if (waiting.newestUntold > told.newest) return true;
  return now - waiting.oldest >= WAITED_MS && now - told.at >= AGAIN_MS;
}

async function lettersOf(
  { store }: DeadContext,
  account: string,
  seen: string | undefined,
): Promise<Letters | null> {
  const { letters, after } = await walk(store, account, LOOKED_AT);
  const [oldest] = letters;
  if (!oldest) return null;
  const more = after !== undefined;
  // Letters that found no room just now come after all earlier ones.
  const behind = more
    ? await walk(store, account, LOOKED_BEHIND, seen ?? after)
    : { letters: [], after };
  const all = [...letters, ...behind.letters];
  const latest = (some: readonly Letter[]) => Math.max(0, ...some.map(({ at }) => at));
  return {
    letters: letters.length,
    more,
    oldest: oldest.at,
    newest: latest(all),
    newestUntold: latest(all.filter(({ reason }) => reason === UNTOLD)),
    after: more ? (behind.after ?? seen ?? after) : undefined,
  };
}

type Letter = Pick<DeadLetter, "at" | "reason">;

/** Up to `most` letters, and where the next page begins; undefined at the end. */
async function walk(store: DeadContext["store"], account: string, most: number, from?: string) {
  const letters: Letter[] = [];
  let after = from;
  do {
    const page = await store.deadLetters.list({ account, limit: PAGE, after });
    letters.push(...page.items.map(({ at, reason }) => ({ at, reason })));
    after = page.next;
  } while (after !== undefined && letters.length < most);
  return { letters, after };
}
