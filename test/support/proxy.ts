/**
 * A TCP proxy that fails on purpose: it stands between a process and Redis, or the gateway, and cuts, delays or swallows
 * what goes through. Loopback only; it never looks into the bytes.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./ports.ts";

export type Fault =
  /** Everything passes. */
  | { readonly kind: "none" }
  /** Nobody listens any more, and the open connections are cut. */
  | { readonly kind: "cut" }
  /** Each piece comes so much later, both ways, in order. */
  | { readonly kind: "delay"; readonly ms: number; readonly jitterMs?: number }
  /** Requests arrive and take effect; their answers are lost, and the connection with them when the fault ends. */
  | { readonly kind: "drop-replies" }
  /** Nothing passes and nothing is closed: what a dead peer behind a firewall looks like. */
  | { readonly kind: "half-open" }
  /** So many bytes of requests pass, then the connection is cut: an upload that breaks off. */
  | { readonly kind: "tear"; readonly bytes: number }
  /** Answers come in pieces of so many bytes, so many ms apart. */
  | { readonly kind: "slice"; readonly bytes: number; readonly ms: number };

/** Between the last bytes of a torn request and the end of its connection. */
const TEAR_MS = 20;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Nothing passes any more, and nobody is told. */
  dead: boolean;
  /** Its answers were lost in part: it must not go on as if nothing had been. */
  spoilt: boolean;
  /** Bytes of requests that passed. */
  asked: number;
}

export class FaultProxy {
  #target: number;
  #server: Server;
  readonly #port: number;
  readonly #pairs = new Set<Pair>();
  #fault: Fault = { kind: "none" };
  #draw: () => number = () => 0.5;
  /** Bytes of answers that were swallowed. */
  dropped = 0;
  /** Connections that were cut in the middle of a request. */
  torn = 0;

  private constructor(target: number, port: number) {
    this.#target = target;
    this.#port = port;
    this.#server = this.#made();
  }

  #made(): Server {
    return createServer((client) => this.#join(client));
  }

  async #listen(): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.#server.once("error", failed);
      this.#server.listen(this.#port, "127.0.0.1", done);
    });
  }

  /** In front of a loopback port. */
  static async open(target: number, draw?: () => number): Promise<FaultProxy> {
    // Its own while nobody listens on it, too.
    const proxy = new FaultProxy(target, await freePort());
    if (draw) proxy.#draw = draw;
    await proxy.#listen();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Connections open now. */
  get open(): number {
    return this.#pairs.size;
  }

  /** From now on; what a fault spoilt is cut when the next one begins. */
  async set(fault: Fault): Promise<void> {
    for (const pair of this.#pairs) if (pair.spoilt || fault.kind === "cut") end(pair);
    const [was, is] = [this.#fault.kind === "cut", fault.kind === "cut"];
    this.#fault = fault;
    // Nobody listens: a caller knows that nothing was sent, which a line that breaks later does not tell.
    if (is && !was) this.#server.close();
    if (was && !is) {
      this.#server = this.#made();
      await this.#listen();
    }
  }

  /** What is behind it from now on, as when an address moves to another machine; open connections are cut. */
  aim(target: number): void {
    this.#target = target;
    this.reset();
  }

  /** The connections that are open now go silent for good; new ones pass. */
  strand(): void {
    for (const pair of this.#pairs) pair.dead = true;
  }

  /** Resets every open connection once. */
  reset(): void {
    for (const pair of this.#pairs) end(pair);
  }

  async close(): Promise<void> {
    this.reset();
    if (!this.#server.listening) return;
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #join(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    const pair: Pair = { client, server, spoilt: false, dead: false, asked: 0 };
    this.#pairs.add(pair);
    const over = (): void => {
      end(pair);
      this.#pairs.delete(pair);
    };
    for (const side of [client, server]) {
      side.setNoDelay(true);
      side.on("error", over).on("close", over);
    }
    client.on("data", (bytes: Buffer) => this.#pass(pair, server, bytes, false));
    server.on("data", (bytes: Buffer) => this.#pass(pair, client, bytes, true));
  }

  #pass(pair: Pair, to: Socket, bytes: Buffer, isReply: boolean): void {
    if (pair.dead) return;
    const fault = this.#fault;
    const write = (part: Buffer): void => void (to.destroyed || to.write(part));
    switch (fault.kind) {
      case "none":
      case "cut":
        // Behind what was delayed before.
        if ((this.#late.get(pair)?.length ?? 0) > 0) this.#later(pair, () => write(bytes), 0);
        else write(bytes);
        return;
      case "delay": {
        const ms = fault.ms + (fault.jitterMs ?? 0) * (2 * this.#draw() - 1);
        this.#later(pair, () => write(bytes), Math.max(0, ms));
        return;
      }
      case "drop-replies":
        if (!isReply) write(bytes);
        else {
          pair.spoilt = true;
          this.dropped += bytes.length;
        }
        return;
      case "tear":
        if (!isReply) pair.asked += bytes.length;
        write(bytes.subarray(0, isReply ? bytes.length : bytes.length - pair.asked + fault.bytes));
        if (pair.asked <= fault.bytes) return;
        this.torn += 1;
        // What passed is to arrive before the end does.
        pair.dead = true;
        setTimeout(() => end(pair), TEAR_MS);
        return;
      case "half-open":
        pair.spoilt = true;
        return;
      case "slice":
        if (!isReply) write(bytes);
        else
          for (let at = 0, turn = 0; at < bytes.length; at += fault.bytes, turn += 1)
            this.#later(pair, () => write(bytes.subarray(at, at + fault.bytes)), turn * fault.ms);
    }
  }

  readonly #late = new WeakMap<Pair, { readonly at: number; readonly act: () => void }[]>();

  /**
   * A piece never overtakes an earlier one: one queue with one timer. A timer for each would let them, since a timer counts
   * from when the loop last looked at the clock, which is long ago in a busy process; two answers of Redis that change
   * places are two contacts that do.
   */
  #later(pair: Pair, act: () => void, ms: number): void {
    const queue = this.#late.get(pair) ?? [];
    this.#late.set(pair, queue);
    const at = Math.max(queue.at(-1)?.at ?? 0, performance.now() + ms);
    if (queue.push({ at, act }) > 1) return;
    const go = (): void => {
      // What is due is done before it leaves the queue: what arrives meanwhile comes behind it.
      for (let next = queue[0]; next && next.at <= performance.now(); next = queue[0]) {
        next.act();
        queue.shift();
      }
      const next = queue[0];
      if (next) setTimeout(go, next.at - performance.now());
    };
    setTimeout(go, ms);
  }
}

function end(pair: Pair): void {
  pair.client.resetAndDestroy();
  pair.server.resetAndDestroy();
}
