/** `privacy.overview`: what is kept of the person who asks, in a few words. */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import { maskPhone } from "../../brazil/index.ts";
import { done, type LocalSpec } from "../effects/spec.ts";
import type { Documents } from "../context/hooks.ts";
import { linesOf, personOf } from "../context/person.ts";

/** Journal lines that are counted; if there are more, this number is told. */
const LINES_COUNTED = 1_000;

/** With what these documents tell of them. */
export function overviewOf(documents: readonly Documents[]): LocalSpec {
  const told = documents.flatMap(({ overview }) => overview ?? []);
  return {
    name: "privacy.overview",
    class: "read",
    version: 1,
    input: z.object({}),
    result: [
      "name",
      "phone",
      "messages",
      ...told.flatMap(({ names }) => names),
      "chatDays",
      "draftDays",
      "fiscalYears",
    ],
    async perform({ context, begun, account }) {
      const { contacts, session } = await personOf(context, account.id, begun.contact);
      const turns = await linesOf(context, account, contacts, LINES_COUNTED);
      const digits = /^\d{8,15}/.exec(session?.address ?? "")?.[0];
      const locale = session?.locale ?? "pt-BR";
      const unknown = locale === "en" ? "not known here" : "não tenho";
      const kept: Readonly<Record<string, Json>>[] = [];
      for (const one of told) kept.push(await one.of(context, account, { contacts, locale }));
      return done({
        name: session?.name ?? (locale === "en" ? "you" : "você"),
        phone:
          digits === undefined || session?.address?.endsWith("@lid") ? unknown : maskPhone(digits),
        messages: turns.filter(isTurn).length,
        ...(Object.assign({}, ...kept) as Record<string, Json>),
        ...account.retention,
      });
    },
  };
}

/** A person's words or the bot's; the worker's own lines are no messages. */
function isTurn(line: unknown): boolean {
  const { mail } = line as { mail?: { kind?: unknown } };
  return mail?.kind === "inbound";
}
