/**
 * A recorded conversation as a chat file: what the person wrote, what the world reported and how time went by come from the
 * journal, with everybody's numbers and names exchanged. It is played at once; what the bot says stands as it is said now.
 */
import { type Json, type JsonObject, Fault } from "../../base/index.ts";
import { isoWithOffset, localDay } from "../../brazil/index.ts";
import { type Account, JournalRecord, withNumbers } from "../../engine/index.ts";
import { JOURNAL_DEVELOPMENT, JOURNAL_PRODUCTION } from "../../store/index.ts";
import { chatReport, type FlowLibrary, parseChat, runChat } from "../../flow/index.ts";
import { RuntimeWorld } from "../chat/chat-world.ts";
import type { ApiClient } from "../operator/client.ts";
import { demoAccount } from "../start/demo.ts";
import { type LoadedFlows, loadFlows } from "../loading/flow-files.ts";
import { FLOWS_FOLDER } from "../places.ts";
import { continued, duration, fields, Masker, reaction, typed, written } from "./recorded-line.ts";
import { readSettings } from "../settings.ts";

/** After a burst the runner itself lets so much time pass, ms. */
const SETTLE_MS = 1_000;
const GAP_MS = 300;
/** Short code of a request: another one each time something about conversations changes. */
const CODE = /\b[A-Z]\d\b/g;
/** Fields of an answer that name somebody. */
const NAMES = /^(?:name|pushName|nome\w*|razao\w*)$/i;
/** What an operator writes for the outcomes of a request. */
const ANSWERS: Readonly<Record<string, string>> = { approved: "aprovar", refused: "recusar" };

export interface SavedTest {
  /** The chat file. */
  readonly text: string;
  /** What the record holds and a chat file cannot. */
  readonly left: readonly string[];
  /** Messages that were different then. */
  readonly changed: readonly { readonly then: string; readonly now: string }[];
  /** Why it does not replay; absent when it does. */
  readonly failure?: string;
}

/** The journal of a running server's conversation, as a chat file. */
export async function savedTest(
  api: ApiClient,
  of: {
    readonly account: string;
    readonly contact: string;
    readonly title: string;
    /** The flows it is played with. */
    readonly folder: string;
  },
): Promise<SavedTest> {
  const who = [of.account, of.contact].map(encodeURIComponent).join("/");
  const { items } = await api.get(`/api/sessions/${who}/journal?limit=500&reveal=1`);
  return saveTest(items as readonly Json[], of.title, await loadFlows(of.folder));
}

interface Step {
  readonly op: ">" | "~" | "*";
  readonly speaker: string;
  readonly lines: string[];
  /** What the person got then, masked. */
  readonly then: string[];
}

/** `records`: a contact's journal, oldest first, as the operator API reveals it. Throws `FLOW_INVALID` when it begins in the middle. */
export async function saveTest(
  records: readonly Json[],
  title: string,
  flows?: LoadedFlows,
): Promise<SavedTest> {
  const loaded = flows ?? (await loadFlows(FLOWS_FOLDER));
  const account = demoAccount(readSettings({}), loaded.bot.accountModel);
  const all = records.flatMap((record) => {
    const read = JournalRecord.safeParse(record);
    return read.success ? [read.data] : [];
  });
  const from = all.findIndex(({ moves }) => moves.some(({ event }) => event === "start"));
  const [first] = from < 0 ? [] : all.slice(from);
  if (!first)
    throw new Fault(
      "FLOW_INVALID",
      `The journal of this conversation no longer holds its beginning, so it cannot be played: of each contact the last ${JOURNAL_PRODUCTION} turns are kept in production, ${JOURNAL_DEVELOPMENT} where it runs beside a sandbox.`,
    );
  const turns = all.slice(from);
  const masker = learnt(turns, loaded.library);
  const left: string[] = [];
  const steps = stepsOf(turns, masker, left);
  const flow = first.moves.find(({ event }) => event === "start")?.flow ?? "menu";
  const head = [
    `# ${masker.mask(title).replace(/\s+/g, " ")}`,
    `@flow ${flow}`,
    `@at ${localDay(first.at, account.zone)} ${clock(first.at, account.zone)}`,
  ];
  const parsed = parseChat(head.join("\n"));
  if (!parsed.ok) throw new Fault("FLOW_INVALID", parsed.message);
  const world = new RuntimeWorld(parsed.chat, loaded, account);
  const { lines, changed } = await played({ head, steps, world }).finally(() => world.close());
  const text = [...head, "", ...lines, ""].join("\n");
  const failure = await replayed(text, loaded, account);
  return { text, left, changed, failure };
}

