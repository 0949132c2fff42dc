/**
 * Plays a chat file. The file must expect every message of the bot: an unexpected one fails at the next event, or at the
 * end.
 */
import { durationMs, type Json, type JsonObject } from "../../base/index.ts";
import { wrong } from "./expectation.ts";
import { type ChatFile, type ChatLine, CUSTOMER, OPERATOR, words, sentOf } from "./parse.ts";
import { type DiffRow, diffRows, patternOf } from "./pattern.ts";
import { type ChatEdit, edited, expectedNow, linesFor, numbersOf, rowsFor } from "./update.ts";
import type { ChatMessage, ChatSent, ChatState, ChatWorld, ClockMove } from "./world.ts";

export interface ChatFailure {
  readonly file: string;
  readonly line: number;
  readonly expected: string;
  readonly got: string;
  /** The two line by line. */
  readonly rows: readonly DiffRow[];
  /** What was said up to there, oldest first. */
  readonly transcript: readonly string[];
  readonly state: Pick<ChatState, "step" | "slots">;
}

export type ChatResult =
  | { readonly ok: true; readonly title: string; readonly turns: number }
  | { readonly ok: false; readonly title: string; readonly failure: ChatFailure };

export async function runChat(chat: ChatFile, world: ChatWorld): Promise<ChatResult> {
  const runner = new Runner(chat, world);
  const failure = await runner.play();
  return failure
    ? { ok: false, title: chat.title, failure }
    : { ok: true, title: chat.title, turns: runner.turns };
}

/** Plays the file and gives it back as the bot answers now; undefined when nothing differs. */
export async function updateChat(
  chat: ChatFile,
  text: string,
  world: ChatWorld,
): Promise<string | undefined> {
  const runner = new Runner(chat, world, []);
  const failure = await runner.play();
  if (failure) throw new Error(`${failure.file}:${failure.line} ${failure.got}`);
  const edits = runner.edits ?? [];
  return edits.length === 0 ? undefined : edited(text, edits);
}

interface Problem {
  readonly line: number;
  readonly file?: string;
  readonly expected: string;
  readonly got: string;
}

/** Says of a group of messages that the phone showed somebody typing. */
const TYPING = "[typing]";

class Runner {
  turns = 0;
  /** Where lines are rewritten instead of failing. */
  readonly edits: ChatEdit[] | undefined;
  private readonly chat: ChatFile;
  private readonly world: ChatWorld;
  private readonly transcript: string[] = [];
  /** Lines of the transcript before what was heard last. */
  private told = 0;
  private readonly speakers: ReadonlySet<string>;
  /** Messages that no `<` line has taken yet. */
  private readonly waiting = new Map<string, ChatMessage[]>();
  /** `!` lines by what they say. */
  private readonly faults = new Map<string, ChatLine>();

  constructor(chat: ChatFile, world: ChatWorld, edits?: ChatEdit[]) {
    this.edits = edits;
    this.chat = chat;
    this.world = world;
    const named = chat.headers.flatMap(({ name, rest }) =>
      name === "contact" ? [words(rest)[0] ?? ""] : [],
    );
    this.speakers = new Set([CUSTOMER, OPERATOR, ...named]);
  }

  async play(): Promise<ChatFailure | undefined> {
    for (const group of grouped(this.chat.lines)) {
      const problem = await this.step(group).catch((error: unknown) => thrown(group, error));
      if (problem) return this.failure(problem);
    }
    const last = this.chat.lines.at(-1);
    const left = await this.unexpected(last, true);
    return left ? this.failure(left) : this.unstruck();
  }

  private async step(group: readonly ChatLine[]): Promise<Problem | undefined> {
    const [first] = group;
    if (!first) return undefined;
    if (first.op === "<") return this.says(first, group);
    if (first.op === "=") return this.expects(first);
    const left = await this.unexpected(first);
    if (left) return left;
    this.turns += 1;
    for (const { op, speaker, rest } of group)
      this.transcript.push(`${named(speaker)}${op} ${rest}`);
    switch (first.op) {
      case ">":
        return this.sends(first, group);
      case "~": {
        const move = clockOf(first.rest);
        if (!move) return problemOf(first, "a duration, `to …` or `until quiet`", first.rest);
        await this.world.clock(move);
        return undefined;
      }
      case "!":
        this.faults.set(first.rest, first);
        await this.world.misbehave(first.rest);
        return undefined;
      case "*": {
        const [event = "", ...fields] = words(first.rest);
        await this.world.report(event, fieldsOf(fields));
        return undefined;
      }
    }
  }

  private async sends(first: ChatLine, group: readonly ChatLine[]): Promise<Problem | undefined> {
    const burst: ChatSent[] = [];
    for (const line of group) {
      const sent = sentOf(line.rest);
      if ("wrong" in sent) return problemOf(line, "something a phone sends", sent.wrong);
      burst.push(sent);
    }
    await this.world.send(first.speaker, burst);
    return undefined;
  }

  private async gather(): Promise<void> {
    this.told = this.transcript.length;
    for (const speaker of this.speakers) {
      const heard = await this.world.heard(speaker);
      if (heard.length === 0) continue;
      for (const { text } of heard) this.transcript.push(`${named(speaker)}< ${text}`);
      this.waiting.set(speaker, [...(this.waiting.get(speaker) ?? []), ...heard]);
    }
  }

