/**
 * Gathers what one webhook body held. Bounded, so that no body can make more events than a batch should hold.
 */
import type { InboundEvent, Parsed, Peer } from "../engine/index.ts";
import { eventId, revision, textOf } from "./field.ts";
import type { MessageReading } from "./message/message-content.ts";

/** Most events of one body; a contacts sync sends up to some thousand people in pieces. */
export const EVENTS_LIMIT = 2_000;

export interface Collector {
  take(event: InboundEvent): void;
  /** `reason` is a short fixed word, because it becomes the label of a counter. `form`: the name of an unknown form. */
  ignore(reason: string, form?: string): void;
  done(): Parsed;
}

export function createCollector(): Collector {
  const events: InboundEvent[] = [];
  const ignored: string[] = [];
  const forms: string[] = [];
  return {
    take(event) {
      if (events.length < EVENTS_LIMIT) events.push(event);
      else if (ignored.length < EVENTS_LIMIT) ignored.push("too-many");
    },
    ignore(reason, form) {
      if (ignored.length >= EVENTS_LIMIT) return;
      ignored.push(reason);
      if (form) forms.push(form);
    },
    done: () => ({ ok: true, events, ignored, ...(forms.length > 0 ? { forms } : {}) }),
  };
}

/** Whether the account takes events of this name. Names are compared without case, dots and underscores. */
export function wanted(
  filter: readonly string[] | undefined,
  ...names: readonly string[]
): boolean {
  if (!filter || filter.length === 0) return true;
  const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const taken = new Set(filter.map(fold));
  return taken.has("all") || names.some((name) => taken.has(fold(name)));
}

interface Occasion {
  readonly peer: Peer;
  readonly messageId: string;
  readonly at: number;
  /** Told as a message of the business's. */
  readonly own?: boolean;
  /** A deletion that may be the form of an edit. */
  readonly unsure?: boolean;
}

/** Turns the reading of a contact's message into events. */
export function takeReading(
  reading: MessageReading,
  occasion: Occasion,
  into: Collector,
  quoted?: string,
): void {
  const { peer, messageId } = occasion;
  const head = { at: occasion.at, from: peer };
  const own = occasion.own ? { own: true as const } : {};
  switch (reading.is) {
    case "content": {
      const { content } = reading;
      const rev =
        content.type === "choice" && content.via === "poll"
          ? revision(...content.picks.map((pick) => pick.label))
          : undefined;
      into.take({
        kind: "message",
        id: eventId("message", messageId, rev),
        ...head,
        messageId,
        content,
        ...(quoted ? { quoted } : {}),
      });
      return;
    }
    case "reaction": {
      const { emoji, of } = reading;
      const id = eventId("reaction", messageId, revision(of, emoji));
      into.take({ kind: "reaction", id, ...head, messageId, emoji, of });
      return;
    }
    case "edit": {
      const { text, of } = reading;
      // For an edit without words or a time, the message that told it tells it apart from others.
      const when = textOf(reading.at, 20) ?? (text === undefined ? messageId : undefined);
      const id = eventId("edit", of, revision(text, when));
      const words = text === undefined ? {} : { text };
      into.take({ kind: "edit", id, ...head, messageId: of, ...words, ...own });
      return;
    }
    case "delete": {
      const unsure = occasion.unsure ? { unsure: true as const } : {};
      // Beside an edit it must not stand for the deletion that may follow.
      const id = eventId("delete", reading.of, occasion.unsure ? "unsure" : undefined);
      into.take({ kind: "delete", id, ...head, messageId: reading.of, ...unsure, ...own });
      return;
    }
    case "unreadable":
      into.take({ kind: "unreadable", id: eventId("unreadable", messageId), ...head, messageId });
      return;
    case "nothing":
      into.ignore(reading.reason);
  }
}

/** An edit without words has no time of its own, so the time of the message that tells it tells it apart from the next. */
export function stamped(reading: MessageReading, stamp: unknown): MessageReading {
  const isBare = reading.is === "edit" && reading.text === undefined && reading.at === undefined;
  return isBare ? { ...reading, at: stamp } : reading;
}

/** The picture of a pairing code is not kept: the code makes it again. */
export function takeQrCode(code: string | undefined, at: number, into: Collector): void {
  into.take({ kind: "qrcode", id: `qrcode:${revision(code)}`, at, ...(code ? { code } : {}) });
}
