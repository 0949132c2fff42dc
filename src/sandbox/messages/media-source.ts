/**
 * Bytes of a media: bare Base64 in the call, or an address to fetch them from. Addresses of this machine only: the sandbox
 * never reaches out, so a test or a demo cannot fetch what its author did not put there.
 */
import { request } from "undici";
import { isLoopbackUrl } from "../http/loopback.ts";

/** Bytes of one media, as the messenger takes images, audio and short films. */
export const MEDIA_LIMIT_BYTES = 16 * 1_024 * 1_024;

/** Real milliseconds that fetching one media may take, all in all. */
const FETCH_TIMEOUT_MS = 10_000;

export interface MediaSource {
  /** An http(s) address, or Base64. */
  readonly text: string;
  /** Whether a `data:` prefix is taken off; engine A wants it, engine B refuses it. */
  readonly dataUrl?: boolean;
}

export type MediaReading =
  | {
      readonly ok: true;
      readonly base64: string;
      readonly bytes: number;
      /** As the server that gave it said. */
      readonly mimetype?: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Reads a media. Only addresses make it wait. */
export function readMedia(source: MediaSource): MediaReading | Promise<MediaReading> {
  const { text } = source;
  if (/^https?:\/\//i.test(text)) return fetchMedia(text);
  return fromBase64(source.dataUrl === true ? text.replace(/^data:[^,]{0,200},/, "") : text);
}

function fromBase64(text: string): MediaReading {
  if (text.startsWith("data:"))
    return no("A mídia deve vir em Base64 puro, sem o prefixo data:, ou por URL.");
  const bare = text.replace(/=+$/, "");
  // Looks for what is foreign. To match the whole, V8 runs out of stack once a process holds too many compiled expressions
  // for another to be optimized.
  const whole = bare !== "" && !/[^A-Za-z0-9+/_-]/.test(bare) && bare.length % 4 !== 1;
  if (!whole || text.length - bare.length > 2) return no("A mídia não é Base64 válido.");
  const bytes = Math.floor((bare.length * 3) / 4);
  if (bytes > MEDIA_LIMIT_BYTES) return tooLarge();
  return { ok: true, base64: text, bytes };
}

/** Fetches from this machine: no redirects, bounded in bytes and time. */
export async function fetchMedia(url: string): Promise<MediaReading> {
  if (!isLoopbackUrl(url))
    return no("O sandbox só busca mídia por URL neste computador (localhost ou 127.0.0.1).");
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const answer = await request(url, { signal, reset: true });
    if (answer.statusCode !== 200) {
      await answer.body.dump({ limit: 1_024 }).catch(() => undefined);
      return no(`A URL da mídia respondeu ${answer.statusCode}, e só 200 serve.`);
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      bytes += part.length;
      // Leaving the loop destroys the connection: the rest is never read.
      if (bytes > MEDIA_LIMIT_BYTES) return tooLarge();
      parts.push(part);
    }
    const type = answer.headers["content-type"];
    const mimetype = (Array.isArray(type) ? type[0] : type)?.slice(0, 200);
    return {
      ok: true,
      base64: Buffer.concat(parts).toString("base64"),
      bytes,
      mimetype,
    };
  } catch {
    return no("A URL da mídia não respondeu.");
  }
}

function no(reason: string): MediaReading {
  return { ok: false, reason };
}

function tooLarge(): MediaReading {
  return no(`A mídia passa de ${MEDIA_LIMIT_BYTES / 1_048_576} MiB.`);
}
