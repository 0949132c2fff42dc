/** The live feed of the console: one server-sent event for each thing that happens here. */
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../base/index.ts";

export type FeedKind = "request" | "webhook" | "message" | "invoice";

/** Listeners at once; more are told to come back. */
const LISTENER_LIMIT = 32;

/** Bytes a slow listener may lag behind before it is let go. */
const LAG_LIMIT = 1_048_576;

export class Feed {
  readonly #listeners = new Set<ServerResponse>();

  /** Takes over the response; false when there are too many listeners. */
  add(response: ServerResponse): boolean {
    if (this.#listeners.size >= LISTENER_LIMIT) return false;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      connection: "keep-alive",
    });
    response.write(": sandbox\n\n");
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
    return true;
  }

  tell(kind: FeedKind, row: () => JsonObject): void {
    if (this.#listeners.size === 0) return;
    const text = `event: ${kind}\ndata: ${JSON.stringify({ kind, ...row() })}\n\n`;
    for (const listener of this.#listeners) {
      if (listener.writableLength > LAG_LIMIT) listener.destroy();
      else listener.write(text);
    }
  }

  close(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }
}
