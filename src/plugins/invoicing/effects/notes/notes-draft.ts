/** `notes.draft`: what a note like an earlier one needs. Operators get it whole; customers of the notes they asked for. */
import { z } from "zod";
import { done, refused } from "../../../../plugin.ts";
import type { OwnSpec } from "../../context.ts";
import { addressOf, askerOf, offeredStill } from "./note-ask.ts";

const Input = z.object({ id: z.string().max(64) });

export const notesDraft: OwnSpec<typeof Input> = {
  name: "notes.draft",
  class: "read",
  version: 1,
  input: Input,
  result: ["service", "document", "name", "address", "value", "description", "code", "text"],
  async perform(work, { id }) {
    const { viewer, isOwn } = await askerOf(work);
    const note = await work.context.invoices.book.get(work.account.id, viewer, id);
    if (!note || !isOwn(note)) return refused("unknown");
    const service = offeredStill(work.account, note);
    const { document, name, address } = note.taker;
    return done({
      document,
      name,
      value: note.cents,
      description: note.description,
      ...(service ? { service: service.id } : {}),
      ...addressOf(address),
    });
  },
};
