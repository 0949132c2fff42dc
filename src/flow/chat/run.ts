/**
 * Plays a chat file. Everything the bot says must be written down: what was not expected fails at the next thing that
 * happens, or at the end.
 */
import { durationMs, type JsonObject } from "../../base/index.ts";
import { wrong } from "./expectation.ts";
import { CUSTOMER, words, type ChatFile, type ChatLine } from "./parse.ts";
import { patternOf } from "./pattern.ts";
import { edited, expectedNow, linesFor, numbersOf, rowsFor, type ChatEdit } from "./update.ts";
import type { ChatBubble, ChatSent, ChatWorld, ClockMove } from "./world.ts";

export interface ChatFailure {
  readonly file: string;
  readonly line: number;
  readonly expected: string;
  readonly got: string;
  /** What was said up to there, oldest first. */
  readonly transcript: readonly string[];
  readonly state: string;
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
  if (failure) throw new Error(`${failure.file}:${failure.line} ${failure.expected}`);
  const edits = runner.edits ?? [];
  return edits.length === 0 ? undefined : edited(text, edits);
}

interface Problem {
  readonly line: number;
  readonly expected: string;
  readonly got: string;
}

class Runner {
  turns = 0;
  private readonly chat: ChatFile;
  private readonly world: ChatWorld;
  private readonly transcript: string[] = [];
  private readonly speakers: ReadonlySet<string>;
  /** Bubbles that no `<` line has taken yet. */
  private readonly waiting = new Map<string, ChatBubble[]>();

  /** Where lines are rewritten instead of failing. */
  readonly edits: ChatEdit[] | undefined;

  constructor(chat: ChatFile, world: ChatWorld, edits?: ChatEdit[]) {
    this.edits = edits;
    this.chat = chat;
    this.world = world;
    const contacts = chat.headers.flatMap(({ name, rest }) =>
      name === "contact" ? [words(rest)[0] ?? ""] : [],
    );
    this.speakers = new Set([CUSTOMER, ...contacts, ...chat.lines.map(({ speaker }) => speaker)]);
  }

  async play(): Promise<ChatFailure | undefined> {
    for (const group of grouped(this.chat.lines)) {
      const problem = await this.step(group);
      if (problem) return this.failure(problem);
    }
    const last = this.chat.lines.at(-1)?.line ?? 1;
    const left = await this.unexpected(last, last + 1);
    return left && this.failure(left);
  }

  private async step(group: readonly ChatLine[]): Promise<Problem | undefined> {
    const [first] = group;
    if (!first) return undefined;
    if (first.op === "<") return this.says(first, group);
    if (first.op === "=") return this.expects(first);
    const left = await this.unexpected(first.line);
    if (left) return left;
    this.turns += 1;
    for (const { op, speaker, rest } of group)
      this.transcript.push(`${named(speaker)}${op} ${rest}`);
    switch (first.op) {
      case ">":
        await this.world.send(
          first.speaker,
          group.map(({ rest }) => sentOf(rest)),
        );
        return undefined;
      case "~": {
        const move = clockOf(first.rest);
        if (!move)
          return {
            line: first.line,
            expected: "a duration, `to …` or `until quiet`",
            got: first.rest,
          };
        await this.world.clock(move);
        return undefined;
      }
      case "!":
        await this.world.misbehave(first.rest);
        return undefined;
      case "*": {
        const [event = "", ...fields] = words(first.rest);
        await this.world.report(event, fieldsOf(fields));
        return undefined;
      }
    }
  }

  private async gather(): Promise<void> {
    for (const speaker of this.speakers) {
      const heard = await this.world.heard(speaker);
      for (const { text } of heard) this.transcript.push(`${named(speaker)}< ${text}`);
      this.waiting.set(speaker, [...(this.waiting.get(speaker) ?? []), ...heard]);
    }
  }

