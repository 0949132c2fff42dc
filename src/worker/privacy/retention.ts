/**
 * What is kept for so long and no longer, as each account says: what was said for `chatDays`, in the journals of those who still
 * write and in dead letters, too; records of notes `fiscalYears` after the year they are of. Begun once a virtual day, by one
 * worker for each account, and done in rounds of so many conversations and records.
 *
 * A form left half-way goes earlier, by a timer of its own session (`engine/kept-draft.ts`).
 */
import type { Account, Mail, Session } from "../../engine/index.ts";
import type { SessionView } from "../../store/port.ts";
import { changeDocument } from "../document.ts";
import type { Desk } from "../../plugins/invoicing/desk.ts";
import { each } from "../each.ts";
import { FINAL } from "../../plugins/invoicing/note/invoice.ts";
import { forgetDays } from "./day-books.ts";
import { type ForgetDesk, forgetPerson } from "./forget.ts";

const DAY_MS = 86_400_000;
/** Sessions, records and letters of one page. */
const PAGE = 100;
/** Pages of one round: some seconds of reading, once a minute. */
const PAGES = 10;
/** Lines of one journal that are looked at: the longest has as many. */
const LINES = 1_000;
/** A worker that took a round and is not heard of for so long has died, virtual ms. */
const ROUND_MS = 10 * 60_000;
const COLLECTION = "retention";

/** What is asked of an account here. */
type Kept = Pick<Account, "id" | "zone" | "retention">;

export type RetentionDesk = ForgetDesk & Pick<Desk, "accounts" | "clock" | "alarms" | "wake">;

/** Answers how many conversations, letters and records went. */
export async function forgetOld(desk: RetentionDesk): Promise<number> {
  let gone = 0;
  // One account's trouble is not the others', and the next round tries it again.
  await each(await accountsOf(desk), async ({ id, get }) => {
    const account = await get();
    const round = account && (await taken(desk, id));
    if (!account || !round) return;
    const { isFirst, after, notes } = round;
    if (isFirst) gone += await dropLetters(desk, account);
    if (isFirst) await forgetDays(desk.store, account, desk.clock.now());
    const nothing: Part = { count: 0 };
    const isAnew = after === undefined && notes === undefined;
    const records = isAnew || notes ? await forgetNotes(desk, account, notes) : nothing;
    const chats = isAnew || after ? await forgetChats(desk, account, after) : nothing;
    gone += records.count + chats.count;
    await changeDocument(desk.store, COLLECTION, id, (value) => ({
      at: Number(value?.["at"] ?? 0),
      ...(chats.next === undefined ? {} : { after: chats.next }),
      ...(records.next === undefined ? {} : { notes: records.next }),
    }));
  });
  return gone;
}

/** Also those that were removed: what their people said is forgotten when they were told that it would be. */
async function accountsOf({ accounts }: RetentionDesk) {
  const there = (await accounts.ids()).map((id) => ({
    id,
    get: (): Promise<Kept | null> => accounts.get(id).catch(() => null),
  }));
  const removed = (await accounts.removed?.()) ?? [];
  return [...there, ...removed.map((one) => ({ id: one.id, get: async () => one }))];
}

/** What one round did of a long list; `next` where it goes on. */
interface Part {
  readonly count: number;
  readonly next?: string;
}

/**
 * One worker at a time takes a round: the first of a day, or one that goes on where the last one ended (`after` among the
 * conversations, `notes` among the records). If it dies, the round is taken again.
 */
async function taken({ store, clock }: RetentionDesk, account: string) {
  const now = clock.now();
  let round: { isFirst: boolean; after?: string; notes?: string } | undefined;
  await changeDocument(store, COLLECTION, account, (value) => {
    round = undefined;
    const { at = 0, after, notes, busy = 0 } = (value ?? {}) as Partial<Record<string, unknown>>;
    // Of a time to come: the clock was set back, and nobody waits for it.
    if (Math.abs(now - Number(busy)) < ROUND_MS) return null;
    const isFirst = Math.abs(now - Number(at)) >= DAY_MS;
    // One that was taken and not ended is begun again.
    const left = {
      ...(!isFirst && typeof after === "string" ? { after } : {}),
      ...(!isFirst && typeof notes === "string" ? { notes } : {}),
    };
    if (!isFirst && Object.keys(left).length === 0 && busy === 0) return null;
    round = { isFirst, ...left };
    return { at: isFirst ? now : Number(at), busy: now, ...left };
  });
  return round;
}