function clock(at: number, zone: string): string {
  return isoWithOffset(at, zone).slice(11, 16);
}

/** Everything that tells who somebody is: numbers wherever they stand, names where the flow asked for one. */
function learnt(turns: readonly JournalRecord[], library: FlowLibrary): Masker {
  const masker = new Masker();
  for (const { mail, moves, effects } of turns) {
    if (mail.kind === "inbound" && mail.event.kind === "message") {
      const { content, from } = mail.event;
      if (from?.name) masker.name(from.name);
      const text = content.type === "text" ? content.text : "";
      const asked = moves.find(({ event }) => event === "ANSWER" || event === "CORRECT");
      const model = asked && library.get(asked.flow)?.model;
      const step = asked?.from === undefined ? undefined : model?.steps.get(asked.from);
      const kind = step && "slot" in step ? model?.kind(step.slot)?.name : undefined;
      if (kind === "name" && asked?.to !== asked?.from) masker.name(text);
      if (kind === "address") masker.address(text);
      masker.learn(text);
    }
    for (const effect of effects) if (effect.type === "call") ofCall(masker, effect.input);
    if (mail.kind === "result") ofResult(masker, mail.result.out);
  }
  return masker;
}

function ofCall(masker: Masker, input: JsonObject): void {
  if (typeof input["name"] === "string") masker.name(input["name"]);
  masker.learn(JSON.stringify(input));
}

/** Whoever an answer names, however deep it stands. */
function ofResult(masker: Masker, out: JsonObject): void {
  const look = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string" && NAMES.test(key)) masker.name(inner);
      look(inner ?? null);
    }
  };
  look(out);
  masker.learn(JSON.stringify(out));
}

function stepsOf(turns: readonly JournalRecord[], masker: Masker, left: string[]): Step[] {
  const steps: Step[] = [];
  /** Messages of the person so far, by their ids. */
  const own: string[] = [];
  let now = turns[0]?.at ?? 0;
  const add = (op: Step["op"], line: string, speaker = ""): void => {
    const last = steps.at(-1);
    const joins =
      op === ">" && last?.op === ">" && last.speaker === speaker && last.then.length === 0;
    if (joins) last.lines.push(line);
    else steps.push({ op, speaker, lines: [line], then: [] });
    if (op === ">") now += joins ? GAP_MS : SETTLE_MS;
  };
  for (const record of turns) {
    const { mail, at } = record;
    // What a burst waits passes by itself.
    if (at - now >= 1_000) {
      add("~", duration(at - now));
      now = at;
    }
    switch (mail.kind) {
      case "inbound":
        if (mail.event.kind === "message") {
          own.push(mail.event.messageId);
          add(">", written(mail.event.content, masker));
        } else if (
          mail.event.kind === "edit" &&
          mail.event.text !== undefined &&
          own.includes(mail.event.messageId)
        ) {
          const back = own.indexOf(mail.event.messageId) - own.length;
          add(">", `[edit ${back}] ${continued(masker.mask(mail.event.text))}`);
        } else if (mail.event.kind === "delete" && own.includes(mail.event.messageId))
          add(">", `[delete ${own.indexOf(mail.event.messageId) - own.length}]`);
        else {
          const line = mail.event.kind === "reaction" ? reaction(mail.event.emoji) : undefined;
          if (line === undefined) left.push(`a ${mail.event.kind} of the person`);
          else add(">", line);
        }
        break;
      case "result":
        add("*", `${mail.waiter.step}.${mail.result.outcome}${fields(mail.result.out, masker)}`);
        break;
      case "answer": {
        const said = ANSWERS[mail.outcome];
        if (said === undefined) left.push(`an operator's answer "${mail.outcome}"`);
        else add(">", said, "operator");
        const { reason } = mail.out;
        if (typeof reason === "string") add(">", typed(masker.mask(reason)), "operator");
        break;
      }
      case "operator":
        if (mail.action === "take") add("*", "human takes");
        else if (mail.action === "return") add("*", "human gives back");
        else left.push(`what an operator did: ${mail.action}`);
        break;
      case "tick":
      case "shown":
        break;
      default:
        left.push(mail.kind);
    }
    const messages = record.effects.flatMap((effect) =>
      effect.type === "send" ? [masker.mask(withNumbers(effect.message))] : [],
    );
    steps.at(-1)?.then.push(...messages);
  }
  return steps;
}

