/**
 * `notes.month`: the notes of one month as lines, a page at a time, and what they add up to. `notes.sheet`: the same as a table for
 * the accountant, kept as a file that a message may carry; operators only.
 */
import { z } from "zod";
import { addMonths, done, formatBrl, localDay, putFile, refused } from "../../../plugin.ts";
import { isListed, type NoteStatus, statusOf, titleOf } from "../book/note-view.ts";
import { sheetOf } from "../book/sheet.ts";
import type { OwnSpec } from "../context.ts";
import { askerOf } from "./note-ask.ts";
import { dayZone } from "../account.ts";

/** Lines of one message: what a phone shows without scrolling twice. */
const LINES = 12;
/** A month without notes is followed by the one before, this far. */
const MONTHS_BACK = 12;

/** What was asked to be cancelled still counts, also where nobody knows what became of it: the tax on it is due until it is. */
const COUNTED: readonly NoteStatus[] = ["autorizada", "cancelando", "indefinida"];

const Input = z.object({
  /** `YYYY-MM`; without it this month, or the last one that has notes. */
  month: z.string().nullish(),
  /** Of an earlier page. */
  after: z.string().nullish(),
});

export const notesMonth: OwnSpec<typeof Input> = {
  name: "notes.month",
  class: "read",
  version: 1,
  input: Input,
  result: ["month", "count", "issued", "total", "lines", "more", "next", "whole"],
  async perform(work, { month: given, after }) {
    const { context, account } = work;
    const asker = await askerOf(work);
    const month = given ?? (await lastMonth(work, asker.viewer));
    const { notes, whole } = await context.invoices.book.month(account.id, asker.viewer, { month });
    const shown = notes.filter(isListed);
    const counted = shown.filter((note) => COUNTED.includes(statusOf(note)));
    const from = Math.min(Math.max(0, Number(after ?? 0) || 0), shown.length);
    const page = shown.slice(from, from + LINES);
    const total = counted.reduce((sum, { cents }) => sum + cents, 0);
    return done({
      month,
      count: shown.length,
      issued: counted.length,
      total: formatBrl(total),
      lines: page.map((note) => titleOf(note, asker.locale)).join("\n"),
      more: from + LINES < shown.length,
      next: String(from + LINES),
      whole,
    });
  },
};

/** This month, or the latest of the twelve before it with a note in it. */
async function lastMonth(
  { context, account }: Parameters<(typeof notesMonth)["perform"]>[0],
  viewer: Parameters<(typeof context)["invoices"]["book"]["month"]>[1],
): Promise<string> {
  const now = localDay(context.clock.now(), dayZone(account)).slice(0, 7);
  const states = ["autorizada", "processando", "incerta", "enviando", "pendente"] as const;
  const { notes } = await context.invoices.book.find(account.id, viewer, { states }, { limit: 1 });
  const month = notes[0]?.competence.slice(0, 7) ?? now;
  return month <= now && month > addMonths(now, -MONTHS_BACK) ? month : now;
}

const SheetInput = z.object({ month: z.string().regex(/^\d{4}-\d{2}$/) });

export const notesSheet: OwnSpec<typeof SheetInput> = {
  name: "notes.sheet",
  class: "replace",
  version: 1,
  input: SheetInput,
  result: ["month", "count", "file", "code", "text"],
  async perform(work, { month }) {
    const { context, account, begun } = work;
    const asker = await askerOf(work);
    if (asker.role !== "operator") return refused("not_allowed");
    const { notes, whole } = await context.invoices.book.month(account.id, "all", { month });
    if (!whole) return refused("too_many");
    const listed = notes.filter(isListed);
    if (listed.length === 0) return refused("none");
    const file = await putFile(context, {
      account: account.id,
      contact: begun.contact,
      mimetype: "text/csv",
      fileName: `notas-${month}.csv`,
      bytes: Buffer.from(sheetOf(listed), "utf8"),
    });
    return file === null
      ? refused("too_many")
      : done({ month, count: listed.length, file: { ...file } });
  },
};
