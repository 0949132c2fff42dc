/** `privacy.overview`: what is kept of the person who asks, in a few words. */
import { z } from "zod";
import { maskPhone } from "../../brazil/index.ts";
import { done, type LocalSpec } from "../effects/local.ts";
import { personOf } from "../person.ts";
import { deskOf } from "../../plugins/invoicing/desk.ts";
import { linesOf, noteLines, notesOf } from "../../plugins/invoicing/book/own-notes.ts";

/** Journal lines that are counted; more are told as so many. */
const LINES_COUNTED = 1_000;

export const overview: LocalSpec = {
  name: "privacy.overview",
  class: "read",
  version: 1,
  input: z.object({}),
  result: [
    ...["name", "phone", "messages", "notes", "list", "chatDays", "draftDays", "fiscalYears"],
  ],
  async perform({ desk, begun, account }) {
    const { contacts, session } = await personOf(desk, account.id, begun.contact);
    const turns = await linesOf(desk, account, contacts, LINES_COUNTED);
    const own = await notesOf(deskOf(desk), account, contacts);
    const notes = own.filter(({ state }) => state !== "rejeitada");
    const digits = /^\d{8,15}/.exec(session?.address ?? "")?.[0];
    const locale = session?.locale ?? "pt-BR";
    const unknown = locale === "en" ? "not known here" : "não tenho";
    return done({
      name: session?.name ?? (locale === "en" ? "you" : "você"),
      phone:
        digits === undefined || session?.address?.endsWith("@lid") ? unknown : maskPhone(digits),
      messages: turns.filter(isTurn).length,
      notes: notes.length,
      list: noteLines(notes, locale),
      ...account.retention,
    });
  },
};

/** A person's words or the bot's; the worker's own lines are no messages. */
function isTurn(line: unknown): boolean {
  const { mail } = line as { mail?: { kind?: unknown } };
  return mail?.kind === "inbound";
}