/** Plays the steps and writes down what is said. */
async function played(of: {
  readonly head: readonly string[];
  readonly steps: readonly Step[];
  readonly world: RuntimeWorld;
}): Promise<{ lines: string[]; changed: { then: string; now: string }[] }> {
  const { world } = of;
  const lines: string[] = [];
  const changed: { then: string; now: string }[] = [];
  const heard = new Map<string, number>();
  const news = (speaker: string): string[] => {
    const told = world.told(speaker).map(({ text }) => text);
    const fresh = told.slice(heard.get(speaker) ?? 0);
    heard.set(speaker, told.length);
    return fresh;
  };
  for (const { op, speaker, lines: given, then } of of.steps) {
    for (const line of given) lines.push(`${speaker}${op} ${line}`);
    // By the runner itself, so that a line means here what it will mean there.
    const chat = parseChat(
      [...of.head, ...given.map((line) => `${speaker}${op} ${line}`)].join("\n"),
    );
    if (!chat.ok)
      throw new Fault("FLOW_INVALID", `The record cannot be written down: ${chat.message}.`);
    // What was said so far is written down already.
    for (const who of ["customer", "operator"]) await world.heard(who);
    await runChat(chat.chat, world).catch((error: unknown) => {
      throw new Fault("FLOW_INVALID", `The record cannot be played: ${String(error)}.`);
    });
    const said = news("customer");
    for (const line of said.flatMap((text) => text.split("\n"))) lines.push(`< ${line}`);
    const before = then.join("\n");
    const now = said.join("\n");
    if (before !== now) changed.push({ then: before, now });
    for (const text of news("operator"))
      for (const line of text.split("\n")) lines.push(`operator< ${line.replace(CODE, "…")}`);
  }
  const { step, outcome, effects } = await world.state();
  lines.push(step === "" ? `= outcome ${outcome ?? "none"}` : `= state ${step}`);
  const names = effects.map(({ name }) => name);
  const counted = [...new Set(names)].map(
    (name) => `${name}*${names.filter((one) => one === name).length}`,
  );
  lines.push(`= effects ${counted.join(" ") || "none"}`);
  return { lines, changed };
}

async function replayed(
  text: string,
  loaded: LoadedFlows,
  account: Account,
): Promise<string | undefined> {
  const parsed = parseChat(text, "saved.chat");
  if (!parsed.ok) return `saved.chat:${parsed.line} ${parsed.message}`;
  const world = new RuntimeWorld(parsed.chat, loaded, account);
  const result = await runChat(parsed.chat, world).finally(() => world.close());
  return result.ok ? undefined : chatReport(result.failure);
}
