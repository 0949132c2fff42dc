/** One HTTP POST to this machine, with every phase bounded. Status, or why there is none. */
import { Agent, request } from "undici";

/** Real milliseconds a receiver has for its answer. */
export const POST_TIMEOUT_MS = 10_000;

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
