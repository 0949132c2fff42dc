/**
 * The operator API and the sandbox's controls from the outside, for the command line and for the commands that plugins add to it.
 */
import { Readable, type Writable } from "node:stream";
import { Fault, type JsonObject, type Json } from "../../base/index.ts";
import { hostInAddress, type Settings } from "../settings.ts";

/**
 * A command of the command line that a plugin adds: a call of the operator API of the running server, whose answer is printed.
 *
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
  /** Answers what is printed as JSON; undefined where it wrote by itself. Throws `UsageError` for wrong words. */
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

/** A local answer takes milliseconds; draining timers of a moved clock may take a while. */
const CALL_TIMEOUT_MS = 30_000;
/** A whole table is read from the store while it comes. */
const STREAM_TIMEOUT_MS = 10 * 60_000;

/** Address of the console and operator API these settings give. */
function adminUrl(settings: Settings): string {
  const { host, port } = settings.admin ?? settings;
  return `http://${hostInAddress(host)}:${port}`;
}

export function apiClient(url: string, adminToken: string | undefined): ApiClient {
  async function asked(
    method: string,
    path: string,
    timeoutMs: number,
    body?: unknown,
  ): Promise<Response> {
    try {
      return await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(adminToken ? { authorization: `Bearer ${adminToken}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw new Fault("API_UNREACHABLE", `${method} ${path} got no answer.`, { cause: error });
    }
  }
  async function call(method: string, path: string, body?: unknown): Promise<JsonObject> {
    return read(await asked(method, path, CALL_TIMEOUT_MS, body), `${method} ${path}`);
  }
  async function stream(path: string): Promise<Readable> {
    const response = await asked("GET", path, STREAM_TIMEOUT_MS);
    const { body } = response;
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    if (response.ok && body && !isJson) return Readable.fromWeb(body);
    await read(response, `GET ${path}`);
    throw new Fault("API_REFUSED", `GET ${path} was answered by something that is no Prosa.`);
  }
  async function read(response: Response, what: string): Promise<JsonObject> {
    const text = await response.text();
    const answer = jsonOf(text);
    if (!answer)
      throw new Fault(
        "API_REFUSED",
        `${what} was answered (${response.status}) by something that is no Prosa.`,
      );
    if (response.ok) return Array.isArray(answer) ? { items: answer } : answer;
    const { error } = answer as { error?: { message?: string } | string };
    const why = typeof error === "object" ? error.message : error;
    throw new Fault(
      "API_REFUSED",
      `${what} was refused (${response.status}): ${why ?? "no reason given"}.`,
    );
  }
  return {
    url,
    get: (path) => call("GET", path),
    stream,
    send: (method, path, body) => call(method, path, body),
  };
}

/** The operator API that these settings give. */
export function operatorApi(settings: Settings): ApiClient {
  return apiClient(adminUrl(settings), settings.adminToken);
}

/** Another program may listen on the port. */
function jsonOf(text: string): JsonObject | undefined {
  try {
    const answer: unknown = text === "" ? {} : JSON.parse(text);
    return typeof answer === "object" && answer !== null ? (answer as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The server that runs under these settings, if one answers. */
export async function runningServer(settings: Settings): Promise<ApiClient | undefined> {
  const client = operatorApi(settings);
  try {
    const response = await fetch(`${client.url}/api/meta`, {
      headers: settings.adminToken ? { authorization: `Bearer ${settings.adminToken}` } : {},
      signal: AbortSignal.timeout(1_500),
    });
    const meta = response.ok ? ((await response.json()) as { name?: unknown }) : {};
    return meta.name === "prosa" ? client : undefined;
  } catch {
    return undefined;
  }
}

const TIMEOUT_MS = 60_000;

/** Address of the sandbox these settings start or point to. */
export function sandboxUrl(settings: Settings): string {
  const { url } = settings.gateway;
  return url === undefined ? `http://127.0.0.1:${settings.sandbox.port}` : new URL(url).origin;
}

export function sandboxControls(settings: Settings) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const address = `${sandboxUrl(settings)}${path}`;
    let response: Response;
    try {
      response = await fetch(address, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Fault(
        "API_UNREACHABLE",
        `The sandbox at ${sandboxUrl(settings)} got no answer through.`,
        {
          cause: error,
        },
      );
    }
    const answer: unknown = await response.json().catch(() => ({}));
    if (!response.ok)
      throw new Fault(
        "API_REFUSED",
        `${method} ${path} was refused (${response.status}): ${JSON.stringify(answer)}.`,
      );
    return answer;
  };
}
