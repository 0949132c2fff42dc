/** A QR code as a picture that a phone can scan: black on white with the quiet zone the standard asks for. */
import { PNG } from "pngjs";
import { encodeQR } from "qr";

/** Pixels of one module: sharp on any screen, small enough for a webhook (about 2 kB). */
const SCALE = 4;

/** Modules of white around the symbol. */
const QUIET = 4;

/** Bytes of one grey pixel with alpha in the writer's buffer: red, green, blue, alpha. */
const CHANNELS = 4;

/** `data:image/png;base64,…` of a text of at most 1,000 characters. */
export function qrPicture(text: string): string {
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
