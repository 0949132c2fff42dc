/** `notes.draft`: what a note like an earlier one needs. Operators get it whole; customers of their own notes. */
import { z } from "zod";
import { done, type LocalSpec, refused } from "./local.ts";
import { addressOf, askerOf } from "./note-ask.ts";

const Input = z.object({ id: z.string().max(64) });

export const notesDraft: LocalSpec<typeof Input> = {
  name: "notes.draft",
  class: "read",
  version: 1,
  input: Input,
  result: ["service", "document", "name", "address", "value", "description", "code", "text"],
  async perform(work, { id }) {
    const { viewer } = await askerOf(work);
    const note = await work.desk.invoices.book.get(work.account.id, viewer, id);
    if (!note) return refused("unknown");
    const { services } = work.account;
    // A service the account has no longer is asked for again.
    const service =
      services.find((one) => one.id === note.serviceId) ??
      services.find((one) => one.name === note.service);
    const { document, name, address } = note.taker;
    return done({
      ...{ document, name, value: note.cents, description: note.description },
      ...(service ? { service: service.id } : {}),
      ...addressOf(address),
    });
  },
};
