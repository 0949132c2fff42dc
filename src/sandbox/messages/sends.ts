/**
 * Sending: checks the phone, the recipient and the media, keeps the message with what it quotes and whom it mentions, echoes
 * it, and answers as its engine does.
 */
import type { JsonObject, Json } from "../../base/index.ts";
import { isOnMessenger, jidOfPerson, LID_DOMAIN, jidOf } from "../http/address.ts";
import { isObject, textAt, objectAt, type StoredFile } from "../http/bounded.ts";
import { encrypted } from "./content.ts";
import type { Channel } from "../webhooks/subscriptions.ts";
import { draftOf, type SendDraft, type SendRoute } from "./drafts.ts";
import type { ChatAddress } from "../webhooks/engine-b.ts";
import { isAdmin, othersIn, type Group } from "../groups/groups.ts";
import { chatOf, echoSend } from "../webhooks/echoes.ts";
import { readMedia, type MediaReading } from "./media-source.ts";
import { react } from "./message-marks.ts";
import { keepOwn } from "./own-messages.ts";
import type { StoredMessage } from "./stored-message.ts";
import { done, type Call, type Outcome, engineError, phoneRefusal } from "../http/outcome.ts";
import type { World } from "../world/world.ts";
import { compositeId } from "../webhooks/engine-a.ts";
import { messageData } from "../webhooks/engine-c.ts";

/** The engine behind a route. */
function channelOf(route: string): Channel {
  const controller = route.slice(0, route.indexOf("."));
  if (controller === "engineA") return "engine-a";
  if (controller === "engineC") return "engine-c";
  return controller === "sms" ? "sms" : "engine-b";
}

/** A send on its way: who, what, to whom. */
interface Sending {
  readonly world: World;
  readonly call: Call;
  readonly route: SendRoute;
  readonly device: string;
  readonly channel: Channel;
  readonly draft: SendDraft;
  readonly person: string;
  readonly group: Group | undefined;
  readonly chat: ChatAddress;
}

export function send(route: SendRoute) {
  return (world: World, call: Call): Outcome | Promise<Outcome> => {
    const draft = draftOf(route, call.body);
    const device = call.caller.device ?? "";
    const channel = channelOf(route);
    const state = world.instances.of(device)?.state;
    const phone = world.instances.phoneOf(device);
    const person = world.book.personOf(draft.to);
    const group = world.groups.find(person);
    const refusal =
      phoneRefusal(channel, phone.instance, state) ??
      (channel === "sms" ? undefined : recipientRefusal(person, group, phone.own)) ??
      reactionRefusal(world, device, draft, person);
    if (refusal) return refusal;
    const chat = chatOf(world, person, draft.to.endsWith(LID_DOMAIN));
    const before = draft.id === undefined ? undefined : world.messages.find(device, draft.id);
    if (before) return done(answerOf(world, before, chat, route));
    const sending = { world, call, route, device, channel, draft, person, group, chat };
    if (!draft.media) return put(sending);
    const reading = readMedia(draft.media.source);
    if (!(reading instanceof Promise)) return putMedia(sending, reading);
    return reading.then((read) => putMedia(sending, read));
  };
}

/** Nobody has this number: the engine names it. */
export function unknownRecipient(number: string): Outcome {
  const rows = [{ jid: jidOfPerson(number), exists: false, number }];
  return engineError(400, "Número inexistente no mensageiro.", rows);
}

function recipientRefusal(
  person: string,
  group: Group | undefined,
  own: string,
): Outcome | undefined {
  if (!person.includes("@")) return isOnMessenger(person) ? undefined : unknownRecipient(person);
  if (!person.endsWith("@g.us")) return undefined;
  if (!group?.members.has(own)) return engineError(404, "Group not found");
  if (group.announce && !isAdmin(group, own))
    return engineError(403, "Only admins may send messages to this group");
  return undefined;
}

function reactionRefusal(
  world: World,
  device: string,
  draft: SendDraft,
  person: string,
): Outcome | undefined {
  if (draft.reactsTo === undefined) return undefined;
  const message = world.messages.find(device, draft.reactsTo);
  return message?.person === person ? undefined : engineError(400, "Message not found");
}

