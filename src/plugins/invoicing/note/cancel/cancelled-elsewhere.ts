/**
 * `notes.cancelled`: somebody says that a note was cancelled outside, in the town's own system. For people of the business the note is
 * looked up by its key, which is charged. What is not proved so is recorded as a wish, which people confirm, and they are told.
 */
import { z } from "zod";
import { done, formatBrl, refused, tellOperators } from "../../../../plugin.ts";
import type { OwnSpec, Work } from "../../context.ts";
import { type Asker, askerOf } from "../../effects/notes/note-ask.ts";
import { isSeen, statusOf } from "../../book/index.ts";
import type { Invoice } from "../invoice.ts";
import { elsewhere } from "../proof/late-key.ts";
import { withWish } from "./cancel-record.ts";
import { Notices } from "../decisions/notices.ts";
import { Proving } from "../proof/proving.ts";

const Input = z.object({ note: z.string().max(64) });

/** `stands`: the authority calls it issued. `told`: nobody knows, people look. */
type How = "cancelled" | "stands" | "told";

export const notesCancelled: OwnSpec<typeof Input> = {
  name: "notes.cancelled",
  class: "replace",
  version: 1,
  input: Input,
  result: ["how", "number", "code", "text"],
  async perform(work, { note: id }) {
    const asker = await askerOf(work);
    const note = await work.context.invoices.get(work.account.id, id);
    if (!note || !isSeen(note, asker.viewer) || note.state !== "autorizada")
      return refused("unknown");
    const how = await found(work, asker, note);
    return done({ how, number: note.number ?? "" });
  },
};

async function found(work: Work, asker: Asker, note: Invoice): Promise<How> {
  if (statusOf(note) === "cancelada") return "cancelled";
  const proved = asker.role === "operator" ? await lookedUp(work, note) : "told";
  if (proved === "told") await recordWish(work, asker, note);
  if (proved === "cancelled") await record(work, note);
  return proved;
}

async function lookedUp({ context, begun }: Work, note: Invoice): Promise<How> {
  const notices = new Notices(context.store, () => context.clock.now());
  const claim = { sure: true, by: begun.contact };
  const proof = await new Proving(context, notices).of(note, note.key, claim);
  if (proof.ok) return "stands";
  return proof.why === "key-cancelled" ? "cancelled" : "told";
}

/** As the authority says it: totals, second copies and lists follow the record. */
async function record({ context, account, at }: Work, note: Invoice): Promise<void> {
  await context.dailyCounters.note(account, "cancelled", note.id);
  await context.invoices.change(account.id, note.id, (now) =>
    withWish(now, { type: "cancel.elsewhere" }, elsewhere(now, at)),
  );
}

/** A wish that somebody had before stays theirs. */
async function recordWish(work: Work, asker: Asker, note: Invoice): Promise<void> {
  const { context, account, begun, at } = work;
  const { locale } = note;
  const wish = elsewhere({ locale, contact: begun.contact, effect: begun.id }, at);
  await context.invoices.change(account.id, note.id, (now) =>
    withWish(now, { type: "cancel.wish" }, wish),
  );
  const vars = {
    name: asker.name,
    number: note.number ?? "",
    value: formatBrl(note.cents),
    taker: note.taker.name,
  };
  const mail = { kind: "notice", key: "cancel-told", vars, fiscal: true } as const;
  await tellOperators(context, account, `${begun.id}:told`, mail, begun.contact);
}
