/** The id of a message that was just sent, whichever engine sent it. Echoes and acknowledgements name it. */

/** The engine's message id, or undefined when the answer holds none. Takes the payload of any send. */
export function sentMessageId(payload: unknown): string | undefined {
  return (
    textAt(payload, ["key", "id"]) ??
    textAt(payload, ["data", "key", "id"]) ??
    textAt(payload, ["data", "Info", "ID"]) ??
    textAt(payload, ["Info", "ID"]) ??
    lastPart(textAt(payload, ["data", "id", "_serialized"]) ?? textAt(payload, ["data", "id"])) ??
    textAt(payload, ["messages", "0", "id"]) ??
    SHORT.map((path) => textAt(payload, path)).find((id) => id !== undefined)
  );
}

/** Where the id of a short message stands besides: its answers name it by each of these. */
const SHORT = [
  ["id"],
  ...["message_id", "sms_id", "messageId", "smsId"].flatMap((name) => [["data", name], [name]]),
];

/** Engine A writes `true_5511…@c.us_ID`: the message's own id is the last part. Any other id is whole. */
function lastPart(id: string | undefined): string | undefined {
  return id !== undefined && /^(?:true|false)_/.test(id) ? id.split("_").at(-1) : id;
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  if (typeof at === "number") return String(at);
  return typeof at === "string" && at !== "" ? at : undefined;
}
