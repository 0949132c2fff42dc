/** Messages that arrive long after they were written, for engine tests. */
import type { Content, Mail } from "../../src/engine/index.ts";
import { CUSTOMER, TO_SUMMARY, Town } from "./town.ts";

export const HOUR = 3_600_000;
/** A decision that was written before it was asked for. */
export const BEFORE = "escrita antes de eu mostrar";
export const SORRY = "Desculpa a demora";

/** A message that was written at another time, by its sender's clock. */
export function at(
  town: Town,
  contact: string,
  when: number,
  said: string | Content,
  quoted?: string,
) {
  const content: Content = typeof said === "string" ? { type: "text", text: said } : said;
  const mail = town.message(contact, content, quoted);
  return { ...mail, event: { ...mail.event, at: when } } as Extract<Mail, { kind: "inbound" }>;
}

/** What a contact is told of some mail, at once and some seconds after. */
export function hears(town: Town, contact: string, ...mails: Mail[]): readonly string[] {
  const before = (town.said.get(contact) ?? []).length;
  town.deliver(contact, ...mails);
  town.after(3_500);
  return (town.said.get(contact) ?? []).slice(before);
}

export function atSummary(): Town {
  const town = new Town();
  town.talks(CUSTOMER, TO_SUMMARY);
  return town;
}
