/**
 * Prosa as it runs in production: the composition root with its real webhook route, worker and gateway client, the shipped
 * flows beside the form, sealed data, metrics, logs at `warn`.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readSettings } from "../../../src/app/settings.ts";
import type { Running } from "../../../src/app/start/running.ts";
import { startProsa } from "../../../src/app/start/start.ts";
import type { Surroundings } from "./contestant.ts";
import { forms } from "./form-flow.ts";

export interface BotOptions extends Omit<Surroundings, "length"> {
  /** Where it keeps what it keeps on a disk. */
  readonly folder?: string;
  /** As `startProsa` takes it. */
  readonly blockedMs?: number;
}

export async function startBot({
  redisUrl,
  sinkUrl,
  port,
  folder = mkdtempSync(path.join(os.tmpdir(), "prosa-bench-")),
  ...options
}: BotOptions): Promise<Running> {
  const library = await forms();
  const settings = readSettings({
    PORT: String(port),
    REDIS_URL: redisUrl,
    PROSA_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    PROSA_DATA_DIR: folder,
    PROSA_DEMO: "1",
    GATEWAY_URL: `${sinkUrl}/api/v2`,
    LOG_LEVEL: "warn",
  });
  return startProsa(settings, { role: "all", wrap: { library: () => library }, ...options });
}
