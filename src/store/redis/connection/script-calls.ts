/**
 * Script calls as bytes. The client library would make a command for each call, a pipeline object with a property for each
 * script, and a pass over all arguments: with three calls for each message that was a tenth of a message's cost.
 */
import { Command, type Redis } from "ioredis";

/** Text in, text out. */
const ENCODING = "utf8";

/** A command that has its bytes. Its arguments are not kept, so that no error can hold them. */
class Call extends Command {
  readonly #bytes: string;

  constructor(name: "evalsha" | "eval", bytes: string) {
    super(name, [], { replyEncoding: ENCODING });
    this.#bytes = bytes;
  }

  override toWritable(): string {
    return this.#bytes;
  }
}

/** One script of one key: what its call begins with, by its digest and by its text. */
export interface Callable {
  readonly sha: string;
  readonly lua: string;
}

type Value = string | number;

/** Calls made during one round of the event loop go out in one write, in their order. */
export class ScriptCalls {
  readonly #redis: Redis;
  #waiting: Call[] = [];

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Rejects as a plain command of the client does. A server that does not know the script has done nothing, and is sent its
   * text.
   */
  async run(script: Callable, key: string, values: readonly Value[]): Promise<unknown> {
    const rest = bytesOf(key, values);
    const head = `*${values.length + 4}\r\n`;
    try {
      return await this.#send(
        new Call("evalsha", `${head}$7\r\nevalsha\r\n$40\r\n${script.sha}\r\n${rest}`),
      );
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return this.#send(new Call("eval", `${head}$4\r\neval\r\n${field(script.lua)}${rest}`));
    }
  }

  #send(call: Call): Promise<unknown> {
    if (this.#waiting.push(call) === 1) setImmediate(() => this.#write());
    return call.promise;
  }

  /**
   * The library matches answers by the order of `sendCommand`, so nothing may come between that and the write: both are
   * done here at once. `isPipeline` is how the library's own pipelines collect what they write.
   */
  #write(): void {
    const calls = this.#waiting;
    this.#waiting = [];
    let bytes = "";
    const collector = {
      isPipeline: true,
      destination: { redis: this.#redis },
      write: (some: string) => {
        bytes += some;
      },
    };
    for (const call of calls) void this.#redis.sendCommand(call, collector as never);
    if (bytes !== "") this.#redis.stream.write(bytes);
  }
}

function bytesOf(key: string, values: readonly Value[]): string {
  let bytes = `$1\r\n1\r\n${field(key)}`;
  for (const value of values) bytes += field(typeof value === "string" ? value : String(value));
  return bytes;
}

function field(value: string): string {
  return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
}

/** What a script answers: numbers, strings, nothing, lists of these. Another shape is a bug of ours or a foreign server. */
export type Reply = string | number | null | readonly Reply[];

export function list(reply: Reply | undefined): readonly Reply[] {
  if (!Array.isArray(reply)) throw new TypeError("A script answered no list.");
  return reply as readonly Reply[];
}

export function text(reply: Reply | undefined): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw new TypeError("A script answered no text.");
}

export function number(reply: Reply | undefined): number {
  return Number(text(reply));
}

/**
 * Each answer, or `unknown` in its place, so that one node that is away does not fail the others. Throws when none has
 * answered.
 */
export async function orUnknown<T, U>(
  asked: readonly Promise<T>[],
  unknown: U,
): Promise<(T | U)[]> {
  const answers = await Promise.allSettled(asked);
  const [first] = answers;
  if (first?.status === "rejected" && answers.every(({ status }) => status === "rejected"))
    throw first.reason;
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : unknown));
}