async function forgetChats(
  desk: RetentionDesk,
  account: Kept,
  from: string | undefined,
): Promise<Part> {
  const { store, clock } = desk;
  const before = clock.now() - account.retention.chatDays * DAY_MS;
  let count = 0;
  let after = from;
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await store.sessions({
      ...{ account: account.id, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    for (const view of page.items) if (await forgetChat(desk, account, view, before)) count++;
    after = page.next;
    if (after === undefined) return { count };
  }
  return { count, ...(after === undefined ? {} : { next: after }) };
}

/** Whether something went. Of whoever still writes, and of the business's people, only what they said goes. */
async function forgetChat(
  desk: RetentionDesk,
  account: Kept,
  view: SessionView,
  before: number,
): Promise<boolean> {
  const { contact } = view;
  const { role, optOut, lastSeen } = view.session as unknown as Session;
  // Who never wrote was only written to.
  const seen = lastSeen ?? view.updatedAt + desk.clock.offsetMs;
  if (role === "customer" && view.queued === 0 && seen < before) {
    if (!optOut) return (await forgetPerson(desk, account.id, contact)) === "done";
    // That somebody wants no messages stays when all else goes: it would reach them again.
    if (lastSeen !== undefined) await bare(desk, account.id, contact, lastSeen);
  }
  return forgetLines(desk, account, view, before);
}

async function bare(
  { store, wake }: RetentionDesk,
  account: string,
  contact: string,
  lastSeen: number,
): Promise<void> {
  const mail: Mail = { kind: "retired" };
  await store.accept([{ account, contact, event: `retired:${lastSeen}`, mail }]);
  wake("turns");
}

async function forgetLines(
  { store }: RetentionDesk,
  { id }: Kept,
  { contact, session }: SessionView,
  before: number,
): Promise<boolean> {
  let some = false;
  // What was said under a name they had before stands in that one's journal.
  for (const one of [
    contact,
    ...((session as Partial<Session>).joined ?? []).map((of) => of.contact),
  ]) {
    const lines = await store.journal(id, one, LINES);
    const kept = lines.findIndex((line) => Number((line as { at?: unknown } | null)?.at) < before);
    if (kept < 0) continue;
    await store.forgetLines(id, one, lines.length, kept);
    some = true;
  }
  return some;
}

/** Letters nobody released or dropped in all that time, of which people were told each day. What they hold was said, too. */
async function dropLetters(
  { store, clock, alarms }: RetentionDesk,
  account: Kept,
): Promise<number> {
  // Letters bear the store's own time; a clock that was moved makes them older, never younger.
  const before = clock.now() - account.retention.chatDays * DAY_MS;
  let dropped = 0;
  for (let pages = 0; pages < PAGES; pages++) {
    const { items } = await store.dead({ account: account.id, limit: PAGE });
    const old = items.filter(({ at }) => at < before);
    for (const { id } of old) if (await store.bury(id, "drop")) dropped++;
    if (old.length < PAGE) break;
  }
  if (dropped > 0)
    alarms.raise({
      code: "dead.expired",
      account: account.id,
      message: `${dropped} dead letters were as old as a conversation may be and were dropped unread.`,
    });
  return dropped;
}

async function forgetNotes(
  { clock, invoices }: RetentionDesk,
  account: Kept,
  from: string | undefined,
): Promise<Part> {
  const now = clock.now();
  const { fiscalYears } = account.retention;
  // The term runs from the first day of the next year on (CTN 173 I).
  const isOver = (at: number) =>
    now >= Date.UTC(new Date(at).getUTCFullYear() + 1 + fiscalYears, 0, 2);
  let count = 0;
  let after = from;
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await invoices.list(account.id, {
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, state, createdAt } of page.items)
      if (FINAL.includes(state) && isOver(createdAt) && (await invoices.forget(account.id, id)))
        count++;
    after = page.next;
    if (after === undefined) return { count };
  }
  return { count, ...(after === undefined ? {} : { next: after }) };
}
