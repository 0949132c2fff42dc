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

interface Text {
  readonly sha: string;
  readonly lua: string;
}

/** One script of one key: its digest and its text; `many`: the same for several calls in one, where there is one. */
export interface Callable extends Text {
  readonly many?: Text;
}

type Value = string | number;

interface Asked {
  readonly key: string;
  readonly values: readonly Value[];
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** At most so many calls in one run of a script: the server serves nobody else meanwhile, 1 to 2 ms. */
const MOST_IN_ONE = 32;

/**
 * Calls made during one round of the event loop go out in one write: those of one script in their order and together, the
 * scripts in the order of their first calls. Whoever needs another order waits for an answer.
 */
export class ScriptCalls {
  readonly #redis: Redis;
  readonly #waiting = new Map<Callable, Asked[]>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Rejects as a plain command of the client does. A server that does not know the script has done nothing, and is sent its
   * text.
   */
  run(script: Callable, key: string, values: readonly Value[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const asked = { key, values, resolve, reject };
      const same = this.#waiting.get(script);
      if (same) return void same.push(asked);
      if (this.#waiting.size === 0) setImmediate(() => this.#flush());
      this.#waiting.set(script, [asked]);
    });
  }

  #flush(): void {
    const calls: Call[] = [];
    for (const [script, asked] of this.#waiting) {
      const size = script.many ? MOST_IN_ONE : 1;
      for (let at = 0; at < asked.length; at += size)
        calls.push(this.#begin(script, asked.slice(at, at + size)));
    }
    this.#waiting.clear();
    this.#write(calls);
  }

  #begin({ sha, lua, many }: Callable, asked: readonly Asked[]): Call {
    const [first] = asked;
    const together = many !== undefined && asked.length > 1;
    const text = together ? many : { sha, lua };
    const { count, bytes } = together
      ? manyBytes(asked)
      : oneBytes(first?.key ?? "", first?.values ?? []);
    const head = `*${count + 2}\r\n`;
    const call = new Call("evalsha", `${head}$7\r\nevalsha\r\n$40\r\n${text.sha}\r\n${bytes}`);
    const again = () => {
      const whole = new Call("eval", `${head}$4\r\neval\r\n${field(text.lua)}${bytes}`);
      this.#write([whole]);
      return whole.promise;
    };
    const answered: Promise<unknown> = call.promise.catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return again();
    });
    answered.then(
      (answer) => settle(asked, together ? (answer as readonly unknown[]) : [answer]),
      (error: unknown) => {
        for (const one of asked) one.reject(error);
      },
    );
    return call;
  }

  /**
   * The library matches answers by the order of `sendCommand`, so nothing may come between that and the write: both are
   * done here at once. `isPipeline` is how the library's own pipelines collect what they write.
   */
  #write(calls: readonly Call[]): void {
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

function settle(asked: readonly Asked[], answers: readonly unknown[]): void {
  for (const [at, one] of asked.entries()) {
    const answer = answers[at];
    if (answer instanceof Error) one.reject(answer);
    else one.resolve(answer);
  }
}

interface Bytes {
  /** Fields in them. */
  readonly count: number;
  readonly bytes: string;
}

function oneBytes(key: string, values: readonly Value[]): Bytes {
  return { count: values.length + 2, bytes: `$1\r\n1\r\n${field(key)}${fieldsOf(values)}` };
}

function manyBytes(asked: readonly Asked[]): Bytes {
  let [count, keys, rest] = [1 + asked.length, field(String(asked.length)), ""];
  for (const { key, values } of asked) {
    count += 1 + values.length;
    keys += field(key);
    rest += field(String(values.length)) + fieldsOf(values);
  }
  return { count, bytes: keys + rest };
}

function fieldsOf(values: readonly Value[]): string {
  let bytes = "";
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
