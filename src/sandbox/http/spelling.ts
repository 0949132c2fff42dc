/**
 * Older spellings of messaging bodies, as deployments of the engine's first generation take them: the message in an object
 * of its own, quotes and mentions among the options, settings in another case. They are read as today's; where a body has
 * both, today's wins.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { isObject } from "./bounded.ts";

/** Objects whose fields stand in the body itself today. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "textMessage",
  "pollMessage",
  "mediaMessage",
  "audioMessage",
  "locationMessage",
  "reactionMessage",
  "statusMessage",
  "privacySettings",
]);

/** Fields under another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["contactMessage", "contact"],
  ["rejectCall", "reject_call"],
  ["msgCall", "msg_call"],
  ["groupsIgnore", "groups_ignore"],
]);

/** The body in today's spelling; the same object when it is already. */
export function todaysSpelling(body: JsonObject): JsonObject {
  let modern: Record<string, Json | undefined> | undefined;
  for (const [key, value] of Object.entries(body)) {
    const fields = todaysFields(key, value);
    if (!fields) continue;
    modern ??= { ...body };
    if (key !== "options") delete modern[key];
    for (const [name, field] of Object.entries(fields))
      if (field !== undefined) modern[name] ??= field;
  }
  return modern ?? body;
}

/** What an older field says today; undefined for one that is not older. */
function todaysFields(key: string, value: Json | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  const name = RENAMED.get(key);
  if (name !== undefined) return { [name]: value };
  if (!isObject(value)) return undefined;
  if (WRAPPERS.has(key)) return value;
  if (key === "stickerMessage") return present({ sticker: value["image"] });
  if (key !== "options") return undefined;
  const { quoted, mentions, encoding } = value;
  if (quoted === undefined && mentions === undefined && encoding === undefined) return undefined;
  const called = isObject(mentions) ? mentions : {};
  return present({
    quoted,
    encoding,
    mentionsEveryOne: called["everyOne"],
    mentioned: called["mentioned"],
  });
}

function present(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
