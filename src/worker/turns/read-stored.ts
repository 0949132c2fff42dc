/** Reads what the store hands out. It may have been written by an older or a newer build. */
import { type Json, reader } from "../../base/index.ts";
import { type Library, Mail, restoreSession, type Session } from "../../engine/index.ts";
import type { Claimed, MailItem, Store } from "../../store/port/port.ts";
import type { Need } from "../fleet/worker-registry.ts";
import { eventId } from "../../channels/index.ts";
import type { Echoes } from "../outbox/sending/echoes.ts";

/** Undefined when it does not have the shape of mail. */
const readMail = reader(Mail);

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

/** The envelope as stored, brought to this build's shape. */
export function sessionOf(stored: Json | null): Session | null | "unreadable" | "newer" {
  return stored === null ? null : restoreSession(stored);
}

/** What this build lacks for the claim's next event; undefined when it lacks nothing. `items`: what it could read. */
export function lacking(
  claimed: Pick<Claimed, "session" | "mail">,
  session: Session | null | "unreadable" | "newer",
  items: readonly { readonly mail: Mail }[],
  library: Library,
): Need | undefined {
  if (session === "unreadable") return undefined;
  if (session === "newer")
    return { session: Number((claimed.session as { schema?: unknown }).schema) };
  const flows = [...(session?.frames ?? []), ...(session?.requests ?? [])]
    .filter(({ flow, hash }) => !library.get(flow, hash))
    .map(({ flow, hash }) => `${flow}@${hash}`);
  if (flows.length > 0) return { flows };
  const next = items[0]?.mail;
  if (next?.kind === "request" && !library.get(next.flow)) return { flows: [next.flow] };
  if (next?.kind === "joined" && restoreSession(next.session ?? {}) === "newer")
    return { session: Number(next.session?.["schema"]) };
  const { kind } = (claimed.mail[0]?.mail ?? {}) as { kind?: unknown };
  return next === undefined && typeof kind === "string" ? { mail: kind } : undefined;
}

/** An event may come again for as long as the store remembers them, ms. */
const WINDOW_MS = 8 * 86_400_000;

interface Item {
  readonly event: string;
  readonly mail: Mail;
}

export interface Memory {
  readonly store: Pick<Store, "contacts">;
  readonly echoes: Pick<Echoes, "knows">;
}

/**
 * The same items. Those that were answered already are marked, and so is an edit of a message that never came.
 *
 * One message may be delivered under two names of a person (by number and by linked id). After both contacts were merged,
 * what one of them had before must not be applied again; the store knows only each contact's own events. A message without
 * its words may be delivered again after them, and an edit may be of a message that never came, or of one of ours.
 */
export async function marked(
  memory: Memory,
  claimed: Pick<Claimed, "account" | "contact" | "mail">,
  session: Session | null,
  items: readonly Item[],
  now: number,
): Promise<readonly Item[]> {
  const before = new Set([
    ...(session?.joined ?? []).flatMap(({ contact, at }) =>
      now - at < WINDOW_MS ? [contact] : [],
    ),
    ...items.flatMap(({ mail }) => (mail.kind === "joined" ? [mail.from] : [])),
  ]);
  if (before.size === 0 && !items.some(isOfAnother)) return items;
  const { account, contact } = claimed;
  const knew = async (names: Iterable<string>, event: string): Promise<boolean> => {
    for (const name of names)
      if (await memory.store.contacts.knew(account, name, event)) return true;
    return false;
  };
  const all = [contact, ...before];
  return Promise.all(
    items.map(async (item, index) => {
      const { mail } = item;
      // What was handed over from a merged contact is new.
      const isHanded = "via" in ((claimed.mail[index]?.mail ?? {}) as object);
      if (mail.kind !== "inbound" || isHanded) return item;
      const { event } = mail;
      const again = { ...item, mail: { ...mail, again: true as const } };
      const isMissing = event.kind === "unreadable";
      const known = isMissing ? eventId("message", event.messageId) : item.event;
      if (await knew(isMissing ? all : before, known)) return again;
      if (event.kind !== "edit" || (await knew(all, eventId("message", event.messageId))))
        return item;
      if (await memory.echoes.knows(account, contact, event.messageId)) return again;
      return { ...item, mail: { ...mail, unheard: true as const } };
    }),
  );
}

/** A message without its words, or an edit, may belong to another message. */
function isOfAnother({ mail }: Item): boolean {
  return (
    mail.kind === "inbound" && (mail.event.kind === "unreadable" || mail.event.kind === "edit")
  );
}
