/**
 * The least HTTP/1.1 that measures others without being measured itself: keep-alive lines that post webhooks, and a server
 * that takes replies. Only what the contestants' servers and clients send is understood: bodies with a stated length.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);
/** In place of a status when the connection closed before there was one. */
const NO_ANSWER = 0;

/** Cuts a byte stream into heads and bodies. */
class Cutter {
  #rest: Buffer = NOTHING;
  readonly #take: (head: string, body: Buffer) => void;

  constructor(take: (head: string, body: Buffer) => void) {
    this.#take = take;
  }

  feed(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = this.#rest.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const head = this.#rest.toString("latin1", 0, end);
      const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0);
      const from = end + END_OF_HEAD.length;
      if (this.#rest.length < from + length) return;
      const body = this.#rest.subarray(from, from + length);
      this.#rest = this.#rest.subarray(from + length);
      this.#take(head, body);
    }
  }
}

/** One connection to a webhook: one request at a time. */
class Line {
  readonly #socket: Socket;
  #answered: ((status: number) => void) | undefined;
  /** False when the server has closed it: fastify does after 72 s of silence, as when the others' turns took that long. */
  open = true;

  constructor(port: number, failed: (error: Error) => void) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const cutter = new Cutter((head) => this.#answer(Number(head.slice(9, 12))));
    this.#socket.on("data", (chunk: Buffer) => cutter.feed(chunk));
    this.#socket.on("error", failed);
    for (const event of ["end", "close"])
      this.#socket.on(event, () => {
        this.open = false;
        // Closed with a request on the way: no answer will come, and whoever waits for it would wait for ever.
        this.#answer(NO_ANSWER);
      });
  }

  #answer(status: number): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(status);
  }

  post(request: string): Promise<number> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** As many lines as there are requests on the way. */
export class Lines {
  readonly #port: number;
  readonly #path: string;
  readonly #free: Line[] = [];
  readonly #all: Line[] = [];
  failure: Error | undefined;

  constructor(port: number, path: string) {
    this.#port = port;
    this.#path = path;
  }

  /** Status of the answer, or 0 if the connection closed without one. */
  async post(body: string): Promise<number> {
    let line = this.#free.pop();
    while (line?.open === false) line = this.#free.pop();
    line ??= this.#more();
    const length = Buffer.byteLength(body);
    const status = await line.post(
      `POST ${this.#path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n` +
        `content-length: ${length}\r\n\r\n${body}`,
    );
    this.#free.push(line);
    return status;
  }

  close(): void {
    for (const line of this.#all) line.close();
  }

  #more(): Line {
    const line = new Line(this.#port, (error) => (this.failure ??= error));
    this.#all.push(line);
    return line;
  }
}

export interface Sink {
  readonly url: string;
  close(): Promise<void>;
}

/** Takes replies: `take` is told the body and gives the answer's. Anything but a POST is not found. */
export async function openSink(take: (body: Buffer) => string): Promise<Sink> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const cutter = new Cutter((head, body) => {
      const found = head.startsWith("POST ");
      const answer = found ? take(body) : "{}";
      socket.write(
        `HTTP/1.1 ${found ? "200 OK" : "404 Not Found"}\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`,
      );
    });
    socket.on("data", (chunk: Buffer) => cutter.feed(chunk));
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
