/** What `! deploy flow@REV` names: a folder or file beside the chat file, or a commit of the repository. */
import { existsSync } from "node:fs";
import path from "node:path";
import { didYouMean, type FlowSource } from "../../flow/index.ts";
import { flowsAt } from "../authoring/flows-against.ts";
import type { Revision } from "../town/town-deploy.ts";

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
