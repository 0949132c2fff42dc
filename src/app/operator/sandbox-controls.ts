/** The sandbox's controls over HTTP, for the command line. */
import { Fault } from "../../base/index.ts";
import type { Settings } from "../settings.ts";

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
