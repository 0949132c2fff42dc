/** A message of the bot, in a form that every channel can render. A channel turns it into one gateway call. */
import { z } from "zod";

/**
 * One thing a person can pick. `id` is stable and never shown; `label` is what is shown; both come back as answers. `of`: code
 * of the request it is picked for, of which several may be open.
 */
export const Choice = z.object({
  id: z.string().max(200),
  label: z.string().min(1).max(200),
  of: z.string().max(12).optional(),
});
export type Choice = z.output<typeof Choice>;

/** One message. `text` may hold `*bold*`; a channel that does not show it takes the stars out. */
export const Outbound = z.object({
  text: z.string().max(16_000),
  choices: z.array(Choice).max(50).optional(),
  media: z
    .object({
      kind: z.enum(["image", "document", "audio"]),
      url: z.string().max(2000).optional(),
      base64: z.string().optional(),
      /** A file the bot made and keeps for a day: fetched when the message leaves. */
      file: z.string().max(64).optional(),
      mimetype: z.string().max(100),
      fileName: z.string().max(200).optional(),
    })
    .optional(),
  /** A place on the map; where the channel shows no words beside it, it becomes words and a link. */
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: z.string().max(300).optional(),
      address: z.string().max(500).optional(),
    })
    .optional(),
  /** Message id this one answers. */
  reply: z.string().max(200).optional(),
});
export type Outbound = z.output<typeof Outbound>;

/** Behind a label, the code of the request it is for; see {@link standing}. */
const CODE_BEHIND = / \u00b7 ([A-Z]\d{1,6})$/;

/** A choice as it is shown where it stands by itself and may be picked long after (a poll): with its request's code. */
export function standing({ label, of }: Choice): string {
  return of === undefined ? label : `${label} \u00b7 ${of}`;
}

/** The label and the request's code that {@link standing} put together; undefined for any other label. */
export function codeBehind(label: string): { label: string; code: string } | undefined {
  const [mark, code] = CODE_BEHIND.exec(label) ?? [];
  return mark === undefined || code === undefined
    ? undefined
    : { label: label.slice(0, -mark.length), code };
}

/** Numbered text form of a message with choices: the fallback that always works. */
export function withNumbers(message: Outbound): string {
  if (!message.choices || message.choices.length === 0) return message.text;
  const rows = message.choices.map((choice, index) => `${index + 1}. ${choice.label}`);
  return `${message.text}\n${rows.join("\n")}`;
}
