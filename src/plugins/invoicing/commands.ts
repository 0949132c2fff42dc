/** `prosa invoices` and `prosa notes export`: operators' work on notes, over the operator API of the running server. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { type PluginCommand, UsageError } from "../../plugin.ts";

type Call = Parameters<PluginCommand["run"]>[0];

const STRING = { type: "string" } as const;
const accountOf = ({ options }: Call) => encodeURIComponent(textOf(options["account"]) ?? "demo");
const textOf = (value: string | boolean | undefined) =>
  typeof value === "string" ? value : undefined;

const USAGE =
  "invoices list [--open] [--month YYYY-MM] [--number N] | invoices show ID | invoices resolve ID --rev N --decision issued|not_issued|abandon [--chave KEY] --reason R | invoices reconciliation [--day YYYY-MM-DD]";

const invoices: PluginCommand = {
  name: "invoices",
  usage: USAGE,
  summary:
    "Invoices, those that wait for a decision (--open), and the decision; not_issued of one that was given up frees its sale.",
  options: {
    account: STRING,
    month: STRING,
    number: STRING,
    day: STRING,
    open: { type: "boolean" },
    rev: STRING,
    decision: STRING,
    chave: STRING,
    reason: STRING,
  },
  run(call) {
    const { api, words, options } = call;
    switch (words[0]) {
      case "list": {
        const asked = new URLSearchParams();
        for (const name of ["account", "month", "number"]) {
          const value = textOf(options[name]);
          if (value !== undefined) asked.set(name, value);
        }
        if (options["open"] === true) asked.set("open", "1");
        return api.get(`/api/invoices?${asked.toString()}`);
      }
      case "show":
        return api.get(pathOf(call));
      case "resolve":
        return api.send("POST", `${pathOf(call)}/resolve`, {
          decision: options["decision"],
          ...(options["chave"] ? { chave: options["chave"] } : {}),
          reason: whyOf(call),
          rev: revOf(call),
        });
      case "reconciliation": {
        const day = textOf(options["day"]);
        const query = day === undefined ? "" : `?day=${encodeURIComponent(day)}`;
        return api.get(`/api/accounts/${accountOf(call)}/reconciliation${query}`);
      }
      default:
        throw new UsageError(`Usage: prosa ${USAGE}`);
    }
  },
};

function pathOf(call: Call): string {
  const id = call.words[1];
  if (id === undefined) throw new UsageError("Name the invoice.");
  return `/api/invoices/${accountOf(call)}/${encodeURIComponent(id)}`;
}

/** A decision cannot be taken back: the audit keeps why. */
function whyOf({ options }: Call): string {
  const reason = textOf(options["reason"]) ?? "";
  if (reason.trim() === "")
    throw new UsageError("Say why: --reason TEXT. It is kept in the audit.");
  return reason;
}

/** A note is decided by who looked at it. */
function revOf({ options }: Call): number {
  const rev = textOf(options["rev"]);
  if (rev === undefined)
    throw new UsageError(
      "Say what you decide about: --rev N, as `prosa invoices show ID` tells it.",
    );
  if (!/^\d{1,9}$/.test(rev)) throw new UsageError(`--rev ${rev} is no number.`);
  return Number(rev);
}

const EXPORT_USAGE = "notes export --month YYYY-MM [--account ID] [--out FILE]";

const notes: PluginCommand = {
  name: "notes",
  usage: EXPORT_USAGE,
  summary:
    "A month's notes as a table for the accountant (CSV): on standard output, or into a file.",
  options: { account: STRING, month: STRING, out: STRING },
  async run(call) {
    const { words, options, api } = call;
    const month = textOf(options["month"]) ?? "";
    if (words[0] !== "export" || words.length > 1)
      throw new UsageError(`Usage: prosa ${EXPORT_USAGE}`);
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
      throw new UsageError("Name the month: --month 2026-10.");
    const table = await api.stream(`/api/invoices/${accountOf(call)}/export?month=${month}`);
    const out = textOf(options["out"]);
    if (out === undefined) {
      await pipeline(table, call.stdout, { end: false });
      return undefined;
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
    call.say(`Written: ${file}`);
    return undefined;
  },
};

export const commands: readonly PluginCommand[] = [invoices, notes];
