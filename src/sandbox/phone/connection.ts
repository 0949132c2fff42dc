/**
 * The connection of a phone: it is paired by a code, changes, drops, comes back by itself unless it was logged out or banned,
 * flaps, or stays open and tells nothing. Reasons are the engine's numbers, by its public sources.
 */
import { type Instance, type InstanceState, RESTART_MS } from "./instances.ts";
import { LOGGED_OUT, tellConnection, tellQrCode, tellQrLimit } from "../webhooks/phone-news.ts";
import type { World } from "../world/world.ts";
import type { JsonObject } from "../../base/index.ts";
import { PNG } from "pngjs";
import { encodeQR } from "qr";

/** Restart wanted, as right after a pairing. */
const RESTART_REQUIRED = 515;

/** Connection closed, lost, restart wanted, unavailable: what flapping phones show in turn. */
const PASSING_REASONS = [428, 408, RESTART_REQUIRED, 503] as const;

/** After these the engine does not connect again by itself: logged out, payment, banned, not acceptable. */
const FINAL_REASONS: ReadonlySet<number> = new Set([LOGGED_OUT, 402, 403, 406]);

/** Goes to a state and says so. `reason` 200 where nothing is wrong. */
export function change(world: World, instance: Instance, state: InstanceState, reason = 200): void {
  // Whatever made a phone silent is cured by connecting anew.
  setSilent(world, instance.device, false);
  instance.state = state;
  instance.turn += 1;
  if (state !== "connecting") instance.waiting = undefined;
  tellConnection(world, instance, reason);
}

/** Runs later, unless the connection changed meanwhile or the instance is gone. */
function unlessChanged(world: World, instance: Instance, ms: number, run: () => void): void {
  const { turn } = instance;
  world.clock.after(ms, () => {
    if (world.instances.of(instance.device) === instance && instance.turn === turn) run();
  });
}

/** Connecting now, open a little later. */
export function reconnect(world: World, instance: Instance): void {
  change(world, instance, "connecting");
  unlessChanged(world, instance, RESTART_MS, () => change(world, instance, "open"));
}

/** Loses the connection for a reason; passing ones are mended by the engine itself after a moment. */
export function drop(world: World, instance: Instance, reason: number): void {
  if (reason === LOGGED_OUT) instance.paired = false;
  change(world, instance, "close", reason);
  if (FINAL_REASONS.has(reason) || !instance.paired) return;
  unlessChanged(world, instance, RESTART_MS, () => reconnect(world, instance));
}

/** Closes and opens `times` over, at once. Ends open. */
export function flap(world: World, instance: Instance, times: number, reason?: number): void {
  for (let turn = 0; turn < times; turn += 1) {
    const why = reason ?? PASSING_REASONS[turn % PASSING_REASONS.length] ?? RESTART_REQUIRED;
    change(world, instance, "close", why);
    change(world, instance, "connecting");
    change(world, instance, "open");
  }
}

/** Open but silent: calls are answered, and nothing is told. */
export function setSilent(world: World, device: string, silent: boolean): void {
  if (silent) world.webhooks.muted.add(device);
  else world.webhooks.muted.delete(device);
}

/** Characters of a pairing code, as the phone asks for them. */
const PAIRING_CODE_LENGTH = 8;

/** Shows the next code and gives it; undefined when the limit is reached and the session has ended. */
export function showCode(world: World, instance: Instance): JsonObject | undefined {
  const { pairing } = world.settings;
  if (instance.state !== "connecting") {
    instance.qrCount = 0;
    change(world, instance, "connecting");
    if (pairing.scan_ms !== null)
      unlessChanged(world, instance, pairing.scan_ms, () => scan(world, instance));
  }
  if (instance.qrCount >= pairing.qr_limit) {
    tellQrLimit(world, instance);
    change(world, instance, "close", 428);
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
  tellQrCode(world, instance, waiting);
  unlessChanged(world, instance, pairing.qr_every_ms, () => {
    if (instance.waiting === waiting) showCode(world, instance);
  });
  return { ...waiting, count: instance.qrCount };
}

/** Somebody scanned the code, or typed it. */
export function scan(world: World, instance: Instance): void {
  instance.paired = true;
  change(world, instance, "open");
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
