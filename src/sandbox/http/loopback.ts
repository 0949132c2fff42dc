/** The sandbox speaks with this machine only: no address it listens on, posts to or answers leads anywhere else. */
import { Agent, request } from "undici";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether a text is an http(s) URL of this machine. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname);
}

/** Whether a `Host` header names this machine: a page of another site cannot rebind its name to us. */
export function isLoopbackAuthority(authority: string | undefined): boolean {
  return authority !== undefined && isLoopbackUrl(`http://${authority}`);
}

/** Real milliseconds a receiver has for its answer. */
const POST_TIMEOUT_MS = 10_000;

/** Connections to one receiver at once. */
const CONNECTIONS = 64;

/** Bytes of an answer that are read; the rest is of no interest. */
const ANSWER_LIMIT = 65_536;

export class Courier {
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    connectTimeout: POST_TIMEOUT_MS,
    headersTimeout: POST_TIMEOUT_MS,
    bodyTimeout: POST_TIMEOUT_MS,
    maxResponseSize: ANSWER_LIMIT,
  });

  /** The HTTP status, or null when no answer came. */
  async post(
    url: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
    timeoutMs: number = POST_TIMEOUT_MS,
  ): Promise<number | null> {
    try {
      const answer = await request(url, {
        method: "POST",
        dispatcher: this.#agent,
        headers: { "content-type": "application/json", ...headers },
        body,
        headersTimeout: timeoutMs,
      });
      await answer.body.dump({ limit: ANSWER_LIMIT }).catch(() => undefined);
      return answer.statusCode;
    } catch {
      return null;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
