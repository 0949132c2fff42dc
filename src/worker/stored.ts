/** What the store hands out, as this build reads it: it may come from an older or a newer one. */
import type { Json } from "../base/index.ts";
import { Mail, Session } from "../engine/index.ts";
import type { MailItem } from "../store/port.ts";

/** The head of the mailbox, up to the first item of a shape this program does not know. */
export function readable(mail: readonly MailItem[]): { event: string; mail: Mail }[] {
  const items: { event: string; mail: Mail }[] = [];
  for (const item of mail) {
    const read = Mail.safeParse(item.mail);
    if (!read.success) break;
    items.push({ event: item.event, mail: read.data });
  }
  return items;
}

/** The envelope as stored. Checked: it may come from another version of this program. */
export function sessionOf(stored: Json | null): Session | null | "unreadable" {
  if (stored === null) return null;
  const read = Session.safeParse(stored);
  return read.success ? read.data : "unreadable";
}
