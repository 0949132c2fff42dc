/** Events of engine C: named by `event`, filtered by group, one body for all URLs. `instanceToken` is a secret. */
import type { Json, JsonObject } from "../../base/index.ts";
import { PHONE_DOMAIN } from "../http/address.ts";
import type { ChatAddress, IncomingCall, OwnPhone } from "./engine-b.ts";
import { withOffset } from "../world/clock.ts";

/** The group that a filter names for each event. */
const GROUPS = {
  Message: "MESSAGE",
  SendMessage: "SEND_MESSAGE",
  Receipt: "READ_RECEIPT",
  CallOffer: "CALL",
  CallAccept: "CALL",
  CallTerminate: "CALL",
  CallOfferNotice: "CALL",
  CallRelayLatency: "CALL",
  GroupInfo: "GROUP",
  JoinedGroup: "GROUP",
  Connected: "CONNECTION",
  PairSuccess: "CONNECTION",
  TemporaryBan: "CONNECTION",
  LoggedOut: "CONNECTION",
  ConnectFailure: "CONNECTION",
  Disconnected: "CONNECTION",
  QRCode: "QRCODE",
  QRTimeout: "QRCODE",
} as const;

export type EngineCEvent = keyof typeof GROUPS;

/** The engine has no word of its own for a call that was refused: it ends like any other. */
export const CALL_EVENTS = { offer: "CallOffer", reject: "CallTerminate" } as const;

/** Names under which a filter may ask for an event: its own and its group's. */
export function namesOf(event: EngineCEvent): readonly string[] {
  return [event, GROUPS[event]];
}

export function envelope(phone: OwnPhone, event: EngineCEvent, data: Json, state?: string): Json {
  return {
    event,
    data,
    state,
    instanceToken: "sandbox-instance-token",
    instanceId: phone.instanceId,
    instanceName: phone.instance,
  };
}

interface EngineCMessage {
  readonly id: string;
  readonly fromMe: boolean;
  readonly name: string;
  readonly at: number;
  readonly messageType: string;
  readonly message: JsonObject;
  /** Set on edits: the id above is then the edited message's. */
  readonly edit?: boolean;
  /** Who of a group writes. */
  readonly author?: ChatAddress;
}

export function messageData(phone: OwnPhone, chat: ChatAddress, message: EngineCMessage): Json {
  const sender = message.author ?? chat;
  const media = /^(image|audio|video|document|sticker)Message$/.exec(message.messageType)?.[1];
  return {
    Info: {
      Chat: chat.remoteJid,
      Sender: message.fromMe ? `${phone.own}${PHONE_DOMAIN}` : sender.remoteJid,
      SenderAlt: message.fromMe ? "" : (sender.remoteJidAlt ?? ""),
      IsFromMe: message.fromMe,
      IsGroup: chat.remoteJid.endsWith("@g.us"),
      AddressingMode: chat.addressingMode,
      ID: message.id,
      ServerID: 0,
      Type: media === undefined ? "text" : "media",
      PushName: message.name,
      Timestamp: withOffset(message.at),
      MediaType: media ?? "",
      Edit: message.edit === true ? "1" : "",
    },
    Message: message.message,
    IsEphemeral: false,
    IsViewOnce: false,
    IsEdit: message.edit === true,
  };
}

export function receiptData(
  chat: ChatAddress,
  ids: readonly string[],
  state: "Delivered" | "Read",
  at: number,
): Json {
  return {
    Chat: chat.remoteJid,
    Sender: chat.remoteJid,
    IsFromMe: false,
    IsGroup: chat.remoteJid.endsWith("@g.us"),
    MessageIDs: [...ids],
    Timestamp: withOffset(at),
    Type: state === "Read" ? "read" : "",
  };
}

export function callData(call: IncomingCall): Json {
  const { remoteJid, remoteJidAlt } = call.chat;
  return {
    From: remoteJid,
    Timestamp: withOffset(call.at),
    CallCreator: remoteJid,
    CallCreatorAlt: remoteJidAlt ?? "",
    CallID: call.id,
    RemotePlatform: "android",
    RemoteVersion: "2.25.30",
  };
}
