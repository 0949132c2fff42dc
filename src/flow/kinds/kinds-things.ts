/** Slot kinds of values other than text: files, places, and items of a list. */
import { z } from "zod";
import { type Json, type JsonObject, present } from "../../base/index.ts";
import type { Content } from "../../engine/index.ts";
import { defineKind, limit } from "./define-kind.ts";
import { ITEMS_LIMIT } from "../moves/repeats.ts";
import { plainText } from "../texts/template.ts";
import { refused, type SlotKind } from "../authoring/vocabulary.ts";

/** Sorts of files that are taken where a slot names none; a sticker is a mood, not an answer. */
const SORTS = ["image", "video", "audio", "document"] as const;
/** Larger files are no answer in a chat; engines end at 100 MB and less. */
const MAX_BYTES = 100_000_000;
/** Longest caption that is kept of a file. */
const CAPTION_MAX = 1_000;

type Media = Extract<Content, { type: "media" }>;

const WORDS: Record<Media["media"], readonly [string, string]> = {
  image: ["imagem", "picture"],
  video: ["vídeo", "video"],
  audio: ["áudio", "audio"],
  document: ["arquivo", "file"],
  sticker: ["figurinha", "sticker"],
};

const mediaSchema = z.object({
  media: z.enum(["image", "video", "audio", "document", "sticker"]),
  mimetype: z.string().max(200).optional(),
  fileName: z.string().max(300).optional(),
  bytes: z.number().optional(),
  seconds: z.number().optional(),
  key: z.string().max(300).optional(),
  caption: z.string().max(CAPTION_MAX).optional(),
});

export const mediaKind = defineKind("media", {
  version: 1,
  // A file may also come from an older version of the flow, or from a flow that called this one.
  schema: (params) =>
    mediaSchema.refine(
      ({ media, bytes = 0 }) =>
        sortsOf(params).includes(media) && bytes <= limit(params, "maxBytes", MAX_BYTES),
    ),
  read: () => refused("absent"),
  take: (content, context) => {
    if (content.type !== "media") return undefined;
    if (!sortsOf(context.params).includes(content.media)) return refused("invalid", "wrong-media");
    const { bytes, fileName } = content.ref;
    if (!endsWell(context.params, fileName)) return refused("invalid", "wrong-ending");
    if (bytes !== undefined && bytes > limit(context.params, "maxBytes", MAX_BYTES))
      return refused("invalid", "too-large");
    const caption = content.caption?.slice(0, CAPTION_MAX);
    const value = present({ media: content.media, ...content.ref, caption }) as JsonObject;
    return { ok: true, value, echo: mediaKind.echo(value, context) };
  },
  echo: (value, { locale }) => {
    const { media, fileName } = value as { media: Media["media"]; fileName?: string };
    const word = WORDS[media][locale === "en" ? 1 : 0];
    return fileName === undefined ? word : `${word} ${fileName}`;
  },
  names: ["foto", "imagem", "arquivo", "documento anexo", "picture", "photo", "file"],
  bad: ["absent", "wrong-media", "wrong-ending", "too-large"],
});

/** A file without a name may be anything. */
function endsWell({ ends }: JsonObject, name: string | undefined): boolean {
  if (!Array.isArray(ends) || name === undefined) return true;
  return (ends as readonly Json[]).some((end) =>
    name.trim().toLowerCase().endsWith(plainText(end)),
  );
}

function sortsOf({ of }: JsonObject): readonly Json[] {
  return Array.isArray(of) ? of : SORTS;
}

const COORDINATES = /(?:^|[@=(\s])(-?\d{1,2}[.]\d{2,10})\s*[,;]\s*(-?\d{1,3}[.]\d{2,10})/;

const locationSchema = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(300).optional(),
  address: z.string().max(500).optional(),
});

export const locationKind = defineKind("location", {
  version: 1,
  schema: () => locationSchema,
  read: (text, context) => {
    const match = COORDINATES.exec(text);
    if (!match) return refused("absent");
    return place({ latitude: Number(match[1]), longitude: Number(match[2]) }, context);
  },
  take: (content, context) => {
    if (content.type !== "location") return undefined;
    const { latitude, longitude, name, address } = content;
    return place(present({ latitude, longitude, name, address }), context);
  },
  echo: (value) => {
    const { name, address, latitude, longitude } = value as Record<string, Json>;
    const said = [name, address].filter(
      (part): part is string => typeof part === "string" && part !== "",
    );
    return said.length > 0
      ? said.join(", ")
      : `${plainText(latitude ?? "")}, ${plainText(longitude ?? "")}`;
  },
  names: ["localizacao", "lugar", "local", "location", "place"],
  bad: ["absent", "invalid"],
  longest: "x".repeat(120),
});

function place(value: JsonObject, context: Parameters<SlotKind["echo"]>[1]) {
  return locationSchema.safeParse(value).success
    ? { ok: true as const, value, echo: locationKind.echo(value, context) }
    : refused("invalid");
}

export const listKind = defineKind("list", {
  version: 1,
  schema: () => z.array(z.record(z.string(), z.json())).max(ITEMS_LIMIT),
  // Items are asked one by one; nobody writes a list.
  read: () => refused("absent"),
  facets: {
    count: (value) => (Array.isArray(value) ? value.length : undefined),
    sum: (value) => sums(value),
  },
  names: ["itens", "lista", "items", "list"],
  longest: "x".repeat(400),
});

/** Sums of the number slots over all items. */
function sums(value: Json): Json {
  const total: Record<string, number> = {};
  for (const item of Array.isArray(value) ? (value as readonly JsonObject[]) : [])
    for (const [slot, one] of Object.entries(item))
      if (typeof one === "number") total[slot] = (total[slot] ?? 0) + one;
  return total;
}
