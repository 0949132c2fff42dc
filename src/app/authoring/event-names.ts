/**
 * `flows/events.yaml`: what the world outside may tell a conversation, one event in a line, with what it brings:
 *
 *     parcel.ready: [item, shelf]
 *
 * Only names of a wait are checked by it; whoever knows of an event posts it as before.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type EventInfo, type Finding, readEvents } from "../../flow/index.ts";

const FILE = "events.yaml";

export interface EventNames {
  readonly events: readonly EventInfo[];
  readonly findings: readonly Finding[];
}

/** The events declared in a folder of flows; none where it has no such file. */
export function eventsOf(folder: string, shown: (file: string) => string): EventNames {
  const file = path.join(folder, FILE);
  if (!existsSync(file)) return { events: [], findings: [] };
  const read = readEvents(readFileSync(file, "utf8"), shown(file));
  return read.ok ? { events: read.events, findings: [] } : { events: [], findings: read.findings };
}
