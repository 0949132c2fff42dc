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
    textAt(payload, ["id"])
  );
}

/** Engine A writes `true_5511…@c.us_ID`: the message's own id is the last part. */
function lastPart(serialised: string | undefined): string | undefined {
  return serialised?.split("_").at(-1);
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
