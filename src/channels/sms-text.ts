/**
 * Short messages in segments: 160 septets of the GSM alphabet or 70 UTF-16 units, 153 and 67 each when there are several
 * (3GPP TS 23.038 and 23.040). One letter outside the alphabet, such as `ã`, makes the whole message the second kind.
 */
import type { Outbound } from "../engine/index.ts";
import { numberedText, withoutBold } from "./message/rendering.ts";

/** Segments of one message: beyond ten, carriers refuse or lose parts. */
export const SEGMENT_LIMIT = 10;
const GSM = { alone: 160, joined: 153 } as const;
const UNICODE = { alone: 70, joined: 67 } as const;
/** Longest message of the cheaper kind, septets. */
export const SMS_LIMIT = SEGMENT_LIMIT * GSM.joined;

const ALPHABET = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two septets. */
const EXTENSION = new Set("^{}\\[~]|€");

/** Signs that phones and flows write, by those the alphabet has. */
const PLAIN: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "‘": "'",
  "’": "'",
  "–": "-",
  "—": "-",
  "•": "-",
  "…": "...",
  º: "o",
  ª: "a",
  "\u00a0": " ",
};

/** Septets of a text, or null when it holds a sign outside the alphabet. */
function septets(text: string): number | null {
  let sum = 0;
  for (const sign of text) {
    if (ALPHABET.has(sign)) sum += 1;
    else if (EXTENSION.has(sign)) sum += 2;
    else return null;
  }
  return sum;
}

/** How many segments a text is sent and charged as. */
export function smsSegments(text: string): number {
  const count = septets(text);
  const [length, size] = count === null ? [text.length, UNICODE] : [count, GSM];
  return length <= size.alone ? 1 : Math.ceil(length / size.joined);
}

/** The same words in the alphabet, as far as they can be: accents that it lacks are left off. */
export function withoutAccents(text: string): string {
  return [...text]
    .map((sign) => {
      if (ALPHABET.has(sign) || EXTENSION.has(sign)) return sign;
      return PLAIN[sign] ?? sign.normalize("NFD").replace(/\p{M}/gu, "");
    })
    .join("");
}

/** The message and what is told below it, which is never cut, in at most so many characters. */
function joined(message: Outbound, below: string, limit: number): string {
  const words = numberedText(message, Math.max(0, limit - below.length - 1), false, "...");
  return below === "" ? words : `${words}\n${below}`.trim();
}

function within(message: Outbound, below: string, limit: number): string {
  let room = limit;
  let text = joined(message, below, room);
  // Signs of two septets make it longer than its letters; each round takes off what is over.
  while (smsSegments(text) > SEGMENT_LIMIT && room > below.length) {
    room -= Math.max(1, (septets(text) ?? text.length) - limit);
    text = joined(message, below, room);
  }
  return text;
}

/**
 * A message in at most {@link SEGMENT_LIMIT} segments: whole with its accents, else without them, and cut only then.
 * `below` is a link that must stay whole.
 */
export function fitSms(message: Outbound, below = ""): string {
  const all = Number.MAX_SAFE_INTEGER;
  const whole = joined(message, below, all);
  if (smsSegments(whole) <= SEGMENT_LIMIT) return whole;
  const plain: Outbound = {
    ...message,
    text: withoutAccents(message.text),
    ...(message.choices
      ? {
          choices: message.choices.map(({ id, label }) => ({ id, label: withoutAccents(label) })),
        }
      : {}),
  };
  const isPlain = septets(joined(plain, below, all)) !== null;
  return within(plain, below, isPlain ? SMS_LIMIT : SEGMENT_LIMIT * UNICODE.joined);
}

/** What a text that is cut as a short message would lack: the rest of a sentence about it. Undefined: it is sent whole. */
export function smsCut(text: string): string | undefined {
  const plain = withoutAccents(withoutBold(text));
  if (smsSegments(text) <= SEGMENT_LIMIT || smsSegments(plain) <= SEGMENT_LIMIT) return undefined;
  const sign = [...plain].find((one) => septets(one) === null);
  const why = sign === undefined ? "" : ` (“${sign}” makes each hold 67 letters and not 153)`;
  return `it is cut as a short message: it has ${smsSegments(plain)} segments${why}, ${SEGMENT_LIMIT} are sent`;
}
