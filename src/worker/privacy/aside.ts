/**
 * What is kept of a person beside their conversation, under the account's key: it goes before the conversation does, so that an
 * erasure that is cut off can be asked for again. Issued notes are no part of it.
 */
import { withdrawFileLinks } from "../file-links.ts";
import { dropFilesOf } from "../files.ts";
import type { Person } from "../person.ts";
import type { ForgetDesk } from "./forget.ts";

/**
 * Files made for them and their addresses, certificates they brought and the pages for them, the short cuts to those whom only they
 * had notes made out to, and who and what those requests were for of which no note came.
 */
export async function forgetAside(
  desk: ForgetDesk,
  account: string,
  { contacts, session }: Person,
): Promise<void> {
  for (const contact of contacts) {
    const files = await dropFilesOf(desk, account, contact);
    await withdrawFileLinks(desk, account, contact, files);
    await desk.certificates.forget(account, contact);
  }
  // What the business's people had made out are customers of the business.
  if (session?.role === "operator") return;
  const notes = await desk.invoices.all(account, () => true);
  const documents = (own: boolean) =>
    new Set(
      notes.flatMap((note) => (contacts.has(note.contact) === own ? [note.taker.document] : [])),
    );
  const others = documents(false);
  for (const document of documents(true))
    if (!others.has(document)) await desk.invoices.customers.forgetDocument(account, document);
  // The law keeps notes, and these are none.
  for (const { contact, id } of notes)
    if (contacts.has(contact)) await desk.invoices.unname(account, id);
}
