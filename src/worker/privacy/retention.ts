/**
 * Retention: how long things are kept, as each account says. What was said goes after `chatDays`, also in the journals of
 * people who still write and in dead letters. Documents of plugins go as each plugin says (`documents`). A round begins
 * once a virtual day, by one worker for each account, and handles a bounded number of conversations and documents.
 *
 * A form left half-way goes earlier, by a timer of its own session (`engine/stack/expired-request.ts`).
 */
import type { Mail, Session } from "../../engine/index.ts";
import type { SessionView, Store } from "../../store/port/port.ts";
import { changeDocument } from "../context/document.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import { each } from "../loop.ts";
import { documentsIn, type Kept, type Documents } from "../context/hooks.ts";
import { forgetPerson } from "./erase.ts";
import { localDay } from "../../brazil/index.ts";

const DAY_MS = 86_400_000;
/** Sessions, records and letters of one page. */
const PAGE = 100;
/** Pages of one round: some seconds of reading, once a minute. */
const PAGES = 10;
/** Lines of one journal that are looked at: the longest has as many. */
const LINES = 1_000;
/** A worker that took a round and was not heard of for this long has died, virtual ms. */
const ROUND_MS = 10 * 60_000;
const COLLECTION = "retention";

/** Answers how many conversations, letters and records went. */
export async function forgetOld(context: RuntimeContext): Promise<number> {
  let gone = 0;
  // A failure for one account does not stop the others; the next round tries it again.
  await each(await accountsOf(context), async ({ id, get }) => {
    const account = await get();
    const round = account && (await taken(context, id));
    if (!account || !round) return;
    const { isFirst, after, documents } = round;
    if (isFirst) gone += await dropLetters(context, account);
    if (isFirst)
      await forgetDays(context.store, account, documentsIn(context), context.clock.now());
    const isAnew = after === undefined && Object.keys(documents).length === 0;
    const left: Record<string, string> = {};
    for (const { name, forgetOld: forget } of documentsIn(context)) {
      if (!forget || !(isAnew || documents[name] !== undefined)) continue;
      const { count, next } = await forget(context, account, documents[name]);
      gone += count;
      if (next !== undefined) left[name] = next;
    }
    const chats = isAnew || after ? await forgetChats(context, account, after) : { count: 0 };
    gone += chats.count;
    await changeDocument(context.store, COLLECTION, id, (value) => ({
      at: Number(value?.["at"] ?? 0),
      ...(chats.next === undefined ? {} : { after: chats.next }),
      documents: left,
    }));
  });
  return gone;
}

/** Includes removed accounts: what their people said is kept no longer than they were told. */
async function accountsOf({ accounts }: RuntimeContext) {
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

/** Where the rounds of an account are: times of the last one, and where the next goes on. */
interface Stored extends Omit<Round, "isFirst"> {
  readonly at: number;
  readonly busy: number;
}

interface Round {
  readonly isFirst: boolean;
  readonly after?: string;
  /** By name of the plugin's documents. */
  readonly documents: Readonly<Record<string, string>>;
}

/**
 * One worker at a time takes a round: the first of a day, or one that continues where the last one ended (`after` among the
 * conversations, `documents` in those of plugins). If it dies, the round is taken again.
 */
async function taken({ store, clock }: RuntimeContext, account: string) {
  const now = clock.now();
  let round: Round | undefined;
  await changeDocument(store, COLLECTION, account, (value) => {
    round = undefined;
    const { at = 0, after, documents, busy = 0 } = (value ?? {}) as Partial<Stored>;
    // A time in the future: the clock was set back, and the round does not wait for it.
    if (Math.abs(now - Number(busy)) < ROUND_MS) return null;
    const isFirst = Math.abs(now - Number(at)) >= DAY_MS;
    // A round that was taken and not ended begins again.
    const left = {
      ...(!isFirst && after !== undefined ? { after } : {}),
      documents: isFirst ? {} : (documents ?? {}),
    };
    const isDone = left.after === undefined && Object.keys(left.documents).length === 0;
    if (!isFirst && isDone && busy === 0) return null;
    round = { isFirst, ...left };
    return { at: isFirst ? now : Number(at), busy: now, ...left };
  });
  return round;
}

async function forgetChats(
  context: RuntimeContext,
  account: Kept,
  from: string | undefined,
): Promise<Part> {
  const { store, clock } = context;
  const before = clock.now() - account.retention.chatDays * DAY_MS;
  let count = 0;
  let after = from;
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await store.views.sessions({ account: account.id, limit: PAGE, after });
    for (const view of page.items) if (await forgetChat(context, account, view, before)) count++;
    after = page.next;
    if (after === undefined) return { count };
  }
  return { count, next: after };
}

