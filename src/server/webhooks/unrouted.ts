/**
 * Requests without a route: told apart in logs and metrics, and answered alike. One that may be a webhook is counted as
 * such.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NOT_FOUND, send } from "../problem.ts";
import { REFUSALS, type TellRefusal, type RefusalReason } from "./webhook-refusals.ts";

/** Names of webhooks: channels, and those of plugins. */
type Named = ReadonlySet<string>;

/** The webhook that a path names; `unknown` where it names none that exists; null when it is no webhook's path. */
function channelOf(
  { url = "" }: { readonly url?: string | undefined },
  named: Named,
): string | null {
  const [, root, name = ""] = url.split(/[/?#]+/, 3);
  if (root !== "webhooks") return null;
  return named.has(name) ? name : "unknown";
}

function tellUnrouted(
  tell: TellRefusal,
  named: Named,
  request: FastifyRequest,
  reason: RefusalReason,
): void {
  const channel = channelOf(request.raw, named);
  if (channel !== null) tell({ channel, reason, id: request.id });
}

/** Well-formed paths without a route: answered before their body is looked at. */
export function answerUnrouted(app: FastifyInstance, tell: TellRefusal, named: Named): void {
  app.setNotFoundHandler(async (_request, reply) => send(reply, NOT_FOUND));
  app.addHook("onRequest", (request, reply, next) => {
    if (!request.is404) return next();
    tellUnrouted(tell, named, request, request.method === "POST" ? "unknown-path" : "method");
    void send(reply, NOT_FOUND);
  });
  app.server.on("drop", () => tell({ channel: "unknown", reason: "connections" }));
}

/** Options of the framework for requests that get as far as no route. */
export function unroutable(tell: TellRefusal, named: Named) {
  return {
    /** A path that the router cannot take is not repeated, because it may hold a token. */
    frameworkErrors(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
      tellUnrouted(tell, named, request, "bad-url");
      void send(reply, NOT_FOUND);
    },
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
      // The sender is gone; a body that was begun is counted where it was read.
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      const reason = clientError(error.code);
      tell({ channel: "unknown", reason });
      const { status } = REFUSALS[reason];
      const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
      if (socket.writable)
        socket.write(`${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      socket.destroy(error);
    },
  };
}

function clientError(code: string | undefined): RefusalReason {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "timeout";
  return code === "HPE_HEADER_OVERFLOW" ? "headers-too-large" : "http";
}
