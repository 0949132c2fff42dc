/**
 * Dedupe ids: message id + kind + what tells revisions apart. Neither chat nor direction is in them, because one message
 * can be delivered under the linked id and again under the phone; the store remembers them per contact.
 */
import { createHash } from "node:crypto";
import type { InboundEvent } from "../engine/index.ts";
import { ID_LIMIT, textOf } from "./field.ts";

/** Short digest of strings that tell revisions apart (64 bits: told apart within one message only). */
export function revision(...parts: readonly (string | number | undefined)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${typeof part}:${part ?? ""}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** A provider's message id as we keep it, or undefined when there is none. An overlong one is replaced by its digest. */
export function messageIdOf(value: unknown): string | undefined {
  const text = textOf(value, 4_096)?.trim();
  if (!text) return undefined;
  return text.length <= ID_LIMIT ? text : `long-${revision(text)}`;
}

export function eventId(kind: InboundEvent["kind"], messageId: string, rev?: string): string {
  return rev === undefined ? `${messageId}:${kind}` : `${messageId}:${kind}:${rev}`;
}
