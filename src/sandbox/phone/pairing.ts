/** Pairing: a new code at each connect and whenever one grows old, until somebody scans or the engine gives up. */
import type { JsonObject } from "../../base/index.ts";
import { change, unlessChanged } from "./connection.ts";
import type { Instance } from "./instances.ts";
import { tellQrCode, tellQrLimit } from "../webhooks/phone-news.ts";
import { qrPicture } from "./qr-picture.ts";
import type { World } from "../world/world.ts";

/** Characters of a pairing code, as the phone asks for them. */
const PAIRING_CODE_LENGTH = 8;

/** Shows the next code and gives it; undefined when the limit is reached and the session has ended. */
export function showCode(world: World, device: string, instance: Instance): JsonObject | undefined {
  const { pairing } = world.instances;
  if (instance.state !== "connecting") {
    instance.qrCount = 0;
    change(world, device, instance, "connecting");
    if (pairing.scan_ms !== null)
      unlessChanged(world, device, instance, pairing.scan_ms, () => scan(world, device, instance));
  }
  if (instance.qrCount >= pairing.qr_limit) {
    tellQrLimit(world, device, instance);
    change(world, device, instance, "close", 428);
    return undefined;
  }
  instance.qrCount += 1;
  const code = `2@${world.ids.hex("qrcode", 40)}`;
  const pairingCode =
    instance.pairingNumber === undefined
      ? null
      : world.ids.hex("pairing", PAIRING_CODE_LENGTH).replaceAll("0", "K");
  const waiting = { code, pairingCode, base64: qrPicture(code) };
  instance.waiting = waiting;
  tellQrCode(world, device, instance, waiting);
  unlessChanged(world, device, instance, pairing.qr_every_ms, () => {
    if (instance.waiting === waiting) showCode(world, device, instance);
  });
  return { ...waiting, count: instance.qrCount };
}

/** Somebody scanned the code, or typed it. */
export function scan(world: World, device: string, instance: Instance): void {
  instance.paired = true;
  change(world, device, instance, "open");
}
