/**
 * Which `flow.ts` files may be read in this process: those of this installation whose very content was read apart before,
 * and came to an end. Reading apart costs a second of a start; the same content need not prove itself twice.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  FLOWS_FOLDER,
  type LoadedFlows,
  loadFlows,
  type LoadOptions,
  readHere,
  type ReadFlow,
} from "./flow-files.ts";
import { FlowReader, importsOthers } from "./flow-reader.ts";

const KNOWN = fileURLToPath(
  new URL("../../../node_modules/.cache/prosa/flows-read", import.meta.url),
);
/** Contents remembered; an installation has a handful of flows. */
const KNOWN_MAX = 200;

/** Reads in this process what is known to be safe, and everything else apart. */
export function safely(reader: Pick<FlowReader, "read">): ReadFlow {
  return async (file) => {
    const content = digestOf(file);
    if (content !== undefined && known().includes(content)) return readHere(file);
    const made = await reader.read(file);
    if (made.ok && content !== undefined) remember(content);
    return made;
  };
}

/** The flows of a folder for something that ends, such as a command: no file can take it down. */
export async function loadSafely(
  folder: string,
  options: Omit<LoadOptions, "read"> = {},
): Promise<LoadedFlows> {
  const reader = new FlowReader();
  try {
    return await loadFlows(folder, { ...options, read: safely(reader) });
  } finally {
    await reader.close();
  }
}

/** Undefined for what must always be read apart: files elsewhere, and those that are more than one file. */
function digestOf(file: string): string | undefined {
  if (path.dirname(path.dirname(file)) !== path.resolve(FLOWS_FOLDER)) return undefined;
  if (importsOthers(file)) return undefined;
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function known(): readonly string[] {
  try {
    return readFileSync(KNOWN, "utf8").split("\n");
  } catch {
    return [];
  }
}

function remember(content: string): void {
  const all = [content, ...known().filter((one) => one !== content && one !== "")];
  try {
    // Whole or not at all, also when two start at once.
    const part = `${KNOWN}.${process.pid}`;
    mkdirSync(path.dirname(KNOWN), { recursive: true });
    writeFileSync(part, all.slice(0, KNOWN_MAX).join("\n"));
    renameSync(part, KNOWN);
  } catch {
    // An installation nobody may write to reads apart at each start.
  }
}