function putMedia(sending: Sending, reading: MediaReading): Outcome | Promise<Outcome> {
  if (!reading.ok) return engineError(400, reading.reason);
  const { fileName, mimetype: named } = sending.draft.media ?? {};
  const mimetype = named ?? reading.mimetype ?? "application/octet-stream";
  return put(sending, { base64: reading.base64, mimetype, fileName });
}

function put(sending: Sending, media?: StoredFile): Outcome | Promise<Outcome> {
  const { world, route, device, draft, chat } = sending;
  const message = keep(sending, media);
  if (draft.reactsTo !== undefined) react(world, device, draft.reactsTo, "me", draft.text);
  // The official engine has no webhook channel here; a silent phone gets no word of its own sends either.
  const isTold = route !== "official.sendText" && !world.webhooks.muted.has(device);
  const told = isTold ? echoSend(world, message, chat) : undefined;
  const answer = done(answerOf(world, message, chat, route));
  return world.settings.delivery.early && told ? told.then(() => answer) : answer;
}

function keep(sending: Sending, media: StoredFile | undefined): StoredMessage {
  const { world, call, route, device, channel, draft, person, group, chat } = sending;
  const at = world.clock.now();
  const id =
    draft.id ?? (channel === "sms" ? world.ids.hex("sms", 32).toLowerCase() : world.ids.outgoing());
  return keepOwn(
    world,
    {
      id,
      device,
      channel,
      person,
      at,
      route,
      chat,
      text: draft.text,
      body: call.kept,
      messageType: draft.messageType,
      message: media ? withBytes(draft, id, at, media) : draft.message,
      audience: audienceOf(sending),
      options: draft.options,
      selectable: draft.selectable,
      ...contextOf(world, device, draft, group),
    },
    media,
  );
}

/** A media with what its bytes tell: where they lie encrypted, and how many they are. */
function withBytes(draft: SendDraft, id: string, at: number, media: StoredFile): JsonObject {
  const { messageType, message } = draft;
  const said = message[messageType];
  const facts = encrypted("o1", id, media.base64, at);
  const { mimetype } = media;
  return { [messageType]: { ...facts, mimetype, ...(isObject(said) ? said : {}) } };
}

/** Who sees it besides the person of the chat: a group's members, a post's viewers. */
function audienceOf({ world, device, draft, group }: Sending): ReadonlySet<string> | undefined {
  const { own } = world.instances.phoneOf(device);
  if (group) return othersIn(group, own);
  if (!draft.viewers) return undefined;
  if (draft.viewers !== "all")
    return new Set(draft.viewers.map((address) => world.book.personOf(address)));
  const contacts = world.messages.chats.contacts(device).map((contact) => contact.person);
  return new Set(contacts.filter((person) => !person.includes("@")));
}

function answerOf(world: World, message: StoredMessage, chat: ChatAddress, route: SendRoute): Json {
  const { id, person, at, record } = message;
  if (route === "official.sendText")
    return { messaging_product: "messenger", messages: [{ id: `wamid.${id}` }] };
  switch (message.channel) {
    case "engine-a":
      return { result: 200, data: { id: compositeId(true, person, id), body: message.text } };
    case "engine-c":
      return {
        message: "success",
        data: messageData(world.instances.phoneOf(message.device), chat, {
          id,
          fromMe: true,
          name: "",
          at,
          messageType: textAt(record, "messageType") ?? "",
          message: record["message"] as JsonObject,
        }),
      };
    case "sms":
      return {
        status: "success",
        message: "Message sent successfully",
        data: { id, status: "processed" },
      };
    case "engine-b":
      return record;
  }
}

interface SendContext {
  readonly contextInfo?: JsonObject;
  readonly quoted?: StoredMessage["quoted"];
}

/** Quotes and mentions of a draft; the latter in groups only. */
function contextOf(
  world: World,
  device: string,
  draft: SendDraft,
  group: Group | undefined,
): SendContext {
  if (!draft.quoted && !draft.mentions) return {};
  const { own } = world.instances.phoneOf(device);
  const answered = draft.quoted && quoteOf(world, device, draft.quoted, own);
  const mentioned = mentionedIn(world, draft, group, own);
  if (!answered && mentioned.length === 0) return {};
  const mentionedJid = mentioned.length > 0 ? mentioned : undefined;
  return { contextInfo: { ...answered?.info, mentionedJid }, quoted: answered?.quoted };
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
