/** `prosa notes export`: a month's notes as the table an accountant opens, from the running server. */
import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { adminUrl, apiClient } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";
import { UsageError } from "../terminal.ts";

const USAGE = "notes export --month YYYY-MM [--account ID] [--out FILE]";
const OPTIONS = {
  account: { type: "string" },
  month: { type: "string" },
  out: { type: "string" },
} as const;

export const notes: Command = {
  name: "notes",
  usage: USAGE,
  summary:
    "A month's notes as a table for the accountant (CSV): on standard output, or into a file.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(args, OPTIONS, USAGE);
    const { month, account = "demo", out } = values;
    if (positionals[0] !== "export" || positionals.length > 1)
      throw new UsageError(`Usage: prosa ${USAGE}`);
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month ?? ""))
      throw new UsageError("Name the month: --month 2026-10.");
    const config = settings();
    const api = apiClient(adminUrl(config), config.adminToken);
    const query = `/api/invoices/${encodeURIComponent(account)}/export?month=${month ?? ""}`;
    const table = await api.stream(query);
    if (out === undefined) {
      await pipeline(table, terminal.stdout, { end: false });
      return 0;
    }
    // Whole or not at all: half a month looks like a month. For its owner alone, it is full of people's documents.
    const file = path.resolve(out);
    const part = `${file}.${randomUUID().slice(0, 8)}.part`;
    try {
      await pipeline(table, createWriteStream(part, { mode: 0o600, flags: "wx" }));
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    terminal.note(`Written: ${file}`);
    return 0;
  },
};
