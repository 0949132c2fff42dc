/** What the store hands out, as this build reads it: it may come from an older or a newer one. */
import type { Json } from "../base/index.ts";
import { type Mail, readMail, readSession, type Session } from "../engine/index.ts";
import type { MailItem } from "../store/port.ts";

/** The head of the mailbox, up to the first item of a shape this program does not know. */
export function readable(mail: readonly MailItem[]): { event: string; mail: Mail }[] {
  const items: { event: string; mail: Mail }[] = [];
  for (const item of mail) {
    const read = readMail(item.mail);
    if (!read) break;
    items.push({ event: item.event, mail: read });
  }
  return items;
}

/** The envelope as stored. Checked: it may come from another version of this program. */
export function sessionOf(stored: Json | null): Session | null | "unreadable" {
  return stored === null ? null : (readSession(stored) ?? "unreadable");
}
