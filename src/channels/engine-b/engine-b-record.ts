/**
 * One stored record of engine B's history (`chat.findMessages`), read as the webhook of that message would have been:
 * back-fill goes through the same dedupe ids.
 */
import type { Parsed } from "../../engine/index.ts";
import { engineB } from "./engine-b.ts";

export function readRecord(record: unknown, receivedAt: number): Parsed {
  return engineB.parse({ headers: {}, body: { data: record }, receivedAt });
}
