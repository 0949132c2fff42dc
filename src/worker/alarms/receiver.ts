/** Sends alarms to `ALERT_URL`. */

/** A receiver that does not answer within this time is given up, because alarms must not pile up. Ms. */
const TIMEOUT_MS = 5_000;

export class Receiver {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** Credentials in the address travel as a header: `fetch` takes no address that holds any. */
  constructor(address: string) {
    const url = new URL(address);
    const { username, password } = url;
    const basic = Buffer.from(`${plain(username)}:${plain(password)}`).toString("base64");
    const isOpen = username === "" && password === "";
    [url.username, url.password] = ["", ""];
    this.#url = url.href;
    this.#headers = {
      "content-type": "application/json",
      ...(isOpen ? {} : { authorization: `Basic ${basic}` }),
    };
  }

  /** Undefined when it took the alarm, else why not, in one word. Errors may hold the address, which may be a secret. */
  async post(body: object): Promise<string | undefined> {
    try {
      const answer = await fetch(this.#url, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : String(answer.status);
    } catch (error) {
      return codeOf(error);
    }
  }
}

function codeOf(error: unknown): string {
  const { name = "Error", cause } = error as { readonly name?: string; readonly cause?: unknown };
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : name;
}

/** As it was before it was written into an address; a `%` may be literal. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
