/** `notes.sheet`: a month's notes as a table for the accountant, kept as a file that a message may carry. Operators only. */
import { z } from "zod";
import { done, putFile, refused } from "../../../../plugin.ts";
import { isListed, sheetOf } from "../../book/index.ts";
import type { OwnSpec } from "../../context.ts";
import { askerOf } from "./note-ask.ts";

const Input = z.object({ month: z.string().regex(/^\d{4}-\d{2}$/) });

export const notesSheet: OwnSpec<typeof Input> = {
  name: "notes.sheet",
  class: "replace",
  version: 1,
  input: Input,
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
