/** What the console follows live, one server-sent event for each thing that happens, and the list of calls received. */
import type { ServerResponse, IncomingHttpHeaders } from "node:http";
import type { Json } from "../../base/index.ts";
import { OwnedList } from "../http/bounded.ts";

type FeedKind = "request" | "webhook" | "message" | "invoice";

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

  tell(kind: FeedKind, row: () => object): void {
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

interface RequestRow {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Route id, or null for an address that is no route. */
  readonly route: string | null;
  /** Names of the headers, never their values. */
  readonly headers: readonly string[];
  /** Status answered, or null when no answer was given. */
  readonly status: number | null;
  readonly body: Json;
}

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export class Requests {
  readonly #rows = new OwnedList<RequestRow>();
  readonly #feed: Feed;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** `account`: who called, null for nobody known. */
  record(
    received: Received,
    facts: Pick<RequestRow, "at" | "route" | "status" | "body">,
    account: string | null,
  ): void {
    const end = received.url.indexOf("?");
    const row: RequestRow = {
      at: facts.at,
      method: received.method,
      path: end < 0 ? received.url : received.url.slice(0, end),
      route: facts.route,
      headers: Object.keys(received.headers).sort(),
      status: facts.status,
      body: facts.body,
    };
    this.#rows.push(row, account);
    this.#feed.tell("request", () => row);
  }

  all(account?: string): readonly RequestRow[] {
    return this.#rows.all(account);
  }
}
