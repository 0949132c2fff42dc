/** What a person can do here. Each is one call of the operator API, so the command line and tests can do it too. */
import { batch } from "@preact/signals";
import type { LaidOut } from "../../layout/laid-out.ts";
import type { Sent } from "../chat/chat.ts";
import type { Person } from "../chat/contacts.ts";
import { api, get, post } from "./http.ts";
import type { FaultRow, SandboxMessage, SandboxRequest } from "./model.ts";
import { loadAll, panels } from "../parts.tsx";
import { detail } from "./store.ts";
import * as store from "./store.ts";
import { t } from "../texts/index.ts";

/** How long the bot may look as if it typed, ms, when nothing comes. */
const TYPING_MS = 8_000;
const NOTICE_MS = 4_000;

let count = 0;

export function notify(text: string, tone: "good" | "bad" = "good"): void {
  const id = (count += 1);
  store.notices.value = [...store.notices.value.slice(-2), { id, text, tone }];
  setTimeout(() => {
    store.notices.value = store.notices.value.filter((one) => one.id !== id);
  }, NOTICE_MS);
}

/** Runs an action; a refusal becomes a notice. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    notify(
      t("notice.error", { why: error instanceof Error ? error.message : String(error) }),
      "bad",
    );
    return false;
  }
}

export function choosePerson(number: string): void {
  batch(() => {
    store.selected.value = number;
    store.follow.value = true;
    store.unread.value = { ...store.unread.value, [number]: 0 };
  });
  void refreshMessages(number);
  void loadJournal();
}

export function addPerson(person: Person): void {
  const others = store.people.value.filter((one) => one.number !== person.number);
  store.people.value = [...others, person];
  if (store.sandbox.value) store.keepPeople(store.people.value);
}

export function setTyping(number: string, on: boolean): void {
  if ((store.typing.value[number] ?? false) !== on)
    store.typing.value = { ...store.typing.value, [number]: on };
}

function putSent(number: string, row: Sent): void {
  const rows = (store.sent.value[number] ?? []).filter((one) => one.id !== row.id);
  store.sent.value = { ...store.sent.value, [number]: [...rows, row].slice(-store.KEEP) };
}

/** What goes to `POST /sandbox/inbound` besides the sender, and how it looks in the chat. */
export interface Outgoing {
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly kind: string;
}

/** Letters only: the journal hides long rows of digits, and this id must come back whole. */
function newId(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) =>
    String.fromCharCode(65 + (byte % 26)),
  );
  return `WEB${letters.join("")}`;
}

export async function send(outgoing: Outgoing): Promise<void> {
  const { number, name } = store.person.value;
  const id = newId();
  const row: Sent = {
    id,
    at: Date.now() + store.offset.value,
    text: outgoing.text,
    kind: outgoing.kind,
    tick: "sending",
  };
  putSent(number, row);
  setTyping(number, outgoing.kind !== "human");
  setTimeout(() => setTyping(number, false), TYPING_MS);
  try {
    const answer = await post<{ delivered?: boolean }>("/sandbox/inbound", {
      from: number,
      name,
      id,
      ...outgoing.content,
    });
    putSent(number, { ...row, tick: answer.delivered === false ? "sent" : "delivered" });
  } catch (error) {
    putSent(number, { ...row, tick: "failed" });
    setTyping(number, false);
    notify(t("send.failed", { why: error instanceof Error ? error.message : "" }), "bad");
  }
  void refreshMessages(number);
}

export const sendText = (text: string): Promise<void> =>
  send({ content: { text }, text, kind: "text" });

export async function refreshMessages(number: string): Promise<void> {
  if (!store.sandbox.value || number === "") return;
  try {
    const rows = await get<SandboxMessage[]>(
      `/sandbox/messages?number=${encodeURIComponent(number)}`,
    );
    const known = store.messages.value[number] ?? [];
    if (rows.length === known.length && rows.at(-1)?.id === known.at(-1)?.id) return;
    store.messages.value = { ...store.messages.value, [number]: rows.slice(-store.KEEP) };
  } catch {
    // the stream tells when the server is away; the next event asks again
  }
}

