/**
 * Alarms: something a person should look at. Each goes to the log, the console, a metric and `ALERT_URL`; the same alarm
 * again within ten minutes is counted and not repeated.
 *
 * Messages hold no document, phone number or token, because they leave the process.
 */
import type { JsonObject } from "../../base/index.ts";
import { Listeners, Lru } from "../../store/index.ts";
import type { Log } from "../ports.ts";

/** The same code and subject within this time is one alarm. */
const QUIET_MS = 600_000;
/** Different alarms remembered for {@link QUIET_MS}. */
const REMEMBERED = 1_000;

export interface Alarm {
  readonly code: string;
  readonly message: string;
  readonly account?: string;
  /** What it is about (a scope, an effect, a record): one alarm per subject. */
  readonly subject?: string;
  /** What its words on a phone need: numbers, times, names of scopes. Never a document or a phone number. */
  readonly vars?: JsonObject;
  /** It is about an alarm on a phone, so it does not go to phones: that would never end. */
  readonly aside?: true;
}

interface AlarmOptions {
  readonly log: Log;
  readonly emit: (event: { readonly type: "alarm" } & Alarm) => void;
  /** Real time, ms. */
  readonly now: () => number;
  readonly url?: string;
  readonly counted?: (code: string) => void;
}

export class Alarms {
  readonly #options: AlarmOptions;
  readonly #last = new Lru<string, number>(REMEMBERED);
  readonly #send: ReturnType<typeof receiverAt> | undefined;
  readonly #listeners = new Listeners<Alarm>();
  readonly #posts = new Set<Promise<void>>();

  constructor(options: AlarmOptions) {
    this.#options = options;
    this.#send = options.url === undefined ? undefined : receiverAt(options.url);
  }

  /** Called for each alarm that is not a repetition. */
  onRaise(listener: (alarm: Alarm) => void): void {
    this.#listeners.add(listener);
  }

  raise(alarm: Alarm): void {
    const { log, emit, now, counted } = this.#options;
    counted?.(alarm.code);
    const key = `${alarm.code} ${alarm.account ?? ""} ${alarm.subject ?? ""}`;
    const at = now();
    if (at - (this.#last.get(key) ?? -Infinity) < QUIET_MS) return;
    this.#last.set(key, at);
    log.warn({ alarm: alarm.code, account: alarm.account, subject: alarm.subject }, alarm.message);
    emit({ type: "alarm", ...alarm });
    this.#listeners.tell(alarm);
    this.#post({ at, ...alarm });
  }

  /** Waits for alerts on their way, at most as long as one may take. */
  async settle(): Promise<void> {
    await Promise.all(this.#posts);
  }

  #post(body: object): void {
    if (!this.#send) return;
    const post = this.#send(body)
      .then((code) => {
        if (code !== undefined)
          this.#options.log.error({ code }, "the alert receiver did not take an alarm");
      })
      .finally(() => this.#posts.delete(post));
    this.#posts.add(post);
  }
}

/** A receiver that does not answer within this time is given up, because alarms must not pile up. Ms. */
const TIMEOUT_MS = 5_000;

/**
 * How an alarm is sent to `ALERT_URL`: undefined when it was taken, else why not, in one word. Errors may hold the address,
 * which may be a secret. Credentials in the address travel as a header: `fetch` takes no address that holds any.
 */
function receiverAt(address: string): (body: object) => Promise<string | undefined> {
  const url = new URL(address);
  const { username, password } = url;
  const basic = Buffer.from(`${plain(username)}:${plain(password)}`).toString("base64");
  const isOpen = username === "" && password === "";
  [url.username, url.password] = ["", ""];
  const headers = {
    "content-type": "application/json",
    ...(isOpen ? {} : { authorization: `Basic ${basic}` }),
  };
  return async (body) => {
    try {
      const answer = await fetch(url.href, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : String(answer.status);
    } catch (error) {
      return codeOf(error);
    }
  };
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
