/** Engine A's events that are no message: progress of our sends, the session, QR codes, calls. */
import type { AckStatus } from "../../engine/index.ts";
import type { Delivery } from "../channel.ts";
import type { Collector } from "../collector.ts";
import { lastPart } from "./engine-a-content.ts";
import { chatOf, compositeOf } from "./engine-a-message.ts";
import { eventId, messageIdOf, revision } from "../event-id.ts";
import { at, numberAt, textAt, type Fields } from "../field.ts";
import { peerOf } from "../jid.ts";

const STATUS: Readonly<Record<string, AckStatus>> = {
  CLOCK: "pending",
  SENT: "sent",
  RECEIVED: "delivered",
  READ: "read",
  PLAYED: "played",
  FAILED: "error",
  EXPIRED: "error",
  CONTENT_GONE: "error",
  CONTENT_TOO_BIG: "error",
  CONTENT_UNUPLOADABLE: "error",
  INACTIVE: "error",
  MD_DOWNGRADE: "error",
};
/** The same by number, from 0 on; every negative number is a failure of its own kind. */
const ACKS: readonly AckStatus[] = ["pending", "sent", "delivered", "read", "played"];

/** Words of `state` and `status` by what they mean for sending; any other word is told as `connecting`. */
const OPEN = /^(connected|inchat|islogged|open)$/i;
const CLOSED =
  /^(disconnected|unpaired|notlogged|browserclose|serverclose|phonenotconnected|close|conflict)$/i;
const REFUSED = /^(autoclosecalled|qrreaderror|qrreadfail|timeout)$/i;

export function readEngineAStatus(body: Fields, source: Delivery, into: Collector): void {
  const composite = compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id"));
  const messageId = messageIdOf(lastPart(composite));
  const word = textAt(body, 40, "status")?.toUpperCase() ?? "";
  const ack = numberAt(body, "data", "ack") ?? numberAt(body, "ack");
  const byNumber = ack === undefined ? undefined : ack < 0 ? "error" : ACKS[ack];
  const status = Object.hasOwn(STATUS, word) ? STATUS[word] : byNumber;
  if (!messageId || !status) return into.ignore("update-without-status");
  if (composite?.startsWith("false_")) return into.ignore("ack-of-inbound");
  const found = peerOf({ address: chatOf(body, true) });
  if ("ignored" in found && found.ignored !== "address") return into.ignore(found.ignored);
  into.take({
    kind: "ack",
    id: eventId("ack", messageId, status),
    at: source.receivedAt,
    messageId,
    status,
    ...("peer" in found ? { from: found.peer } : {}),
  });
}

export function readEngineAConnection(body: Fields, source: Delivery, into: Collector): void {
  const words = [textAt(body, 40, "state"), textAt(body, 40, "status")].filter((word) => word);
  if (words.length === 0) return into.ignore("unknown");
  const is = (shape: RegExp): boolean => words.some((word) => shape.test(word ?? ""));
  // A closed word wins: right after a loss the other field may still hold the state of before.
  const state = is(CLOSED) ? "close" : is(REFUSED) ? "refused" : is(OPEN) ? "open" : "connecting";
  const id = `connection:${state}:${revision(...words, source.receivedAt)}`;
  into.take({ kind: "connection", id, at: source.receivedAt, state });
}

/** The picture is not kept: the code makes it again. */
export function readEngineAQrCode(body: Fields, source: Delivery, into: Collector): void {
  const code = textAt(body, 4_000, "urlCode") ?? textAt(body, 4_000, "code");
  const id = `qrcode:${revision(code)}`;
  into.take({ kind: "qrcode", id, at: source.receivedAt, ...(code ? { code } : {}) });
}

export function readEngineACall(body: Fields, source: Delivery, into: Collector): void {
  const callId = messageIdOf(compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id")));
  const peer = [at(body, "from"), at(body, "peerJid"), at(body, "data", "peerJid")].map(
    compositeOf,
  );
  const found = peerOf({ address: peer.find(Boolean) });
  if (!callId) return into.ignore("unknown");
  if (at(body, "isGroup") === true || at(body, "data", "isGroup") === true)
    return into.ignore("group");
  if ("ignored" in found) return into.ignore(found.ignored);
  const status = textAt(body, 40, "status")?.toLowerCase() ?? "offer";
  const id = eventId("call", callId, status);
  into.take({ kind: "call", id, at: source.receivedAt, from: found.peer, status });
}
