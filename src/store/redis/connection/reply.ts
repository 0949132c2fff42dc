/** Checks the shape of script replies. Another shape is a bug of ours or a foreign server. */
import type { Reply } from "./client.ts";

export function list(reply: Reply | undefined): readonly Reply[] {
  if (!Array.isArray(reply)) throw new TypeError("A script answered no list.");
  return reply as readonly Reply[];
}

export function text(reply: Reply | undefined): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw new TypeError("A script answered no text.");
}

export function number(reply: Reply | undefined): number {
  return Number(text(reply));
}
