/**
 * What is kept for so long and no longer, as each account says: conversations of people who were silent for `chatDays`, and
 * records of notes `fiscalYears` after the year they are of. Looked at once a virtual day, by one worker for each account.
 *
 * A form left half-way goes earlier, by a timer of its own session (`engine/kept-draft.ts`).
 */
import type { Account, Session } from "../../engine/index.ts";
import type { SessionView } from "../../store/port.ts";
import { changeDocument } from "../document.ts";
import type { Desk } from "../desk.ts";
import { FINAL } from "../invoices/invoices.ts";
import { mayIssue } from "./erase.ts";

const DAY_MS = 86_400_000;
/** Sessions and records of one page. */
const PAGE = 200;
const COLLECTION = "retention";

type RetentionDesk = Pick<Desk, "store" | "accounts" | "clock" | "invoices">;

/** Answers how many conversations and records went. */
export async function forgetOld(desk: RetentionDesk): Promise<number> {
  let gone = 0;
  for (const id of await desk.accounts.ids()) {
    const account = await desk.accounts.get(id);
    if (account && (await isMine(desk, id)))
      gone += (await forgetChats(desk, account)) + (await forgetNotes(desk, account));
  }
  return gone;
}

/** One worker a day. If it dies half-way, the rest goes a day later: nothing is kept much longer for it. */
async function isMine({ store, clock }: RetentionDesk, account: string): Promise<boolean> {
  const now = clock.now();
  let mine = false;
  await changeDocument(store, COLLECTION, account, (value) => {
    const at = Number(value?.["at"] ?? 0);
    mine = now - at >= DAY_MS;
    return mine ? { at: now } : null;
  });
  return mine;
}

async function forgetChats({ store, clock }: RetentionDesk, account: Account): Promise<number> {
  const before = clock.now() - account.retention.chatDays * DAY_MS;
  let gone = 0;
  let after: string | undefined;
  do {
    const page = await store.sessions({
      ...{ account: account.id, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    for (const view of page.items) {
      if (!isOld(view, before)) continue;
      const { contact } = view;
      const effects = await store.effects({ account: account.id, contact, limit: PAGE });
      if (!effects.some(mayIssue) && (await store.erase(account.id, contact))) gone++;
    }
    after = page.next;
  } while (after !== undefined);
  return gone;
}

/** Of the business's people nothing is forgotten, nor that somebody wants no messages: it would reach them again. */
function isOld({ session, queued }: SessionView, before: number): boolean {
  const { role, optOut, lastSeen, handoff } = session as unknown as Session;
  if (role !== "customer" || optOut || handoff || queued > 0) return false;
  return lastSeen !== undefined && lastSeen < before;
}

async function forgetNotes({ clock, invoices }: RetentionDesk, account: Account): Promise<number> {
  const now = clock.now();
  const { fiscalYears } = account.retention;
  // The term runs from the first day of the next year on (CTN 173 I).
  const isOver = (at: number) =>
    now >= Date.UTC(new Date(at).getUTCFullYear() + 1 + fiscalYears, 0, 2);
  const old = await invoices.all(
    account.id,
    ({ state, createdAt }) => FINAL.includes(state) && isOver(createdAt),
  );
  for (const { id } of old) await invoices.forget(account.id, id);
  return old.length;
}
