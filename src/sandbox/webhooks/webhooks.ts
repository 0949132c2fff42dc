/**
 * Posting events to the bot, as the engines do: bytes made once and signed, one event of a chat after the other, tried
 * again after a connection error or a 5xx, every attempt written down.
 */
import type { Json } from "../../base/index.ts";
import { BoundedList, clip } from "../http/bounded.ts";
import { type Courier, isLoopbackUrl } from "../http/loopback.ts";
import {
  type Channel,
  type Hook,
  type Subscription,
  signatureHeaders,
  type Subscriptions,
  type Addressed,
} from "./subscriptions.ts";
import type { Feed } from "../controls/feed.ts";
import type { Settings } from "../controls/settings.ts";
import type { VirtualClock } from "../world/clock.ts";
import type { Ids } from "../world/ids.ts";

/** Real milliseconds before each further attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

/** Real milliseconds an event held back for reordering waits for another one. */
const REORDER_HOLD_MS = 1_000;

/** Characters of bodies kept for redelivery, over all webhooks. */
const BODY_BUDGET = 64 * 1_024 * 1_024;

export interface Attempt {
  readonly at: string;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
}

interface WebhookRow {
  readonly id: string;
  readonly at: string;
  readonly channel: Channel | "invoicing";
  readonly hook?: Hook;
  readonly url: string;
  readonly event_id: string;
  readonly body: Json;
  readonly attempts: readonly Attempt[];
}

/** One body for every URL, or one made for each, because engine B names the URL inside. */
type EventBody = Json | ((url: string) => Json);

/** Something an engine tells. */
export interface WireEvent extends Addressed {
  readonly eventId: string;
  /** Events of one chat leave in order. */
  readonly chat: string;
  readonly body: EventBody;
  /** Posted as it stands instead of the body. */
  readonly bytes?: string;
  /** Posted here and nowhere else: short messages name their own URL. Never off this machine. */
  readonly to?: string;
}

interface Parcel {
  row: WebhookRow;
  /** Whose event it is: the device, or the account of an invoice. */
  readonly owner: string;
  bytes: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface WebhookContext {
  readonly ids: Ids;
  readonly courier: Courier;
  readonly clock: VirtualClock;
  readonly feed: Feed;
  readonly settings: Settings;
  readonly subscriptions: Subscriptions;
}

export class Webhooks {
  /** Devices whose phones are open and tell nothing. */
  readonly muted = new Set<string>();
  readonly #context: WebhookContext;
  readonly #parcels = new BoundedList<Parcel>();
  readonly #withBytes: Parcel[] = [];
  #bytes = 0;
  readonly #chains = new Map<string, Promise<unknown>>();
  readonly #held = new Map<string, () => void>();
  readonly #waits = new Map<NodeJS.Timeout, () => void>();
  #closed = false;

  constructor(context: WebhookContext) {
    this.#context = context;
  }

  /** Oldest first; events of some owners (devices, accounts) only, or all. */
  list(owners?: readonly string[]): readonly WebhookRow[] {
    const parcels = this.#parcels.all();
    const rows = owners ? parcels.filter((parcel) => owners.includes(parcel.owner)) : parcels;
    return rows.map((parcel) => parcel.row);
  }

