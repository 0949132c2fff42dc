/** Commands of the command line that a plugin adds. Each is a call of the operator API of the running server, and prints the answer. */
import type { Readable, Writable } from "node:stream";
import type { Json, JsonObject } from "../../base/index.ts";

/**
 *     commands: [
 *       {
 *         name: "parcels",
 *         usage: "parcels list [--account ID]",
 *         summary: "Parcels of a business.",
 *         options: { account: { type: "string" } },
 *         run: ({ api, options }) => api.get(`/api/parcels/${String(options["account"] ?? "demo")}`),
 *       },
 *     ]
 */
export interface PluginCommand {
  /** Lower case; `prosa <name>`. One that the runtime or another plugin has is left out, and both are named. */
  readonly name: string;
  /** What stands behind `prosa`, for help. */
  readonly usage: string;
  /** One sentence, for help. */
  readonly summary: string;
  /** Its options by name, without dashes. */
  readonly options?: Readonly<Record<string, { readonly type: "string" | "boolean" }>>;
  /** Answers what is printed as JSON; undefined where it wrote by itself. Throws {@link UsageError} for wrong words. */
  run(call: CommandCall): Promise<Json | undefined>;
}

export interface CommandCall {
  /** What stands behind the command's name, without options. */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly api: ApiClient;
  /** Where data of any length goes as it comes. */
  readonly stdout: Writable;
  /** One line of prose, beside the data. */
  say(line: string): void;
}

/** The operator API of a running server. Throws `API_UNREACHABLE`, and `API_REFUSED` with the server's reason. */
export interface ApiClient {
  readonly url: string;
  get(path: string): Promise<JsonObject>;
  /** What is no JSON, as it comes; breaks off with an error when the server does. */
  stream(path: string): Promise<Readable>;
  send(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<JsonObject>;
}

/** The command was called with words it does not know, or in a folder of flows that is none: exit code 2. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
