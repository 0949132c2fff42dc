/** Headers that prove a webhook, in every way that receivers can be set to check. */
import { createHmac } from "node:crypto";
import type { Subscription } from "./delivery-settings.ts";
import { seconds } from "../world/wire-time.ts";

/** `now` in epoch milliseconds: when the event is packed, the same over all its attempts. */
export function signatureHeaders(
  bytes: string,
  { secret, signature = {} }: Pick<Subscription, "secret" | "signature">,
  now: number,
): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const { header = "x-signature", algorithm = "sha256", encoding = "hex" } = signature;
  const { prefix = "", timestamp } = signature;
  const sent = String(seconds(now));
  const before = timestamp?.joinedBy === undefined ? "" : `${sent}${timestamp.joinedBy}`;
  const mac = createHmac(algorithm, secret).update(before).update(bytes).digest(encoding);
  return {
    [header.toLowerCase()]: `${prefix}${mac}`,
    ...(timestamp ? { [timestamp.header.toLowerCase()]: sent } : {}),
  };
}
