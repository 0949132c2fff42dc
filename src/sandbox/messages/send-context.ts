/** What a message points at: the one it answers, and whom it mentions. As the engine, quoting the unknown quotes nothing. */
import type { JsonObject } from "../../base/index.ts";
import { jidOf, jidOfPerson } from "../http/address.ts";
import { objectAt } from "../http/bounded.ts";
import type { SendDraft } from "./drafts.ts";
import type { Group } from "../groups/groups.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";

export interface SendContext {
  readonly contextInfo?: JsonObject;
  readonly quoted?: StoredMessage["quoted"];
}

/** Quotes and mentions of a draft; the latter in groups only. */
export function contextOf(
  world: World,
  device: string,
  draft: SendDraft,
  group: Group | undefined,
): SendContext {
  if (!draft.quoted && !draft.mentions) return {};
  const { own } = world.instances.phoneOf(device);
  const answered = draft.quoted && quoteOf(world, device, draft.quoted, own);
  const mentioned = mentionedIn(world, draft, group, own);
  const info: JsonObject = {
    ...(answered ? answered.info : {}),
    ...(mentioned.length > 0 ? { mentionedJid: mentioned } : {}),
  };
  return {
    ...(Object.keys(info).length > 0 ? { contextInfo: info } : {}),
    ...(answered ? { quoted: answered.quoted } : {}),
  };
}

/** What the engine says of a message that another one replies to; undefined for one that it neither knows nor was given. */
export function quoteOf(
  world: World,
  device: string,
  { id, message }: NonNullable<SendDraft["quoted"]>,
  own: string,
) {
  const known = world.messages.find(device, id);
  if (known) {
    const author = known.fromMe ? own : (known.author ?? known.person);
    const info = {
      stanzaId: id,
      participant: jidOfPerson(author),
      quotedMessage: objectAt(known.record, "message"),
    };
    return { info, quoted: { id, text: known.text } };
  }
  // The engine quotes what it is given, whether or not it ever saw it.
  if (!message) return undefined;
  const text = typeof message["conversation"] === "string" ? message["conversation"] : "";
  return { info: { stanzaId: id, quotedMessage: message }, quoted: { id, text } };
}

function mentionedIn(
  world: World,
  draft: SendDraft,
  group: Group | undefined,
  own: string,
): readonly string[] {
  if (!group || !draft.mentions) return [];
  const members = [...group.members.keys()].filter((person) => person !== own);
  if (draft.mentions === "all") return members.map(jidOf);
  const named = new Set(draft.mentions.map((address) => world.book.personOf(address)));
  return members.filter((person) => named.has(person)).map(jidOf);
}
