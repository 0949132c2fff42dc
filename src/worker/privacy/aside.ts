/**
 * What is kept of a person beside their conversation, under the account's key: it goes before the conversation does, so that an
 * erasure that is cut off can be asked for again. Issued notes are no part of it.
 */
import type { Session } from "../../engine/index.ts";
import type { Desk } from "../desk.ts";
import { dropFilesOf } from "../files.ts";

/** Files made for them, certificates they brought, and the short cuts to those whom only they had notes made out to. */
export async function forgetAside(
  desk: Pick<Desk, "store" | "certificates" | "invoices">,
  account: string,
  contact: string,
): Promise<void> {
  await dropFilesOf(desk, account, contact);
  await desk.certificates.tickets.dropOf(account, contact);
  const view = await desk.store.session(account, contact);
  // What the business's people had made out are customers of the business.
  if ((view?.session as Partial<Session> | undefined)?.role === "operator") return;
  const notes = await desk.invoices.all(account, () => true);
  const documents = (own: boolean) =>
    new Set(
      notes.flatMap((note) => ((note.contact === contact) === own ? [note.taker.document] : [])),
    );
  const others = documents(false);
  for (const document of documents(true))
    if (!others.has(document)) await desk.invoices.customers.forgetDocument(account, document);
}
