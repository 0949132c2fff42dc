/** Every call received, as `GET /sandbox/requests` lists it. */
import type { IncomingHttpHeaders } from "node:http";
import type { Json } from "../../base/index.ts";
import { OwnedList } from "./bounded.ts";
import type { Feed } from "../controls/feed.ts";

/** Sets of header names remembered by sight: clients send two or three. */
const HEADER_SETS = 256;

export interface RequestRow {
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

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export class Requests {
  readonly #rows = new OwnedList<RequestRow>();
  readonly #names = new Map<string, readonly string[]>();
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
      headers: this.#namesOf(received.headers),
      status: facts.status,
      body: facts.body,
    };
    this.#rows.push(row, account);
    this.#feed.tell("request", () => ({ ...row }));
  }

  all(account?: string): readonly RequestRow[] {
    return this.#rows.all(account);
  }

  /** Sorted; one list for all calls with the same headers. */
  #namesOf(headers: IncomingHttpHeaders): readonly string[] {
    const names = Object.keys(headers);
    const mark = names.join();
    const known = this.#names.get(mark);
    if (known) return known;
    if (this.#names.size >= HEADER_SETS) this.#names.clear();
    names.sort();
    this.#names.set(mark, names);
    return names;
  }
}
