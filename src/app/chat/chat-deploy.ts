/** `! deploy flow@REV`: another version of a flow becomes the newest one while people are in the one before. */
import { existsSync } from "node:fs";
import path from "node:path";
import {
  type Catalogues,
  didYouMean,
  findingLine,
  type FlowLibrary,
  type FlowSource,
} from "../../flow/index.ts";
import { flowsAt } from "../authoring/flows-against.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { libraryOf } from "../loading/library.ts";

/** Reads a flow as it is in a folder, a file or a commit. Throws with a sentence when there is none. */
export type Revision = (flow: string, revision: string) => Promise<FlowSource>;

interface Deployed {
  readonly flow: string;
  readonly library: FlowLibrary;
  readonly texts: Catalogues;
}

export async function deployed(
  what: string,
  before: FlowLibrary,
  texts: ReadonlyMap<string, Catalogues>,
  { revision, bot }: { readonly revision?: Revision; readonly bot?: LoadedBot },
): Promise<Deployed> {
  const at = what.indexOf("@");
  const flow = what.slice(0, at);
  const old = before.get(flow);
  if (at < 1) throw new Error(`"${what}" is no flow@revision`);
  if (!old) {
    const known = before.list().map((one) => one.flow);
    throw new Error(`there is no flow ${flow}.${didYouMean(flow, known)}`);
  }
  if (!revision) throw new Error("no other version of a flow can be read here");
  const source = await revision(flow, what.slice(at + 1));
  const others = before
    .asts()
    .filter(({ ast }) => ast.flow !== flow)
    .map(({ ast }) => ({ ast, texts: texts.get(ast.flow) ?? {} }));
  const older = [{ ast: old.model.ast, hash: old.hash, texts: texts.get(flow) ?? {} }];
  const made = libraryOf([...others, source], older, [], { bot });
  const [error] = made.findings.filter(
    (finding) => finding.flow === flow && finding.severity === "error",
  );
  if (error) throw new Error(`${what}: ${findingLine(error)}`);
  return { flow, texts: source.texts, library: overlaid(before, made, flow) };
}

/** The library with one flow of another; the rest is the very same, compiled once. */
function overlaid(before: FlowLibrary, made: FlowLibrary, flow: string): FlowLibrary {
  return {
    findings: before.findings,
    get: (name, hash) =>
      name === flow ? (made.get(name, hash) ?? before.get(name, hash)) : before.get(name, hash),
    list: () => before.list().map((one) => (one.flow === flow ? (made.get(flow) ?? one) : one)),
    asts: () => [
      ...before.asts().filter(({ ast }) => ast.flow !== flow),
      ...made.asts().filter(({ ast }) => ast.flow === flow),
    ],
    versions: () => [...new Set([...(before.versions?.() ?? []), ...(made.versions?.() ?? [])])],
    word: (...of) => before.word(...of),
  };
}

/** Versions read so far, by where they were found: reading a commit takes a second, and several chats may name one. */
const read = new Map<string, ReturnType<typeof flowsAt>>();

/** Reads revisions for the chat files of a folder. */
export function revisionsBeside(folder: string): Revision {
  return async (flow, revision) => {
    const beside = path.resolve(folder, revision);
    const target = existsSync(beside) ? beside : revision;
    let all = read.get(target);
    if (!all) {
      all = flowsAt(target);
      read.set(target, all);
    }
    const flows: readonly FlowSource[] = await all;
    const found = flows.find(({ ast }) => ast.flow === flow);
    if (found) return found;
    const known = flows.map(({ ast }) => ast.flow);
    throw new Error(`${revision} has no flow ${flow}.${didYouMean(flow, known)}`);
  };
}
