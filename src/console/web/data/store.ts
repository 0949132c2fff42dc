/** Everything the page knows, as signals, its width and its theme among them. Only `live.ts` and `actions.ts` write here. */
import { computed, signal } from "@preact/signals";
import type { LaidOut } from "../../layout/laid-out.ts";
import { type ChatMessage, type Sent, chatMessages } from "../chat/chat.ts";
import { type Person, sessionOf } from "../chat/contacts.ts";
import type {
  CallEvent,
  FaultRow,
  FlowRow,
  JournalRecord,
  Meta,
  SandboxMessage,
  SandboxRequest,
  SessionLive,
} from "./model.ts";

export interface Turn {
  readonly contact: string;
  readonly record: JournalRecord;
}

/** Rows kept of each live list; older ones are in the bot's journal. */
export const KEEP = 500;

export const meta = signal<Meta | undefined>(undefined);
export const failure = signal<"login" | "server" | undefined>(undefined);
export const connected = signal(true);

/** The simulated people of the phone pane are kept in the browser. */
const PEOPLE_KEY = "prosa.people";

const FIRST_PEOPLE: readonly Person[] = [
  { number: "5511988880001", name: "Ana Souza" },
  { number: "5511900000001", name: "Operador" },
];

function loadPeople(): Person[] {
  try {
    const kept = JSON.parse(localStorage.getItem(PEOPLE_KEY) ?? "[]") as Person[];
    const extra = kept.filter((one) => !FIRST_PEOPLE.some((first) => first.number === one.number));
    return [...FIRST_PEOPLE, ...extra];
  } catch {
    return [...FIRST_PEOPLE];
  }
}

export function keepPeople(people: readonly Person[]): void {
  localStorage.setItem(PEOPLE_KEY, JSON.stringify(people));
}

export const people = signal<readonly Person[]>(loadPeople());
export const selected = signal(people.value[0]?.number ?? "");
export const unread = signal<Readonly<Record<string, number>>>({});
export const typing = signal<Readonly<Record<string, boolean>>>({});

export const sessions = signal<ReadonlyMap<string, SessionLive>>(new Map());
export const turns = signal<readonly Turn[]>([]);
export const calls = signal<readonly CallEvent[]>([]);

export const messages = signal<Readonly<Record<string, readonly SandboxMessage[]>>>({});
export const sent = signal<Readonly<Record<string, readonly Sent[]>>>({});
export const requests = signal<readonly SandboxRequest[]>([]);
export const faults = signal<readonly FaultRow[]>([]);

export const flows = signal<readonly FlowRow[]>([]);
export const charts = signal<Readonly<Record<string, LaidOut | "failed">>>({});
export const follow = signal(true);
export const pickedFlow = signal<string | undefined>(undefined);

/** Virtual minus real time, ms. */
export const offset = signal(0);
/** Real time, renewed each second, so that countdowns run. */
export const second = signal(Date.now());

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "bad";
}
export const notices = signal<readonly Notice[]>([]);

export const sandbox = computed(() => (meta.value?.sandbox ?? null) !== null);
export const account = computed(() => meta.value?.accounts[0]);
export const now = computed(() => second.value + offset.value);

export const person = computed(
  (): Person =>
    people.value.find((one) => one.number === selected.value) ??
    people.value[0] ?? { number: "", name: "" },
);

export const session = computed(() => sessionOf(sessions.value.values(), person.value));

/** Turns of the selected person, oldest first. */
export const journal = computed((): readonly JournalRecord[] => {
  const contact = session.value?.contact;
  return turns.value.filter((turn) => turn.contact === contact).map((turn) => turn.record);
});

export const chat = computed((): ChatMessage[] =>
  chatMessages({
    messages: messages.value[selected.value] ?? [],
    sent: sent.value[selected.value] ?? [],
    journal: journal.value,
    sandbox: sandbox.value,
  }),
);

/** The flow on show: the one the conversation is in, or was in last, unless another was picked. */
export const shownFlow = computed((): string | undefined => {
  if (!follow.value && pickedFlow.value !== undefined) return pickedFlow.value;
  const frames = session.value?.frames ?? [];
  const top = frames[frames.length - 1];
  if (top) return top.flow;
  // The first move of the last turn: when a flow ends inside another one, the inner is what people want to see.
  const moved = journal.value.findLast((record) => record.moves.length > 0);
  return (
    moved?.moves[0]?.flow ??
    flows.value.find((row) => row.flow === "menu")?.flow ??
    flows.value[0]?.flow
  );
});

/** Where the conversation stands in the flow on show, and the steps it went through there. */
export const position = computed(() => {
  const flow = shownFlow.value;
  const frame = session.value?.frames.findLast((one) => one.flow === flow);
  const moves = journal.value
    .flatMap((record) => record.moves)
    .filter((move) => move.flow === flow && move.handled);
  const id = frame?.id ?? moves[moves.length - 1]?.frame;
  const visited: string[] = [];
  for (const move of moves)
    if (move.frame === id)
      for (const step of [move.from, move.to])
        if (step !== undefined && step !== visited[visited.length - 1]) visited.push(step);
  const passed = frame?.summary.map((row) => row.slot) ?? [];
  return { live: frame?.step === "" ? undefined : frame?.step, visited, passed };
});

/** Below this the panes come one at a time, with tabs at the bottom. */
const small = matchMedia("(max-width: 759px)");

export const narrow = signal(small.matches);
small.addEventListener("change", () => {
  narrow.value = small.matches;
});

export type Pane = "chat" | "flow" | "session" | "more";
export const pane = signal<Pane>("chat");

/** Tabs of the runtime; beside them are those of plugins. */
export type Detail = "session" | "calls" | "sends" | "log" | "dead" | "lab";
/** Id of the tab on show. */
export const detail = signal<string>("session");

type Theme = "light" | "dark";
const KEY = "prosa.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function firstTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : dark.matches ? "dark" : "light";
}

export const theme = signal<Theme>(firstTheme());

export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.value = next;
}