  /** Posts an event wherever it was asked for. Resolves with the first attempt of each URL (null: dropped on purpose). */
  async emit(event: WireEvent): Promise<readonly (Attempt | null)[]> {
    const { channel, device, eventId, hook, bytes } = event;
    // A phone that tells nothing is no matter to short messages.
    if (this.muted.has(device) && channel !== "sms") return [];
    const first = this.#targets(event).map(({ url, subscription }) => {
      const body = typeof event.body === "function" ? event.body(url) : event.body;
      const owner = device;
      const parcel = this.#pack(channel, eventId, url, body, { owner, bytes, hook, subscription });
      return this.#dispatch(parcel, `${url}\n${event.chat}`);
    });
    const { settings, subscriptions } = this.#context;
    if (settings.delivery.wipe_filter && event.names.includes("Disconnected"))
      subscriptions.wipe(device);
    return Promise.all(first);
  }

  #targets(event: WireEvent): readonly { url: string; subscription?: Subscription }[] {
    if (event.to === undefined) return this.#context.subscriptions.of(event);
    return isLoopbackUrl(event.to) ? [{ url: event.to }] : [];
  }

  /** Posts the result of an account's invoice to its issuer's own URL. */
  emitTo(owner: string, url: string, eventId: string, body: Json): Promise<Attempt | null> {
    return this.#dispatch(this.#pack("invoicing", eventId, url, body, { owner }), url);
  }

  /** Posts a remembered event again, `times` at once. Undefined: no such webhook. Null: its bytes are forgotten. */
  async redeliver(id: string, times: number): Promise<WebhookRow | null | undefined> {
    const parcel = this.#parcels.find((candidate) => candidate.row.id === id);
    if (!parcel) return undefined;
    const { bytes } = parcel;
    if (bytes === undefined) return null;
    await Promise.all(Array.from({ length: times }, () => this.#attempt(parcel, bytes)));
    return parcel.row;
  }

  close(): void {
    this.#closed = true;
    for (const [timer, wake] of this.#waits) {
      clearTimeout(timer);
      wake();
    }
    this.#waits.clear();
  }

  #pack(
    channel: WebhookRow["channel"],
    eventId: string,
    url: string,
    body: Json,
    options: {
      readonly owner: string;
      readonly hook?: Hook;
      readonly subscription?: Subscription;
      readonly bytes?: string;
    },
  ): Parcel {
    const bytes = options.bytes ?? JSON.stringify(body);
    const parcel: Parcel = {
      row: {
        id: this.#context.ids.uuid("webhook"),
        at: this.#context.clock.iso(),
        channel,
        hook: options.hook,
        url,
        event_id: eventId,
        body: clip(body),
        attempts: [],
      },
      owner: options.owner,
      bytes,
      headers: signatureHeaders(bytes, options.subscription ?? {}, this.#context.clock.now()),
    };
    this.#remember(parcel, bytes.length);
    return parcel;
  }

  #remember(parcel: Parcel, length: number): void {
    this.#parcels.push(parcel);
    this.#withBytes.push(parcel);
    this.#bytes += length;
    while (this.#bytes > BODY_BUDGET || this.#withBytes.length > this.#parcels.limit) {
      const oldest = this.#withBytes.shift();
      if (!oldest) break;
      this.#bytes -= oldest.bytes?.length ?? 0;
      if (oldest !== parcel) oldest.bytes = undefined;
    }
  }

  async #dispatch(parcel: Parcel, chain: string): Promise<Attempt | null> {
    const { ids, settings } = this.#context;
    const { delivery } = settings;
    if (delivery.drop > 0 && ids.unit("drop") < delivery.drop) {
      this.#changed(parcel);
      return null;
    }
    const twice = delivery.duplicate > 0 && ids.unit("duplicate") < delivery.duplicate;
    const { url } = parcel.row;
    const held = delivery.reorder > 0 && ids.unit("reorder") < delivery.reorder;
    if (held && !this.#held.has(url)) await this.#hold(url);
    const before = held ? Promise.resolve() : (this.#chains.get(chain) ?? Promise.resolve());
    const paused = this.#pause(delivery.delay_ms);
    const bytes = parcel.bytes ?? "";
    const turn = before.then(async () => {
      await paused;
      const attempts = await Promise.all(
        Array.from({ length: twice ? 2 : 1 }, () => this.#attempt(parcel, bytes)),
      );
      return attempts[0] ?? null;
    });
    this.#chains.set(chain, turn);
    const result = await turn;
    if (this.#chains.get(chain) === turn) this.#chains.delete(chain);
    if (!held) this.#held.get(url)?.();
    if (result && failed(result)) this.#retry(parcel, bytes, 0);
    return result;
  }

  async #attempt(parcel: Parcel, bytes: string): Promise<Attempt> {
    const at = this.#context.clock.iso();
    const status = this.#closed
      ? null
      : await this.#context.courier.post(parcel.row.url, bytes, parcel.headers);
    const attempt = { at, status };
    parcel.row = { ...parcel.row, attempts: [...parcel.row.attempts.slice(-199), attempt] };
    this.#changed(parcel);
    return attempt;
  }

  #changed({ row }: Parcel): void {
    this.#context.feed.tell("webhook", () => row);
  }

  #retry(parcel: Parcel, bytes: string, index: number): void {
    const wait = RETRY_AFTER_MS[index];
    if (wait === undefined || this.#closed) return;
    void this.#pause(wait).then(async () => {
      if (this.#closed) return;
      if (failed(await this.#attempt(parcel, bytes))) this.#retry(parcel, bytes, index + 1);
    });
  }

  #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waits.delete(timer);
        resolve();
      }, ms);
      this.#waits.set(timer, resolve);
    });
  }

  /** Waits until the next event for this URL went out, or for a second. */
  #hold(url: string): Promise<void> {
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.#waits.delete(timer);
        this.#held.delete(url);
        resolve();
      };
      const timer = setTimeout(release, REORDER_HOLD_MS);
      this.#waits.set(timer, release);
      this.#held.set(url, release);
    });
  }
}

function failed(attempt: Attempt): boolean {
  return attempt.status === null || attempt.status >= 500;
}
