/**
 * What the bot says: one bubble, in a form every channel can render. Channels turn it into one gateway call.
 */
import { z } from "zod";

/** One thing a person can pick. `id` is stable and never shown; `label` is what is shown; both come back as answers. */
export const Choice = z.object({ id: z.string().max(200), label: z.string().min(1).max(200) });
export type Choice = z.output<typeof Choice>;

/** One bubble. `text` may hold `*bold*`; a channel that does not show it takes the stars out. */
export const Outbound = z.object({
  text: z.string().max(16_000),
  choices: z.array(Choice).max(50).optional(),
  media: z
    .object({
      kind: z.enum(["image", "document", "audio"]),
      url: z.string().max(2000).optional(),
      base64: z.string().optional(),
      /** A file the bot made and keeps for a day: fetched when the bubble leaves. */
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

/** Numbered text form of a bubble with choices: the fallback that always works. */
export function withNumbers(message: Outbound): string {
  if (!message.choices || message.choices.length === 0) return message.text;
  const rows = message.choices.map((choice, index) => `${index + 1}. ${choice.label}`);
  return `${message.text}\n${rows.join("\n")}`;
}
