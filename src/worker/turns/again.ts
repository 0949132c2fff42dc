/**
 * One message may be delivered under two names of one person (by number and by linked id). What one contact had before both
 * proved to be the same is not the other's again: the store tells a contact's own events apart, not those of another.
 *
 * A message that came without its words may be delivered again after them; then nothing is missing.
 */
import { eventId } from "../../channels/index.ts";
import type { Mail, Session } from "../../engine/index.ts";
import type { Claimed, Store } from "../../store/port.ts";

/** An event may come again for as long as the store remembers them, ms. */
const WINDOW_MS = 8 * 86_400_000;

interface Item {
  readonly event: string;
  readonly mail: Mail;
}

/** The same items; a message that one of the contacts this one was had already is marked. */
export async function marked(
  store: Pick<Store, "knew">,
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
  if (before.size === 0 && !items.some(isWordless)) return items;
  return Promise.all(
    items.map(async (item, index) => {
      const { mail } = item;
      // What was handed over is new to everybody.
      const isHanded = "via" in ((claimed.mail[index]?.mail ?? {}) as object);
      if (mail.kind !== "inbound" || isHanded) return item;
      const { event } = mail;
      const isMissing = event.kind === "unreadable";
      const known = isMissing ? eventId("message", event.messageId) : item.event;
      for (const contact of isMissing ? [claimed.contact, ...before] : before)
        if (await store.knew(claimed.account, contact, known))
          return { ...item, mail: { ...mail, again: true as const } };
      return item;
    }),
  );
}

function isWordless({ mail }: Item): boolean {
  return mail.kind === "inbound" && mail.event.kind === "unreadable";
}