  /** A group of `<` lines is all that this person got since the last thing that happened. */
  private async says(first: ChatLine, group: readonly ChatLine[]): Promise<Problem | undefined> {
    await this.gather();
    const got = (this.waiting.get(first.speaker) ?? []).map(({ text }) => text).join("\n");
    this.waiting.set(first.speaker, []);
    const lines = group.map(({ rest }) => rest);
    const pattern = patternOf(lines, (key) => this.world.phrases(key));
    if (!(pattern instanceof RegExp))
      return {
        line: first.line,
        expected: `a text ${pattern.unknown} in the catalogue`,
        got: "none",
      };
    if (this.edits && !pattern.test(got)) {
      const rows = rowsFor(
        first.speaker,
        linesFor(lines, got, (key) => this.world.phrases(key)),
      );
      this.edits.push({ from: first.line, lines: numbersOf(group), rows });
      return undefined;
    }
    return pattern.test(got)
      ? undefined
      : { line: first.line, expected: lines.join("\n"), got: got === "" ? "(silence)" : got };
  }

  private async expects(line: ChatLine): Promise<Problem | undefined> {
    if (line.rest.trim() === "silence") return this.unexpected(line.line);
    const state = await this.world.state();
    const problem = wrong(line.rest, state);
    if (this.edits && problem !== null) {
      const now = expectedNow(line.rest, state);
      this.edits.push({ from: line.line, lines: [line.line], rows: [`= ${now}`] });
      return undefined;
    }
    return problem === null ? undefined : { line: line.line, expected: line.rest, got: problem };
  }

  /** `at` = where a line for it would stand. */
  private async unexpected(line: number, at = line): Promise<Problem | undefined> {
    await this.gather();
    if (this.edits) {
      for (const [speaker, bubbles] of this.waiting) {
        const got = bubbles.map(({ text }) => text).join("\n");
        const rows = rowsFor(
          speaker,
          linesFor([], got, () => []),
        );
        if (bubbles.length > 0) this.edits.push({ from: at, lines: [], rows });
        this.waiting.set(speaker, []);
      }
      return undefined;
    }
    for (const [speaker, bubbles] of this.waiting)
      if (bubbles.length > 0)
        return {
          line,
          expected: `nothing more for ${speaker} before this line`,
          got: bubbles.map(({ text }) => text).join("\n"),
        };
    return undefined;
  }

  private async failure(problem: Problem): Promise<ChatFailure> {
    const { step, slots } = await this.world.state();
    return {
      file: this.chat.file,
      ...problem,
      transcript: this.transcript,
      state: `${step === "" ? "no flow" : step} ${JSON.stringify(slots)}`,
    };
  }
}

/** Bursts of one speaker, and paragraphs to one, go together; everything else stands alone. */
function grouped(lines: readonly ChatLine[]): ChatLine[][] {
  const groups: ChatLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const before = last?.[0];
    const joins = line.op === ">" || line.op === "<";
    if (last && joins && before?.op === line.op && before.speaker === line.speaker) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

function named(speaker: string): string {
  return speaker === CUSTOMER ? "" : speaker;
}

function sentOf(rest: string): ChatSent {
  const match = /^\[([a-z]+)(?: ([^\]]*))?\](?: ([\s\S]*))?$/.exec(rest);
  if (!match) return { type: "text", text: rest };
  const [, name = "", args = "", text = ""] = match;
  return { type: "action", name, args: words(args), text };
}

function clockOf(rest: string): ClockMove | null {
  if (rest === "until quiet") return { until: "quiet" };
  if (rest.startsWith("to ")) return { to: rest.slice(3).trim() };
  const by = durationMs(rest);
  return by === null ? null : { by };
}

function fieldsOf(fields: readonly string[]): JsonObject {
  const data: Record<string, string | true | string[]> = {};
  for (const field of fields) {
    const at = field.indexOf("=");
    const value = field.slice(at + 1);
    const list = /^\[(.*)\]$/.exec(value)?.[1];
    if (at < 0) data[field] = true;
    else data[field.slice(0, at)] = list === undefined ? value : list.split(",").filter(Boolean);
  }
  return data;
}
