/** Keeps the store true: first everything once, then event by event. */
import { batch, effect } from "@preact/signals";
import * as actions from "./actions.ts";
import { newPerson, personOf } from "../chat/contacts.ts";
import { loadDead } from "../operations/dead-panel.tsx";
import { loadSends } from "../operations/sends.ts";
import { ApiProblem, get } from "./http.ts";
import type { FlowRow, LiveEvent, Meta, SessionLive, TurnEvent } from "./model.ts";
import * as store from "./store.ts";
import { t } from "../texts/index.ts";

/** After an event the sandbox is asked at these moments, ms: a reply leaves a little after its turn. */
const ASK_AFTER = [40, 300, 1_200];

/** Without any event the sandbox is asked so often, ms: somebody may use it from a terminal. */
const POLL_MS = 5_000;

/** Asks soon, once for a burst of events. */
function soon(run: () => void): () => void {
  let pending: ReturnType<typeof setTimeout>[] = [];
  return () => {
    pending.forEach(clearTimeout);
    pending = ASK_AFTER.map((wait) => setTimeout(run, wait));
  };
}

const askMessages = soon(() => void actions.refreshMessages(store.selected.value));
const askLists = soon(() => void actions.refreshLists());

function meet(session: SessionLive): void {
  if (personOf(store.people.value, session)) return;
  const person = newPerson(session, store.sandbox.value);
  if (!person) return;
  actions.addPerson(person);
  if (store.selected.value === "") actions.choosePerson(person.number);
}

function onTurn(event: TurnEvent, news: boolean): void {
  const { record, contact, view } = event;
  const address = view.address ?? event.address;
  const name = view.name ?? event.name;
  const session: SessionLive = {
    ...view,
    ...(address === undefined ? {} : { address }),
    ...(name === undefined ? {} : { name }),
  };
  batch(() => {
    store.sessions.value = new Map(store.sessions.value).set(contact, session);
    actions.addTurns([{ contact, record }]);
    meet(session);
    const number = personOf(store.people.value, session)?.number;
    if (number === undefined) return;
    actions.setTyping(number, false);
    if (news && number !== store.selected.value && record.said !== undefined) {
      const count = (store.unread.value[number] ?? 0) + 1;
      store.unread.value = { ...store.unread.value, [number]: count };
    }
  });
}

function onEvent(event: LiveEvent, news: boolean): void {
  switch (event.type) {
    case "turn":
      onTurn(event, news);
      askMessages();
      return;
    case "call":
      store.calls.value = [...store.calls.value, event].slice(-store.KEEP);
      askMessages();
      askLists();
      return;
    case "clock":
      store.offset.value = event.now - Date.now();
      return;
    case "flow":
      if (event.ok) void actions.loadChart(event.flow);
      else actions.notify(t("flow.broken", { flow: event.flow }), "bad");
      return;
    case "alarm":
      actions.notify(event.message, "bad");
      void loadDead();
      void loadSends();
      return;
    case "pause":
      actions.notify(t("notice.paused", { scope: event.scope, reason: event.reason }), "bad");
      return;
    case "resume":
      actions.notify(t("notice.resumed", { scope: event.scope }));
      return;
    case "inbound":
      return;
  }
}

/** The stream begins with the past, which is history and no news: it makes no notice and no badge. */
function isNews(event: LiveEvent, since: number): boolean {
  return !("at" in event) || typeof event.at !== "number" || event.at >= since;
}

/** What history may bring: it fills the lists. */
const HISTORY: readonly LiveEvent["type"][] = ["turn", "call"];

async function first(): Promise<void> {
  const meta = await get<Meta>("/meta");
  batch(() => {
    store.meta.value = meta;
    store.offset.value = meta.clock.now - Date.now();
  });
  const account = meta.accounts[0]?.id;
  const query = account === undefined ? "" : `&account=${encodeURIComponent(account)}`;
  const [sessions, flows] = await Promise.all([
    get<{ items: SessionLive[] }>(`/sessions?limit=100${query}`),
    get<{ items: FlowRow[] }>("/flows"),
  ]);
  batch(() => {
    store.sessions.value = new Map(sessions.items.map((one) => [one.contact, one]));
    store.flows.value = flows.items;
    if (!meta.sandbox && !sessions.items.some((one) => one.contact === store.selected.peek())) {
      store.people.value = [];
      store.selected.value = "";
    }
    sessions.items.forEach(meet);
  });
  await Promise.all([
    actions.refreshLists(),
    loadDead(),
    loadSends(),
    actions.refreshMessages(store.selected.value),
    actions.loadJournal(),
  ]);
}

/** Loads the page's data and keeps it fresh. */
export async function start(): Promise<void> {
  try {
    await first();
    store.failure.value = undefined;
  } catch (error) {
    const locked = error instanceof ApiProblem && (error.status === 401 || error.status === 403);
    store.failure.value = locked ? "login" : "server";
    return;
  }
  const since = Date.now();
  let lost = false;
  void listen({
    event: (event) => {
      const news = isNews(event, since);
      if (news || HISTORY.includes(event.type)) onEvent(event, news);
    },
    state: (connected) => {
      store.connected.value = connected;
      if (connected && lost) void first().catch(() => undefined);
      lost = !connected;
    },
  });
  setInterval(() => {
    store.second.value = Date.now();
  }, 1_000);
  setInterval(() => {
    if (document.visibilityState !== "visible") return;
    void actions.refreshMessages(store.selected.value);
    void actions.refreshLists();
    void loadDead();
    void loadSends();
  }, POLL_MS);
  effect(() => {
    const flow = store.shownFlow.value;
    if (flow !== undefined && store.charts.peek()[flow] === undefined) void actions.loadChart(flow);
  });
}

/** Waits between attempts, ms. */
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;

/*
 * The stream is read by hand instead of by `EventSource`, because the first connection asks for the past too
 * (`Last-Event-ID: 0`): a console opened late shows what happened before it.
 */

interface StreamHandlers {
  readonly event: (event: LiveEvent) => void;
  /** Called with true when connected and with false when the connection is lost. */
  readonly state: (connected: boolean) => void;
}

async function read(body: ReadableStream<Uint8Array>, each: (id: string, data: string) => void) {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      let id = "";
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith("id:")) id = line.slice(3).trim();
        else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      }
      if (data.length > 0) each(id, data.join("\n"));
    }
  }
}

/** Reads until the page goes. */
async function listen(handlers: StreamHandlers): Promise<never> {
  let last = "0";
  let wait = FIRST_WAIT;
  for (;;) {
    try {
      const response = await fetch("/api/events", {
        headers: { accept: "text/event-stream", "last-event-id": last },
        cache: "no-store",
      });
      if (response.ok && response.body) {
        handlers.state(true);
        wait = FIRST_WAIT;
        await read(response.body, (id, data) => {
          if (id !== "") last = id;
          handlers.event(JSON.parse(data) as LiveEvent);
        });
      }
    } catch {
      // the server went away: the loop comes back to it
    }
    handlers.state(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}