export async function refreshLists(): Promise<void> {
  const ofPlugins = loadAll(panels().map(({ load }) => load));
  try {
    if (store.sandbox.value) {
      const shown = detail.value === "calls";
      const [requests, faults] = await Promise.all([
        shown ? get<SandboxRequest[]>("/sandbox/requests") : store.requests.value,
        get<FaultRow[]>("/sandbox/faults"),
      ]);
      batch(() => {
        store.requests.value = requests.slice(-store.KEEP);
        store.faults.value = faults;
      });
    }
  } catch {
    // as above
  }
  await ofPlugins;
}

/** The selected person's journal from before this page was open. */
export async function loadJournal(): Promise<void> {
  const session = store.session.value;
  if (!session) return;
  try {
    const { items } = await get<{ items: (store.Turn["record"] | { mail?: undefined })[] }>(
      `/sessions/${encodeURIComponent(session.account)}/${encodeURIComponent(session.contact)}/journal?limit=200`,
    );
    // Between the turns stand the ends of effects, which are no turns.
    addTurns(
      items.flatMap((record) => (record.mail ? [{ contact: session.contact, record }] : [])),
    );
  } catch {
    // a session that was just forgotten has no journal
  }
}

/** Adds turns, each once, in order of revision; events applied in one step share theirs. */
export function addTurns(fresh: readonly store.Turn[]): void {
  const rows = new Map(
    [...store.turns.value, ...fresh].map((turn) => [
      `${turn.contact} ${turn.record.rev} ${turn.record.event}`,
      turn,
    ]),
  );
  const sorted = [...rows.values()].sort(
    (a, b) => a.record.at - b.record.at || a.record.rev - b.record.rev,
  );
  store.turns.value = sorted.slice(-2 * store.KEEP);
}

export async function loadChart(flow: string): Promise<void> {
  try {
    const laid = await get<LaidOut>(`/flows/${encodeURIComponent(flow)}/layout`);
    store.charts.value = { ...store.charts.value, [flow]: laid };
  } catch {
    store.charts.value = { ...store.charts.value, [flow]: "failed" };
  }
}

/** Moves the sandbox's clock; `advance` is a duration such as `15m`. */
export function moveClock(advance: string): Promise<boolean> {
  return attempt(async () => {
    await post("/sandbox/clock", { advance });
    notify(t("clock.moved"));
    await refreshMessages(store.selected.value);
  });
}

/** Moves the clock to a moment, a second past it so that what is due then fires. */
export function moveClockTo(due: number): Promise<boolean> {
  const seconds = Math.max(1, Math.ceil((due - Date.now() - store.offset.value) / 1_000) + 1);
  return moveClock(`${seconds}s`);
}

export function addFault(fault: unknown): Promise<boolean> {
  return attempt(async () => {
    await post("/sandbox/faults", fault);
    notify(t("faults.added"));
    await refreshLists();
  });
}

export function setDelivery(delivery: unknown): Promise<boolean> {
  return attempt(async () => {
    await api("PUT", "/sandbox/delivery", delivery);
    notify(t("faults.added"));
  });
}

export function clearFaults(): Promise<boolean> {
  return attempt(async () => {
    await api("DELETE", "/sandbox/faults");
    await api("PUT", "/sandbox/delivery", { duplicate: 0, drop: 0, reorder: 0 });
    await refreshLists();
  });
}

export function resetSandbox(): Promise<boolean> {
  return attempt(async () => {
    await post("/sandbox/reset");
    batch(() => {
      store.messages.value = {};
      store.sent.value = {};
      store.calls.value = [];
    });
    notify(t("reset.done"));
    await refreshLists();
  });
}

export function forgetSession(): Promise<boolean> {
  return attempt(async () => {
    const session = store.session.value;
    if (!session) return;
    const { account, contact } = session;
    await api("DELETE", `/sessions/${encodeURIComponent(account)}/${encodeURIComponent(contact)}`);
    const left = new Map(store.sessions.value);
    left.delete(contact);
    batch(() => {
      store.sessions.value = left;
      store.turns.value = store.turns.value.filter((turn) => turn.contact !== contact);
      store.sent.value = { ...store.sent.value, [store.selected.value]: [] };
    });
    notify(t("session.forgotten"));
  });
}