  /** A group of `<` lines is all that this person got since the last thing that happened. */
  private async says(first: ChatLine, group: readonly ChatLine[]): Promise<Problem | undefined> {
    await this.gather();
    const messages = this.waiting.get(first.speaker) ?? [];
    const got = messages.map(({ text }) => text).join("\n");
    this.waiting.set(first.speaker, []);
    const typed = group.find(({ rest }) => rest === TYPING);
    if (typed && !messages.some(({ typing }) => typing))
      return problemOf(typed, TYPING, got === "" ? SILENCE : "words, and nobody typing before");
    const written = group.filter((line) => line !== typed);
    if (written.length === 0) {
      this.waiting.set(first.speaker, [...messages]);
      return undefined;
    }
    const lines = written.map(({ rest }) => rest);
    const phrases = (key: string) => this.world.phrases(key);
    const pattern = patternOf(lines, phrases);
    if (!(pattern instanceof RegExp))
      return problemOf(first, `a text ${pattern.unknown} in the catalogue`, "none");
    if (pattern.test(got)) return undefined;
    if (this.edits && first.file === undefined) {
      const rows = rowsFor(first.speaker, linesFor(lines, got, phrases));
      this.edits.push({ from: first.line, lines: numbersOf(written), rows });
      return undefined;
    }
    return problemOf(first, lines.join("\n"), got === "" ? SILENCE : got);
  }

  private async expects(line: ChatLine): Promise<Problem | undefined> {
    if (line.rest.trim() === "silence") return this.unexpected(line);
    const state = await this.world.state();
    const problem = wrong(line.rest, state);
    if (problem === null) return undefined;
    if (this.edits && line.file === undefined) {
      const now = expectedNow(line.rest, state);
      this.edits.push({ from: line.line, lines: [line.line], rows: [`= ${now}`] });
      return undefined;
    }
    return problemOf(line, line.rest, problem);
  }

  /** `atEnd`: nothing follows, so a line for it would stand below. */
  private async unexpected(at: ChatLine | undefined, atEnd = false): Promise<Problem | undefined> {
    await this.gather();
    const line = at ?? { line: 1 };
    const mayEdit = this.edits && (at?.file === undefined || atEnd);
    for (const [speaker, messages] of this.waiting) {
      if (messages.length === 0) continue;
      const got = messages.map(({ text }) => text).join("\n");
      if (!mayEdit) {
        const where = atEnd ? "" : " before this line";
        return problemOf(line, `nothing more for ${speaker}${where}`, got);
      }
      const rows = rowsFor(
        speaker,
        linesFor([], got, () => []),
      );
      this.edits.push({ from: atEnd ? line.line + 1 : line.line, lines: [], rows });
      this.waiting.set(speaker, []);
    }
    return undefined;
  }

  /** A fault that struck nothing tests nothing. */
  private unstruck(): Promise<ChatFailure> | undefined {
    const [what] = this.world.unstruck?.() ?? [];
    const line = what === undefined ? undefined : this.faults.get(what);
    if (!line) return undefined;
    return this.failure(problemOf(line, `! ${line.rest} to strike something`, "it struck nothing"));
  }

  private async failure(problem: Problem): Promise<ChatFailure> {
    const { step, slots } = await this.world
      .state()
      .catch(() => ({ step: "a state that nobody can tell", slots: {} }));
    const { expected, got, line, file = this.chat.file } = problem;
    const filled = (text: string) => text.split("\n").filter((row) => row.trim() !== "");
    const rows = diffRows(filled(expected), filled(got), (key) => this.world.phrases(key));
    // What came stands beside what was expected.
    const isHeard = this.transcript.slice(this.told).some((said) => said.endsWith(`< ${got}`));
    const transcript = isHeard ? this.transcript.slice(0, this.told) : [...this.transcript];
    return { file, line, expected, got, rows, transcript, state: { step, slots } };
  }
}

const SILENCE = "(silence)";

function problemOf(
  { line, file }: Pick<ChatLine, "line" | "file">,
  expected: string,
  got: string,
): Problem {
  return { line, file, expected, got };
}

/** What the world cannot do, or what broke in it, stands at its line. */
function thrown(group: readonly ChatLine[], error: unknown): Problem {
  const [first = { line: 1, op: "=", rest: "" }] = group;
  const why = error instanceof Error ? error.message : String(error);
  return problemOf(first, `${first.op} ${first.rest} to be played`, why);
}

/** Bursts of one speaker, and paragraphs to one, go together; everything else stands alone. */
function grouped(lines: readonly ChatLine[]): ChatLine[][] {
  const groups: ChatLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const before = last?.[0];
    const joins = (line.op === ">" || line.op === "<") && line.file === before?.file;
    if (last && joins && before?.op === line.op && before.speaker === line.speaker) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

function named(speaker: string): string {
  return speaker === CUSTOMER ? "" : speaker;
}

function clockOf(rest: string): ClockMove | null {
  if (rest === "until quiet") return { until: "quiet" };
  if (rest.startsWith("to ")) return { to: rest.slice(3).trim() };
  const by = durationMs(rest);
  return by === null ? null : { by };
}

/** `name=words`, `name=[a,b]`, `name={"json":1}`, `name` for true; `name:=JSON` for every other value as it is. */
function fieldsOf(fields: readonly string[]): JsonObject {
  const data: Record<string, Json> = {};
  for (const field of fields) {
    const at = field.indexOf("=");
    const value = field.slice(at + 1);
    const list = /^\[(.*)\]$/.exec(value)?.[1];
    if (at < 0) data[field] = true;
    else if (field[at - 1] === ":") data[field.slice(0, at - 1)] = exact(field, value);
    else if (/^[[{]\s*[[{"]/.test(value)) data[field.slice(0, at)] = exact(field, value);
    else data[field.slice(0, at)] = list === undefined ? value : list.split(",").filter(Boolean);
  }
  return data;
}

function exact(field: string, value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    throw new Error(`${field} is no JSON; quotes in it are written \\", the whole in quotes`);
  }
}
