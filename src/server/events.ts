/**
 * Live events for consoles: a numbered ring of the last thousand, listeners, and `GET /api/events`, which tells them as server-sent
 * events. It is a view, and no state depends on it.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Json, JsonObject } from "../base/index.ts";
import { masked } from "./access/mask.ts";

/** Events kept for a console that was away for a moment. */
const RING_SIZE = 1_000;

export interface HubEvent extends JsonObject {
  readonly type: string;
  readonly [key: string]: Json | undefined;
}

export interface Numbered {
  readonly seq: number;
  readonly at: number;
  readonly event: HubEvent;
}

export interface EventHub {
  /** An event that costs work is given as a function, which is called once, when a console listens. */
  publish(event: HubEvent | (() => HubEvent)): void;
  /** Events after `seq`. A number of an earlier process (higher than ours) gives all that are kept. */
  since(seq: number): readonly Numbered[];
  /** Called for each new event; the answer ends it. A listener must not throw. */
  listen(listener: (event: Numbered) => void): () => void;
  /** Ends every stream; later listeners end at once. */
  close(): void;
  onClose(listener: () => void): () => void;
  readonly closed: boolean;
}

export function createEventHub(options: { now: () => number; size?: number }): EventHub {
  const size = options.size ?? RING_SIZE;
  const ring: Numbered[] = [];
  const listeners = new Set<(event: Numbered) => void>();
  const closers = new Set<() => void>();
  let seq = 0;
  let closed = false;
  return {
    publish(event) {
      if (closed) return;
      const numbered = numberedOf(++seq, options.now(), event);
      ring.push(numbered);
      if (ring.length > size) ring.shift();
      for (const listener of listeners) listener(numbered);
    },
    since: (last) => (last > seq ? [...ring] : ring.filter((one) => one.seq > last)),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      for (const closer of [...closers]) closer();
      closers.clear();
      listeners.clear();
    },
    onClose(listener) {
      if (closed) listener();
      else closers.add(listener);
      return () => closers.delete(listener);
    },
    get closed() {
      return closed;
    },
  };
}

function numberedOf(seq: number, at: number, given: HubEvent | (() => HubEvent)): Numbered {
  if (typeof given !== "function") return { seq, at, event: given };
  let make: (() => HubEvent) | undefined = given;
  let made: HubEvent | undefined;
  return {
    seq,
    at,
    get event() {
      if (make) made = make();
      make = undefined;
      return made as HubEvent;
    },
  };
}

/** Consoles at once. */
const STREAMS_LIMIT = 50;
/** Unread bytes after which a client is disconnected. */
const BUFFER_LIMIT = 4 * 1024 * 1024;
/** Comment lines keep proxies from closing a quiet stream, ms. */
const HEARTBEAT_MS = 15_000;

export interface EventStreams {
  /**
   * `id` is the event's number; `Last-Event-ID` brings what was missed. A client that does not read is disconnected before its
   * buffer grows; it comes back with its last id. False when there are too many; nothing has been answered then.
   */
  open(request: FastifyRequest, reply: FastifyReply, reveal: boolean): boolean;
  readonly count: number;
}

/** `keep` = top-level keys whose values are told as they are (addresses of made-up people in a sandbox). */
export function createEventStreams(
  hub: EventHub,
  keepAddress: boolean,
  limit: number = STREAMS_LIMIT,
): EventStreams {
  const lines = new WeakMap<Numbered, string>();
  let count = 0;

  function lineOf(one: Numbered, reveal: boolean): string {
    const known = reveal ? undefined : lines.get(one);
    if (known) return known;
    const event = masked(one.event, reveal) as JsonObject;
    const address = keepAddress ? addressOf(one.event) : {};
    const view = event["view"];
    const data = {
      seq: one.seq,
      at: one.at,
      ...event,
      ...address,
      ...(view && "address" in address ? { view: { ...(view as JsonObject), ...address } } : {}),
    };
    const line = `id: ${one.seq}\ndata: ${JSON.stringify(data)}\n\n`;
    if (!reveal) lines.set(one, line);
    return line;
  }

  return {
    get count() {
      return count;
    },
    open(request, reply, reveal) {
      if (count >= limit) return false;
      count++;
      const last = Number(request.headers["last-event-id"] ?? 0);
      reply.hijack();
      const out = reply.raw;
      // Headers that hooks have set so far (security headers) are sent along.
      out.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      const write = (text: string): void => {
        out.write(text);
        if (out.writableLength > BUFFER_LIMIT) out.destroy();
      };
      write("retry: 1000\n\n");
      for (const one of hub.since(Number.isFinite(last) ? last : 0)) write(lineOf(one, reveal));
      const stop = hub.listen((one) => write(lineOf(one, reveal)));
      const stopClose = hub.onClose(() => out.end());
      const beat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
      beat.unref();
      out.once("close", () => {
        count--;
        stop();
        stopClose();
        clearInterval(beat);
      });
      return true;
    },
  };
}

function addressOf(event: JsonObject): JsonObject {
  const view = event["view"] as JsonObject | undefined;
  const address = event["address"] ?? view?.["address"];
  return typeof address === "string" ? { address } : {};
}
