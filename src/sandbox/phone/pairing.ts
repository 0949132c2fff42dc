/** Pairing: a new code at each connect and whenever one grows old, until somebody scans or the engine gives up. */
import type { JsonObject } from "../../base/index.ts";
import { change, unlessChanged } from "./connection.ts";
import type { Instance } from "./instances.ts";
import { tellQrCode, tellQrLimit } from "../webhooks/phone-news.ts";
import type { World } from "../world/world.ts";
import { PNG } from "pngjs";
import { encodeQR } from "qr";

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

/** Pixels of one module: sharp on any screen, small enough for a webhook (about 2 kB). */
const SCALE = 4;

/** Modules of white around the symbol. */
const QUIET = 4;

/** Bytes of one grey pixel with alpha in the writer's buffer: red, green, blue, alpha. */
const CHANNELS = 4;

/**
 * A QR code as a picture that a phone can scan: black on white with the quiet zone the standard asks for. It comes as
 * `data:image/png;base64,…` of a text of at most 1,000 characters.
 */
function qrPicture(text: string): string {
  const modules = encodeQR(text, "raw", { border: QUIET, ecc: "medium" });
  const side = modules.length * SCALE;
  const picture = new PNG({ width: side, height: side, colorType: 0 });
  for (let y = 0; y < side; y += 1) {
    const row = modules[Math.floor(y / SCALE)] ?? [];
    for (let x = 0; x < side; x += 1) {
      const shade = row[Math.floor(x / SCALE)] === true ? 0 : 255;
      const at = (y * side + x) * CHANNELS;
      picture.data.fill(shade, at, at + 3);
      picture.data[at + 3] = 255;
    }
  }
  return `data:image/png;base64,${PNG.sync.write(picture, { colorType: 0 }).toString("base64")}`;
}
