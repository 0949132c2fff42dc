/** A remote gateway for tests: a real HTTP server on loopback that answers as each test says and keeps what it received. */
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Behaviour = (request: Received, response: http.ServerResponse, socket: Socket) => void;

export interface Remote {
  readonly baseUrl: string;
  readonly received: Received[];
  /** Sockets accepted so far. */
  connections(): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const json =
  (body: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

export async function startRemote(): Promise<Remote> {
  let behaviour: Behaviour = json({ error: false, message: "ok", response: {} });
  let connections = 0;
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const call = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      received.push(call);
      behaviour(call, response, request.socket);
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    received,
    connections: () => connections,
    behave: (next) => (behaviour = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