/** Whether something went. Of people who still write, and of the business's people, only what they said goes. */
async function forgetChat(
  context: RuntimeContext,
  account: Kept,
  view: SessionView,
  before: number,
): Promise<boolean> {
  const { contact } = view;
  const { role, optOut, lastSeen } = view.session as unknown as Session;
  // A person who never wrote was only written to.
  const seen = lastSeen ?? view.updatedAt + context.clock.offsetMs;
  if (role === "customer" && view.queued === 0 && seen < before) {
    if (!optOut) return (await forgetPerson(context, account.id, contact)) === "done";
    // An opt-out is kept when all else goes, because the person would be written to again.
    if (lastSeen !== undefined) await bare(context, account.id, contact, lastSeen);
  }
  return forgetLines(context, account, view, before);
}

async function bare(
  { store, wake }: RuntimeContext,
  account: string,
  contact: string,
  lastSeen: number,
): Promise<void> {
  const mail: Mail = { kind: "retired" };
  await store.mail.accept([{ account, contact, event: `retired:${lastSeen}`, mail }]);
  wake("turns");
}

async function forgetLines(
  { store }: RuntimeContext,
  { id }: Kept,
  { contact, session }: SessionView,
  before: number,
): Promise<boolean> {
  let some = false;
  // What was said under a former name of theirs is in the journal of that contact.
  for (const one of [
    contact,
    ...((session as Partial<Session>).joined ?? []).map((of) => of.contact),
  ]) {
    const lines = await store.views.journal(id, one, LINES);
    const kept = lines.findIndex((line) => Number((line as { at?: unknown } | null)?.at) < before);
    if (kept < 0) continue;
    await store.contacts.forgetLines(id, one, lines.length, kept);
    some = true;
  }
  return some;
}

/**
 * Dead letters that no operator released or dropped in all that time, although they were told each day. They hold what
 * people said, too.
 */
async function dropLetters(
  { store, clock, alarms }: RuntimeContext,
  account: Kept,
): Promise<number> {
  // Letters carry the store's own time; a clock that was moved makes them older, never younger.
  const before = clock.now() - account.retention.chatDays * DAY_MS;
  let dropped = 0;
  for (let pages = 0; pages < PAGES; pages++) {
    const { items } = await store.deadLetters.list({ account: account.id, limit: PAGE });
    const old = items.filter(({ at }) => at < before);
    for (const { id } of old) if (await store.deadLetters.resolve(id, "drop")) dropped++;
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

/**
 * Documents that plugins write once a day for each account: sums, counts, reports. Of more pages than a round has the rest
 * is removed the next day. `now`: virtual ms.
 */
async function forgetDays(
  store: Pick<Store, "documents">,
  account: Kept,
  documents: readonly Documents[],
  now: number,
): Promise<void> {
  for (const { daily = [] } of documents)
    for (const { collection, days } of daily) {
      const first = localDay(now - days(account) * DAY_MS, account.zone);
      await forgetBefore(store, collection, account.id, first);
    }
}

/** Documents named `<account>.<YYYY-MM-DD>` of days before this one; they stand in the order of their days. */
async function forgetBefore(
  store: Pick<Store, "documents">,
  collection: string,
  account: string,
  day: string,
): Promise<void> {
  const last = `${account}.${day}`;
  for (let page = 0; page < PAGES; page++) {
    const { items } = await store.documents.list(collection, { after: `${account}.`, limit: PAGE });
    const old = items.filter(({ id }) => id.startsWith(`${account}.`) && id < last);
    for (const { id } of old) await store.documents.remove(collection, id);
    if (old.length < PAGE) break;
  }
}
