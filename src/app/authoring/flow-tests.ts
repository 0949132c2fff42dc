/** `prosa flows test`: plays chat files, walks every flow by itself, and says what neither went through. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/index.ts";
import type { Account, ChannelName, ProgramContext } from "../../engine/index.ts";
import {
  type ChatFile,
  type ChatPaint,
  chatReport,
  type Coverage,
  findingLine,
  generated,
  type Generated,
  parseChat,
  type ReadChat,
  runChat,
  Sheet,
  type TestResult,
  updateChat,
  withFrom,
} from "../../flow/index.ts";
import { revisionsBeside } from "../chat/chat-deploy.ts";
import { RuntimeWorld } from "../chat/chat-world.ts";
import { chatFiles, flowFolders, type LoadedFlows, loadFlows } from "../loading/flow-files.ts";
import { FLOWS_FOLDER, shown, shownFile } from "../places.ts";
import { readSettings } from "../settings.ts";
import { demoAccount } from "../start/demo.ts";

interface ChatReport extends TestResult {
  /** The file was rewritten. */
  readonly updated?: true;
}

export interface FlowTests {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly ChatReport[];
  /** By flow, where coverage was asked for. */
  readonly coverage: readonly Coverage[];
  readonly generated: readonly Generated[];
}

interface TestOptions {
  /** Counts what chats and walks went through. */
  readonly coverage?: boolean;
  /** Rewrites what the bot says and what is so, instead of failing. */
  readonly update?: boolean;
  readonly folder?: string;
  /** People write by this channel in every chat that names none; a function chooses one for each file. */
  readonly channel?: ChannelName | ((file: string) => ChannelName);
  /** False: chats are played, but no flow is walked by itself, which no channel changes. */
  readonly walks?: false;
  /** Colours of the reports; absent = none. */
  readonly paint?: ChatPaint;
}

/** 2026-11-21 10:00 in São Paulo: the moment generated paths happen in. */
const MOMENT = Date.UTC(2026, 10, 21, 13);

/** Why a flow is not among the loaded ones. */
export function unknownFlow(flow: string, { library }: LoadedFlows): Fault {
  const wrong = library.findings.filter((one) => one.severity === "error" && one.flow === flow);
  if (wrong.length > 0) return new Fault("FLOW_INVALID", wrong.map(findingLine).join("\n"));
  const known = library.list().map((one) => one.flow);
  return new Fault("FLOW_UNKNOWN", `There is no flow ${flow} (there are: ${known.join(", ")}).`);
}

/** Tests one flow, or all. */
export async function testFlows(flow?: string, options: TestOptions = {}): Promise<FlowTests> {
  const sheets = new Map<string, Sheet>();
  const probe = (one: string): Sheet => {
    const sheet = new Sheet();
    sheets.set(one, sheet);
    return sheet;
  };
  const folder = options.folder ?? FLOWS_FOLDER;
  const flows = await loadFlows(folder, options.coverage ? { probe } : {});
  if (flow !== undefined && !flows.library.get(flow)) throw unknownFlow(flow, flows);
  for (const program of flows.library.list()) sheets.get(program.flow)?.reads(program);
  const account = demoAccount(readSettings({}), flows.bot.accountModel);
  const results: ChatReport[] = flow === undefined ? leftOut(flows) : [];
  for (const one of flowFolders(folder)) {
    if (flow !== undefined && path.basename(one) !== flow) continue;
    for (const file of chatFiles(one)) results.push(await play(file, flows, account, options));
  }
  const wanted = flows.library.list().filter((one) => flow === undefined || one.flow === flow);
  const context: ProgramContext = {
    now: MOMENT,
    zone: account.zone,
    locale: "pt-BR",
    variant: 0,
  };
  const isWalked = !options.update && options.walks !== false;
  const walked = isWalked ? wanted.map((program) => generated(program, context)) : [];
  const coverage = wanted.flatMap((program) => {
    const sheet = sheets.get(program.flow);
    return sheet ? [sheet.coverage(program)] : [];
  });
  const passed = results.filter((result) => result.ok).length;
  const failed = results.length - passed;
  return { passed, failed, results, coverage, generated: walked };
}

