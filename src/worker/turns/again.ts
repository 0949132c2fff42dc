/**
 * What a contact's mail is to messages before it. One message may be delivered under two names of one person (by number and by
 * linked id): what one contact had before both proved to be the same is not the other's again, and the store tells only a contact's
 * own events apart.
 *
 * A message that came without its words may be delivered again after them; then nothing is missing. An edit may be of a message
 * that never came, or of one of ours.
 */
import { eventId } from "../../channels/index.ts";
import type { Mail, Session } from "../../engine/index.ts";
import type { Claimed, Store } from "../../store/port/port.ts";
import type { Echoes } from "../outbox/sending/echoes.ts";

/** An event may come again for as long as the store remembers them, ms. */
const WINDOW_MS = 8 * 86_400_000;

interface Item {
  readonly event: string;
  readonly mail: Mail;
}

export interface Memory {
  readonly store: Pick<Store, "knew">;
  readonly echoes: Pick<Echoes, "knows">;
}

/** The same items; what was answered already is marked, and so is an edit of what never came. */
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
    for (const name of names) if (await memory.store.knew(account, name, event)) return true;
    return false;
  };
  const all = [contact, ...before];
  return Promise.all(
    items.map(async (item, index) => {
      const { mail } = item;
      // What was handed over is new to everybody.
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

/** It may stand for another message, or change one. */
function isOfAnother({ mail }: Item): boolean {
  return (
    mail.kind === "inbound" && (mail.event.kind === "unreadable" || mail.event.kind === "edit")
  );
}
