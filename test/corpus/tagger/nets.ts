/** A net for each group of hands, learnt without them, and one of all texts: two processes at a time, for minutes. */
import { fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  featuresOf,
  netFeaturesOf,
} from "../../../src/plugins/invoicing/sentence/learned/model/features.ts";
import type { Loose } from "./writing.ts";
import { keyOf } from "../../../src/plugins/invoicing/sentence/learned/model/weights-file.ts";
import type { Example } from "./example.ts";
import type { Lesson } from "./fit-net.ts";

const AT_ONCE = 2;
const PROCESS = path.join(import.meta.dirname, "net-process.ts");

export function lessonOf({ tokens, asks, ways, days }: Example): Lesson {
  return {
    keys: featuresOf(tokens).map((list) => netFeaturesOf(list).map(keyOf)),
    isNumber: tokens.map(({ kind }) => kind === "number"),
    asks,
    ways: asks ? ways : [],
    days: asks ? days : [],
  };
}

/**
 * In the order of the schools. `file`: where they are kept; when it is there, they are read instead of learnt, for they take
 * most of the time and only change with the texts.
 */
export async function netsOf(
  schools: readonly (readonly Example[])[],
  file: string | undefined,
): Promise<readonly Loose[]> {
  if (file !== undefined && existsSync(file))
    return JSON.parse(readFileSync(file, "utf8")) as Loose[];
  const nets = await learntOf(schools);
  if (file !== undefined) writeFileSync(file, JSON.stringify(nets));
  return nets;
}

async function learntOf(schools: readonly (readonly Example[])[]): Promise<readonly Loose[]> {
  const nets: Loose[] = [];
  const waiting = [...schools.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, examples] = next;
      nets[at] = await learnt(at, examples.map(lessonOf));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return nets;
}

function learnt(at: number, lessons: readonly Lesson[]): Promise<Loose> {
  return new Promise((resolve, reject) => {
    const child = fork(PROCESS, { serialization: "advanced" });
    let round = 0;
    child.on("message", (said: number | Loose) => {
      if (typeof said === "object") resolve(said);
      else process.stderr.write(`net ${at}, round ${(round += 1)}: ${said.toFixed(3)}\n`);
    });
    child.on("error", reject);
    child.on("exit", (code) => {
      reject(new Error(`The process of net ${at} ended with ${code} before it told anything.`));
    });
    child.send(lessons);
  });
}
