/** Sending: checks the phone and the recipient, keeps the message, echoes it, and answers in the engine's own shape. */
import type { Json, JsonObject } from "../base/index.ts";
import { LID_DOMAIN, isOnMessenger, jidOfPerson } from "./address.ts";
import { textAt } from "./bounded.ts";
import type { Channel } from "./delivery-settings.ts";
import { compositeId } from "./engine-a.ts";
import { messageRecord } from "./engine-b.ts";
import { messageData } from "./engine-c.ts";
import { draftOf, type SendDraft } from "./drafts.ts";
import { chatOf, echoSend } from "./herald.ts";
import { rowOf, type StoredMessage } from "./messages.ts";
import { done, failed, type Call, type Outcome } from "./outcome.ts";
import { engineError, phoneRefusal } from "./refusals.ts";
import type { World } from "./world.ts";

/** The engine behind a route. */
function channelOf(route: string): Channel {
  const controller = route.slice(0, route.indexOf("."));
  if (controller === "engineA") return "engine-a";
  if (controller === "engineC") return "engine-c";
  return controller === "sms" ? "sms" : "engine-b";
}

export function send(world: World, call: Call): Outcome {
  const draft = draftOf(call.route.id, call.body);
  if (!draft) return failed(500, "Rota sem envio.");
  const device = call.caller.device ?? "";
  const channel = channelOf(call.route.id);
  const instance = world.instances.of(device);
  const refusal = phoneRefusal(channel, world.instances.phoneOf(device).instance, instance?.state);
  if (refusal) return refusal;
  const person = world.book.personOf(draft.to);
  if (!person.includes("@") && !isOnMessenger(person)) return unknownRecipient(person);
  const before = draft.id === undefined ? undefined : world.messages.find(device, draft.id);
  if (before) return done(answerOf(world, before, chatOf(world, person)));
  const byLid = draft.to.endsWith(LID_DOMAIN);
  const chat = chatOf(world, person, byLid);
  const message = store(world, call, channel, draft, person, chat);
  // The official engine has no webhook channel here; a silent phone gets no word of its own sends either.
  if (!call.route.id.startsWith("official.") && !world.webhooks.muted.has(device))
    echoSend(world, message, chat);
  return done(answerOf(world, message, chat, call.route.id));
}

/** Nobody has this number: the engine names it. */
export function unknownRecipient(number: string): Outcome {
  const rows = [{ jid: jidOfPerson(number), exists: false, number }];
  return engineError(400, "Número inexistente no mensageiro.", rows);
}

function store(
  world: World,
  call: Call,
  channel: Channel,
  draft: SendDraft,
  person: string,
  chat: ReturnType<typeof chatOf>,
): StoredMessage {
  const device = call.caller.device ?? "";
  const at = world.clock.now();
  const id =
    draft.id ?? (channel === "sms" ? world.ids.hex("sms", 32).toLowerCase() : world.ids.outgoing());
  const quoted = draft.quoted === undefined ? undefined : { stanzaId: draft.quoted };
  const message: StoredMessage = {
    id,
    device,
    channel,
    person,
    fromMe: true,
    at,
    route: call.route.id,
    text: draft.text,
    body: call.kept,
    record: messageRecord(world.instances.phoneOf(device), chat, {
      id,
      fromMe: true,
      pushName: "Você",
      status: "PENDING",
      messageType: draft.messageType,
      message: draft.message,
      at,
      source: "web",
      ...(quoted ? { contextInfo: quoted } : {}),
    }),
    ...(draft.options ? { options: draft.options } : {}),
    statuses: ["PENDING"],
  };
  world.messages.add(message, draft.media);
  world.feed.tell("message", () => ({ ...rowOf(message), number: person }));
  return message;
}

/** What each engine answers to a send. */
function answerOf(
  world: World,
  message: StoredMessage,
  chat: ReturnType<typeof chatOf>,
  route = message.route ?? "",
): Json {
  const { id, person, at, record } = message;
  if (route.startsWith("official."))
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
