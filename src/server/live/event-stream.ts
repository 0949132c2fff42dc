/**
 * `GET /api/events`: the hub as server-sent events. `id` is the event's number; `Last-Event-ID` brings what was missed. A
 * client that does not read is disconnected before its buffer grows; it comes back with its last id.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonObject } from "../../base/index.ts";
import type { EventHub, Numbered } from "./event-hub.ts";
import { masked } from "../access/mask.ts";

/** Consoles at once. */
export const STREAMS_LIMIT = 50;
/** Unread bytes after which a client is disconnected. */
const BUFFER_LIMIT = 4 * 1024 * 1024;
/** Comment lines keep proxies from closing a quiet stream, ms. */
const HEARTBEAT_MS = 15_000;

export interface EventStreams {
  /** False when there are too many; nothing has been answered then. */
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
