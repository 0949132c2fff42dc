/** Media under `/message`: files and pictures, voice notes, stickers, each by address or in Base64. */
import { z } from "zod";
import { anySend } from "./message-body.ts";
import { assumed, controller, callers, shown } from "./route.ts";
import { Base64, MessageRecord, messaging, sentExample, WebUrl } from "./shapes.ts";

const number = "5511900000002";
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const url = "https://files.example.org/planilha.xlsx";

/** `image` and `document` are the samples of the interface; the engine also knows `video` and `audio`. */
const MediaType = z.enum(["image", "video", "document", "audio"]);
const mediaHead = {
  ...anySend,
  mediatype: MediaType,
  mimetype: z.string().min(1).max(200).optional(),
  caption: z.string().optional(),
  fileName: z.string().min(1).max(255).optional(),
};
const MediaImage = z.strictObject({
  ...mediaHead,
  mediatype: z.literal("image"),
  media: Base64,
});
const MediaByUrl = z.strictObject({ ...mediaHead, media: WebUrl });
const MediaFile = z.strictObject({ ...mediaHead, media: Base64 });
const MediaPdf = z.strictObject({
  ...mediaHead,
  mediatype: z.literal("document"),
  mimetype: z.string().regex(/\/pdf$/i, "must be a type of PDF (…/pdf)"),
  media: Base64,
});

/** `encoding` true lets the engine convert to a voice note. */
const audioHead = { ...anySend, encoding: z.boolean().optional() };
const AudioByUrl = z.strictObject({ ...audioHead, audio: WebUrl });
const AudioFile = z.strictObject({ ...audioHead, audio: Base64 });

const stickerHead = { ...anySend, notConvertSticker: z.boolean().optional() };
const StickerByUrl = z.strictObject({ ...stickerHead, sticker: WebUrl });
const StickerFile = z.strictObject({ ...stickerHead, sticker: Base64 });

export const mediaRoutes = controller("message", {
  /**
   * Sends a file. Variants: image in Base64, spreadsheet by URL, spreadsheet in Base64, PDF in Base64. The two
   * spreadsheet forms carry any other file too: `spreadsheetUrl` whatever has an address, `spreadsheetBase64` the rest.
   */
  sendMedia: messaging({
    path: "/message/sendMedia",
    class: "message",
    queue: "yes",
    variants: {
      imageBase64: shown(MediaImage, {
        number,
        mediatype: "image",
        mimetype: "image/png",
        caption: "Logo",
        media: pixel,
        fileName: "logo.png",
      }),
      spreadsheetUrl: shown(MediaByUrl, {
        number,
        mediatype: "document",
        mimetype: "document/doc",
        caption: "Notas do mês",
        media: url,
        fileName: "notas.xlsx",
      }),
      spreadsheetBase64: shown(MediaFile, {
        number,
        mediatype: "document",
        mimetype: "document/doc",
        caption: "Notas do mês",
        media: pixel,
        fileName: "notas.xlsx",
      }),
      pdfBase64: shown(MediaPdf, {
        number,
        mediatype: "document",
        mimetype: "document/pdf",
        caption: "Sua nota",
        media: pixel,
        fileName: "nota.pdf",
      }),
    },
    response: MessageRecord,
    answer: sentExample({ imageMessage: { caption: "Logo" } }, "imageMessage"),
  }),
  /** Sends a voice note, by URL or in Base64 (†). */
  sendMessengerAudio: messaging({
    path: "/message/sendMessengerAudio",
    class: "message",
    queue: "yes",
    variants: {
      url: assumed(
        AudioByUrl,
        {
          number,
          audio: "https://files.example.org/aviso.ogg",
        },
        callers(
          "`audio` holds an address; `encoding` is the engine's switch for a voice note. The older generation has `audioMessage`.",
          "bodies",
        ),
      ),
      base64: assumed(
        AudioFile,
        { number, audio: pixel },
        callers("`audio` holds bare Base64. The older generation has `audioMessage`.", "bodies"),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ audioMessage: { seconds: 3, ptt: true } }, "audioMessage"),
  }),
  /** Sends a sticker, by URL or in Base64 (†). */
  sendSticker: messaging({
    path: "/message/sendSticker",
    class: "message",
    queue: "yes",
    variants: {
      url: assumed(
        StickerByUrl,
        {
          number,
          sticker: "https://files.example.org/ok.webp",
        },
        callers(
          "`sticker` holds an address. The older generation has `stickerMessage.image`.",
          "bodies",
        ),
      ),
      base64: assumed(
        StickerFile,
        {
          number,
          sticker: pixel,
        },
        callers(
          "`sticker` holds bare Base64. The older generation has `stickerMessage.image`.",
          "bodies",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ stickerMessage: {} }, "stickerMessage"),
  }),
});
