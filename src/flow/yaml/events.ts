/** Outside events by name, with the fields that each has, as a flow declares them. */
import { z } from "zod";
import type { Finding } from "../ast/finding.ts";
import type { EventInfo } from "../authoring/vocabulary.ts";
import { located, placesOf, plain } from "./located.ts";

/** Longest file, in characters: a thousand events. */
const MAX_FILE = 60_000;
/** As they may be posted. */
const NAME = /^[a-z][a-z0-9.-]{0,99}$/;
const Fields = z.array(z.string().regex(/^[A-Za-z_][\w-]{0,99}$/)).max(100);

type ReadEvents =
  | { readonly ok: true; readonly events: readonly EventInfo[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads `NAME: [FIELD, …]` lines. `NAME:` alone brings anything. */
export function readEvents(text: string, file: string): ReadEvents {
  const finding = (message: string, at: { line: number; column: number }): Finding => ({
    rule: "notify/events-file",
    severity: "error",
    file,
    message,
    line: at.line,
    column: at.column,
  });
  const read = located(text, MAX_FILE);
  if (!read.ok) return { ok: false, findings: [finding(read.problem.message, read.problem)] };
  const { root } = read;
  const data = plain(root);
  if (data === null) return { ok: true, events: [] };
  if (root.is !== "map" || typeof data !== "object")
    return {
      ok: false,
      findings: [finding("one event a line: parcel.ready: [item, shelf]", root)],
    };
  const places = placesOf(root);
  const findings: Finding[] = [];
  const events = Object.entries(data).flatMap(([name, given]): EventInfo[] => {
    const fields = Fields.nullable().safeParse(given);
    if (NAME.test(name) && fields.success) return [{ name, data: fields.data ?? undefined }];
    const message = NAME.test(name)
      ? `"${name}" brings a list of fields: [item, shelf]`
      : `"${name}" is no name of an event: small letters, digits, dots and hyphens`;
    findings.push(finding(message, places.get(name) ?? root));
    return [];
  });
  return findings.length > 0 ? { ok: false, findings } : { ok: true, events };
}
