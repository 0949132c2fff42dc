/** Bodies of the `/message` routes. Flat fields; `options` is taken by text and poll for certain, by the others likely. */
import { z } from "zod";
import {
  GroupAddress,
  MessageKey,
  Recipient,
  SendOptions,
  Text,
  UrlOrBase64,
  WebUrl,
} from "./shapes.ts";

/** `delay` (ms) beside `options.delay`: newer engines read only the outer one. */
const sendHead = {
  number: Recipient,
  options: SendOptions.optional(),
  delay: z.int().min(0).optional(),
};
const Quoted = z.strictObject({
  key: MessageKey,
  message: z.strictObject({ conversation: z.string() }).optional(),
});
const mentions = {
  mentionsEveryOne: z.boolean().optional(),
  mentioned: z.array(Recipient).min(1).optional(),
};
/** What the engine takes on every send that is no plain text (†). */
export const anySend = { ...sendHead, quoted: Quoted.optional(), ...mentions };
const linkPreview = z.boolean().optional();

export const SendText = z.strictObject({ ...sendHead, text: Text, linkPreview });
export const SendReply = z.strictObject({ ...sendHead, text: Text, quoted: Quoted, linkPreview });
/** Only groups have members to mention. */
export const SendMention = z
  .strictObject({ ...sendHead, number: GroupAddress, text: Text, ...mentions, linkPreview })
  .refine((body) => body.mentionsEveryOne === true || body.mentioned !== undefined, {
    error: "must mention somebody: mentionsEveryOne or mentioned",
  });
/** Any of the three forms of sendText: the queue takes them all under one variant. */
export const SendTextQueued = z.strictObject({ ...anySend, text: Text, linkPreview });

/** Who sees a status: everybody, or the people named; saying both or neither is refused by the engine. */
const audience = {
  allContacts: z.boolean().optional(),
  statusJidList: z.array(Recipient).min(1).optional(),
};
function hasOneAudience(body: { allContacts?: boolean | undefined; statusJidList?: unknown }) {
  return (body.allContacts === true) !== (body.statusJidList !== undefined);
}
const ONE_AUDIENCE = { error: "must name its audience once: allContacts true or statusJidList" };
const Colour = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "must be a colour (#RRGGBB)");
const FONTS = "must be 1 to 5";
/** Engine's numbered fonts, 1 to 5. */
export const StatusText = z
  .strictObject({
    type: z.literal("text"),
    content: Text,
    backgroundColor: Colour,
    font: z.int().min(1, FONTS).max(5, FONTS),
    ...audience,
  })
  .refine(hasOneAudience, ONE_AUDIENCE);
export const StatusMedia = z
  .strictObject({
    type: z.enum(["image", "video"]),
    content: UrlOrBase64,
    caption: z.string().optional(),
    ...audience,
  })
  .refine(hasOneAudience, ONE_AUDIENCE);
export const StatusAudio = z
  .strictObject({ type: z.literal("audio"), content: UrlOrBase64, ...audience })
  .refine(hasOneAudience, ONE_AUDIENCE);

const label = z.string().min(1);
/** Fields by kind; what the engine adds to them is let through, since this body may change without notice. */
const Button = z.discriminatedUnion(
  "type",
  [
    z.looseObject({ type: z.literal("reply"), displayText: label, id: z.string().min(1) }),
    z.looseObject({ type: z.literal("copy"), displayText: label, copyCode: z.string().min(1) }),
    z.looseObject({ type: z.literal("url"), displayText: label, url: WebUrl }),
    z.looseObject({ type: z.literal("call"), displayText: label, phoneNumber: z.string().min(1) }),
    z.looseObject({
      type: z.literal("pix"),
      currency: z.string().min(1),
      name: z.string().min(1),
      keyType: z.enum(["phone", "email", "cpf", "cnpj", "random"]),
      key: z.string().min(1),
    }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union" ? "must be reply, copy, url, call or pix" : undefined,
  },
);
const REPLY_BUTTONS = 3;
export const SendButtons = z.strictObject({
  ...anySend,
  title: z.string().optional(),
  description: z.string().optional(),
  footer: z.string().optional(),
  thumbnailUrl: WebUrl.optional(),
  buttons: z
    .array(Button)
    .min(1)
    .max(10)
    .refine((all) => kinds(all, "reply") <= REPLY_BUTTONS, "must hold at most 3 reply buttons")
    .refine(
      (all) => kinds(all, "reply") === 0 || kinds(all, "reply") === all.length,
      "must not mix reply buttons with others",
    )
    .refine((all) => kinds(all, "pix") === 0 || all.length === 1, "must hold a pix button alone"),
});
function kinds(buttons: readonly { readonly type: string }[], type: string): number {
  return buttons.filter((button) => button.type === type).length;
}

const POLL_OPTIONS = "must hold 2 to 10 different options";
const POLL_COUNT = "must be 0 to 10";
/** `selectableCount` 0 lets people pick any number; more than there are options is refused by the engine. */
export const SendPoll = z
  .strictObject({
    ...anySend,
    name: z.string().min(1),
    selectableCount: z.int().min(0, POLL_COUNT).max(10, POLL_COUNT),
    values: z
      .array(z.string().min(1))
      .min(2, POLL_OPTIONS)
      .max(10, POLL_OPTIONS)
      .refine((values) => new Set(values).size === values.length, POLL_OPTIONS),
  })
  .refine((body) => body.selectableCount <= body.values.length, {
    path: ["selectableCount"],
    error: "must not be more than there are options",
  });

const LATITUDE = "must be -90 to 90";
const LONGITUDE = "must be -180 to 180";
export const SendLocation = z.strictObject({
  ...anySend,
  name: z.string(),
  address: z.string(),
  latitude: z.number().min(-90, LATITUDE).max(90, LATITUDE),
  longitude: z.number().min(-180, LONGITUDE).max(180, LONGITUDE),
});
/** An empty `reaction` takes the reaction back. */
export const SendReaction = z.strictObject({
  key: MessageKey.required({ remoteJid: true, fromMe: true }),
  reaction: z.string().max(20),
});
const ContactCard = z.strictObject({
  fullName: z.string().min(1),
  phoneNumber: z.string().min(1),
  wuid: z.string().optional(),
  organization: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
});
export const SendContact = z.strictObject({ ...anySend, contact: z.array(ContactCard).min(1) });
