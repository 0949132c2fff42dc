/** What a sentence does to the requests that wait, in one situation: for the recorded requests. */
import { readFileSync } from "node:fs";
import type { Content, Mail, TurnResult } from "../../../src/engine/index.ts";
import { CUSTOMER, library, OPERATOR, TO_SUMMARY, Town } from "../../engine/town.ts";

/** Who asked, by the code of the request. */
const FROM = { Y4: "Ana", Z5: "João" } as const;
type Code = keyof typeof FROM;
const TO_DESCRIPTION = ["emitir nota", "1", "529.982.247-25", "Maria Souza", "150"] as const;

/** Free text and late messages wait for more, ms. */
const PAUSE_MS = 15_000;

interface Situation {
  readonly open: readonly Code[];
  /** What the writer wrote before. */
  readonly before?: readonly string[];
  /** The request whose message is quoted; "none": a message that shows no request. */
  readonly quotes?: Code | "none";
  /** The sentence is the label of a pressed button. */
  readonly presses?: true;
  /** The request whose customer changed it a moment ago. */
  readonly changed?: Code;
  /** The sentence was written this long before it arrives, ms. */
  readonly late?: number;
  /** Written by a customer whose own request waits. */
  readonly asker?: true;
}

const SITUATIONS = {
  none: { open: [] },
  one: { open: ["Y4"] },
  two: { open: ["Y4", "Z5"] },
  "menu, none": { open: [], before: ["menu"] },
  "menu, one": { open: ["Y4"], before: ["menu"] },
  "menu, two": { open: ["Y4", "Z5"], before: ["menu"] },
  form: { open: ["Y4"], before: TO_DESCRIPTION },
  looking: { open: ["Y4", "Z5"], before: ["Y4"] },
  reason: { open: ["Y4", "Z5"], before: ["recusar Y4"] },
  "which one": { open: ["Y4", "Z5"], before: ["aprovar"] },
  "approved, none": { open: ["Y4"], before: ["aprovar"] },
  "approved, one": { open: ["Y4", "Z5"], before: ["aprovar Y4"] },
  "changed, one": { open: ["Y4", "Z5"], changed: "Y4" },
  "quotes one": { open: ["Y4", "Z5"], quotes: "Y4" },
  "quotes approved": { open: ["Y4", "Z5"], before: ["aprovar Y4"], quotes: "Y4" },
  "quotes none": { open: ["Y4", "Z5"], before: ["oi"], quotes: "none" },
  pressed: { open: ["Y4", "Z5"], presses: true },
  "pressed approved": { open: ["Y4", "Z5"], before: ["aprovar Y4"], presses: true },
  late: { open: ["Y4"], late: 120_000 },
  asker: { open: [], asker: true },
} as const satisfies Readonly<Record<string, Situation>>;

export type Place = keyof typeof SITUATIONS;
export const PLACES = Object.keys(SITUATIONS) as Place[];

export interface Done {
  /** Requests that wait at the operator afterwards, in order. */
  readonly open: readonly string[];
  /** What goes to the other side: code, outcome, reason; or that the request is withdrawn. */
  readonly decided: readonly string[];
  /** The common words of the reply, by key. */
  readonly words: readonly string[];
  /** Messages that the writer gets. */
  readonly replies: number;
  /** Codes of the operator's requests that the reply names; none where a customer writes. */
  readonly shown: readonly string[];
  /** The question the writer is at. */
  readonly step: string;
}

export interface Recorded {
  readonly at: Place;
  readonly text: string;
  readonly done: Done;
}

/** A town that remembers what was delivered. */
class Listened extends Town {
  readonly mails: Mail[] = [];

  override deliver(contact: string, ...mails: Mail[]): TurnResult {
    this.mails.push(...mails);
    return super.deliver(contact, ...mails);
  }
}

interface Before {
  readonly town: Town;
  /** Bubbles that show a request, by its code, or none. */
  readonly showing: ReadonlyMap<string, string>;
}

/** By situation: it is the same for each of its sentences. */
const before = new Map<Place, Before>();

function beforeIt(at: Place): Before {
  const known = before.get(at);
  if (known) return known;
  const { open, before: texts = [], quotes, changed, asker }: Situation = SITUATIONS[at];
  const town = new Town();
  if (asker) town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
  const showing = new Map<string, string>();
  for (const code of open) {
    town.deliver(OPERATOR, request(code));
    showing.set(code, town.sent.get(OPERATOR)?.at(-1) ?? "");
  }
  town.talks(OPERATOR, texts);
  if (quotes === "none") showing.set("none", town.sent.get(OPERATOR)?.at(-1) ?? "");
  if (changed) town.deliver(OPERATOR, { kind: "withdrawn", request: changed, reason: "changed" });
  const made = { town, showing };
  before.set(at, made);
  return made;
}

/** What the sentence does there. */
export function said(at: Place, text: string): Done {
  const { quotes, presses, late = 0, asker }: Situation = SITUATIONS[at];
  const { town: there, showing } = beforeIt(at);
  const words: string[] = [];
  const town = new Listened({
    ...library,
    word(key, ...rest) {
      words.push(key);
      return library.word(key, ...rest);
    },
  }).follow(there);
  const writer = asker ? CUSTOMER : OPERATOR;
  const heard = town.said.get(writer)?.length ?? 0;
  const content: Content = presses
    ? { type: "choice", via: "button", picks: [{ label: text }] }
    : { type: "text", text };
  const mail = town.message(writer, content, quotes && showing.get(quotes));
  town.deliver(writer, { ...mail, event: { ...mail.event, at: town.now - late } });
  town.after(PAUSE_MS);
  const replies = (town.said.get(writer) ?? []).slice(heard);
  return {
    open: town.open.map(({ caller }) => caller.code),
    decided: town.mails.flatMap(decisionIn),
    words: [...new Set(words)],
    replies: replies.length,
    shown: Object.keys(FROM).filter((code) => replies.some((reply) => reply.includes(code))),
    step: town.step(writer),
  };
}

function request(code: Code): Mail {
  return {
    kind: "request",
    ...{ request: code, code, flow: "approve-invoice", input: {} },
    from: { contact: "c3".padEnd(32, "0"), name: FROM[code] },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${code}` },
    within: 86_400_000,
  };
}

function decisionIn(mail: Mail): readonly string[] {
  if (mail.kind === "answer")
    return [`${mail.request} ${mail.outcome} ${JSON.stringify(mail.out)}`];
  return mail.kind === "withdrawn" ? [`withdrawn ${mail.reason}`] : [];
}

export const FILE = new URL("./requests.jsonl", import.meta.url);

export function recorded(): readonly Recorded[] {
  return readFileSync(FILE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}