/** A flow that cannot be loaded passes no test. */
function leftOut({ library }: LoadedFlows): ChatReport[] {
  return library.findings
    .filter(({ severity, flow }) => severity === "error" && !library.get(flow ?? ""))
    .map((one) => ({
      ok: false,
      file: one.file ?? one.flow ?? "",
      title: "it can be loaded",
      failure: findingLine(one),
    }));
}

/** `flows/x/flow.ts:12` for a step: where its name first stands in the file, else the file. */
export function placeOf(flow: string, step: string, folder = FLOWS_FOLDER): string {
  for (const name of ["flow.ts", "flow.yaml"]) {
    const file = path.join(folder, flow, name);
    if (!existsSync(file)) continue;
    // Ids the kit makes carry the name of what they stand at.
    const words = [step, step.replace(/^(?:if|to|handoff|end)-/, ""), step.replace(/-\d+$/, "")];
    const rows = readFileSync(file, "utf8").split("\n");
    for (const word of words) {
      const whole = new RegExp(`(?<![\\w-])${word.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`);
      const steps = rows.findIndex((row) => /\(f\b|^steps:/.test(row));
      const at = rows.findIndex((row, index) => index >= Math.max(0, steps) && whole.test(row));
      if (at >= 0) return `${shown(file)}:${at + 1}`;
    }
    return shown(file);
  }
  return flow;
}

async function play(
  file: string,
  flows: LoadedFlows,
  account: Account,
  { update, paint, channel }: TestOptions,
): Promise<ChatReport> {
  const name = shown(file);
  const text = readFileSync(file, "utf8");
  const own = parseChat(text, name);
  const parsed = own.ok ? withFrom(own.chat, readBeside) : own;
  if (!parsed.ok) {
    const failure = `${parsed.file}:${parsed.line} ${parsed.message}`;
    return { ok: false, file: name, title: name, failure };
  }
  const chat = onChannel(parsed.chat, typeof channel === "function" ? channel(name) : channel);
  const head = { file: name, title: chat.title };
  let world: RuntimeWorld | undefined;
  try {
    world = new RuntimeWorld(chat, flows, account, {
      revision: revisionsBeside(path.dirname(file)),
    });
    if (update) {
      const now = await updateChat(chat, text, world);
      if (now !== undefined) writeFileSync(file, now);
      return { ok: true, ...head, ...(now === undefined ? {} : { updated: true as const }) };
    }
    const result = await runChat(chat, world);
    const [misshown] = world.misshown();
    if (result.ok && misshown !== undefined) return { ok: false, ...head, failure: misshown };
    return result.ok
      ? { ok: true, ...head }
      : { ok: false, ...head, failure: chatReport(result.failure, paint) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ok: false, ...head, failure };
  } finally {
    await world?.close();
  }
}

/** The chat as on a channel, unless it names one itself. */
function onChannel(chat: ChatFile, channel: ChannelName | undefined): ChatFile {
  if (channel === undefined || chat.headers.some(({ name }) => name === "channel")) return chat;
  return { ...chat, headers: [...chat.headers, { name: "channel", rest: channel, line: 1 }] };
}

/** What `@from` names: a chat file in the same folder, or reached from there. */
const readBeside: ReadChat = (name, of) => {
  const file = path.resolve(path.dirname(shownFile(of)), name);
  if (!file.endsWith(".chat") || !existsSync(file)) return null;
  return { file: shown(file), text: readFileSync(file, "utf8") };
};

/** One result for each broken property and each step nobody comes to; one that passed for a flow with neither. */
export function walkResults(
  generated: FlowTests["generated"],
  folder?: string,
): readonly TestResult[] {
  return generated.flatMap(({ flow, places, broken, unreached }): TestResult[] => {
    const failed = [
      ...broken.map(({ property, at, why, path }) => ({
        ok: false,
        file: placeOf(flow, at, folder),
        title: `${at}: ${property}`,
        failure: `${why}\nafter ${path.join(" > ") || "the start"}`,
      })),
      ...unreached.map((step) => ({
        ok: false,
        file: placeOf(flow, step, folder),
        title: `${step}: can be rested at`,
        failure: "no walk comes to rest there",
      })),
    ];
    const title = `keeps what every flow must keep (${places} places walked)`;
    return failed.length > 0 ? failed : [{ ok: true, file: placeOf(flow, flow, folder), title }];
  });
}
