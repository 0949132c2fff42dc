/** Reads what the store hands out. It may have been written by an older or a newer build. */
import { type Json, reader } from "../../base/index.ts";
import { type Library, Mail, restoreSession, type Session } from "../../engine/index.ts";
import type { Claimed, MailItem } from "../../store/port/port.ts";
import type { Need } from "../fleet/worker-registry.ts";

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
