/**
 * The bytes of a webhook, decompressed and decoded. Headers only help to read bytes that say nothing by themselves: a
 * content type, a charset or an encoding that is missing, doubled or wrong refuses no good body.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { unzipSync } from "node:zlib";

/** Whether the headers name a compression. */
export function isCompressed({ "content-encoding": encoding }: IncomingHttpHeaders): boolean {
  return /\b(?:gzip|deflate|br|zstd|compress)\b/i.test(encoding ?? "");
}

/** gzip or zlib. No JSON begins so, in any charset. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (
    (first === 0x1f && second === 0x8b) || (first === 0x78 && (first * 256 + second) % 31 === 0)
  );
}

/** What was compressed, whole again, up to `limit` bytes; bytes that are not are given back as they are. */
export function decompressed(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  limit: number,
): Buffer | "compressed" | "too-large" {
  if (!isCompressed(headers) || !hasZlibHeader(bytes)) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "compressed";
  }
}

/** Bytes that are no UTF-8 in the charset they were declared in, as UTF-8. Without a charset they stay as they are. */
export function inUtf8(bytes: Buffer, contentType: string | undefined): Buffer {
  if (isUtf8(bytes)) return bytes;
  const charset = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
  if (charset === undefined) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return bytes;
  }
}
