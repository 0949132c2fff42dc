/**
 * `notes.share`: sends an issued note to who receives it, by a number that the gateway resolved. Operators only. It goes
 * through the receiver's own conversation: who wants no messages gets none, and nobody is talked over.
 */
import { z } from "zod";
import { aliases, done, formatBrl, type Mail, refused, type Session } from "../../../plugin.ts";
import { statusOf } from "../book/note-view.ts";
import type { OwnSpec } from "../context.ts";
import { askerOf } from "./note-ask.ts";

const Found = z.object({
  jid: z.string().max(100).optional(),
  lid: z.string().max(100).optional(),
  exists: z.boolean().optional(),
});

const Input = z.object({
  /** Id of the note's record. */
  note: z.string().max(64),
  /** Digits with 55, as the operator gave them. */
  phone: z.string().max(20),
  /** What `chat.messengerNumbers` answered. */
  found: z.array(z.unknown()).max(20),
});

/** Contacts one note is sent to. */
const MOST = 20;

export const notesShare: OwnSpec<typeof Input> = {
  name: "notes.share",
  class: "replace",
  version: 1,
  input: Input,
  result: ["number", "code", "text"],
  async perform(work, { note: id, phone, found }) {
    const { context, account, begun } = work;
    if ((await askerOf(work)).role !== "operator") return refused("not_allowed");
    const note = await context.invoices.get(account.id, id);
    if (!note || statusOf(note) !== "autorizada") return refused("not_issued");
    const [first] = found.flatMap((one) => Found.safeParse(one).data ?? []);
    if (!first || first.exists === false) return refused("no_number");
    // The number as the messenger has it: the ninth digit is its business, not ours.
    const address = first.jid ?? phone;
    const number = /^(\d{8,15})@(?:s\.whatsapp\.net|c\.us)$/.exec(address)?.[1] ?? phone;
    const names = aliases({ address, phone: number, ...lidOf(first.lid) }, "engine-b");
    const contact = await context.store.contacts.identify(account.id, names);
    const view = await context.store.views.session(account.id, contact);
    const session = view?.session as Partial<Session> | null | undefined;
    if (session?.optOut) return refused("opted_out");
    if (session?.handoff) return refused("handed_over");
    const shared = await context.invoices.change(account.id, id, (now) => {
      const others = now.shared ?? [];
      return others.includes(contact) || others.length >= MOST
        ? null
        : { ...now, shared: [...others, contact] };
    });
    if (!shared?.invoice.shared?.includes(contact)) return refused("too_many");
    const mail: Mail = {
      kind: "notice",
      key: "note-for-you",
      vars: {
        business: account.name,
        number: note.number ?? "",
        value: formatBrl(note.cents),
        key: note.key ?? "",
        link: note.link ?? "",
      },
      to: { channel: "engine-b", address },
    };
    await context.store.mail.accept([
      { account: account.id, contact, event: `${begun.id}:share`, mail },
    ]);
    context.wake("turns");
    return done({ number: note.number ?? "" });
  },
};

function lidOf(lid: string | undefined): { lid?: string } {
  const digits = /^(\d{1,32})(?:@lid)?$/.exec(lid ?? "")?.[1];
  return digits === undefined ? {} : { lid: digits };
}
