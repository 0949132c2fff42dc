/** A person's phone: writes through the sandbox gateway, reads what the gateway delivered. */
import { setTimeout as pause } from "node:timers/promises";
import type { Deliveries } from "./deliveries.ts";
import type { Answer, Prosa } from "./prosa.ts";

/** A reply is there within milliseconds; free text waits a second for more, a busy machine some more. */
const WAIT_MS = 10_000;
/** Between two looks: soon at first, then less and less; a dozen phones that wait for a lease would keep a processor busy. */
const LOOK_MS = { first: 20, most: 120, share: 8 } as const;
/** The longest between two looks of a phone that is told when something arrives: the line that tells may be broken. */
const UNTOLD_MS = 1_000;

export class Phone {
  readonly number: string;
  readonly #prosa: Pick<Prosa, "control" | "log">;
  readonly #deliveries: Deliveries | undefined;
  #read = 0;

  /** `deliveries`: of its sandbox, where many phones wait for long; without it, it looks again and again. */
  constructor(number: string, prosa: Pick<Prosa, "control" | "log">, deliveries?: Deliveries) {
    this.number = number;
    this.#prosa = prosa;
    this.#deliveries = deliveries;
  }

  /** Sends a text, or anything else `POST /sandbox/inbound` takes. */
  async says(content: string | Readonly<Record<string, unknown>>): Promise<Answer> {
    const sent = typeof content === "string" ? { text: content } : content;
    const body = { from: this.number, ...sent };
    const answer = await this.#prosa.control("POST", "/sandbox/inbound", body);
    if (answer.status !== 202) throw new Error(`inbound was refused: ${answer.text}`);
    return answer;
  }

  /** Everything this phone received, oldest first. */
  async all(): Promise<readonly string[]> {
    const { body } = await this.#prosa.control("GET", `/sandbox/messages?number=${this.number}`);
    if (!Array.isArray(body)) throw new Error("/sandbox/messages is no array");
    return (body as readonly { text: string }[]).map((message) => message.text);
  }

  /** What arrived since the last look. */
  async hears(): Promise<readonly string[]> {
    const all = await this.all();
    const news = all.slice(this.#read);
    this.#read = all.length;
    return news;
  }

  /** Waits for a message that fits; what came before it counts as read. */
  async waitFor(pattern: RegExp, ms = WAIT_MS): Promise<string> {
    const began = Date.now();
    for (;;) {
      const news = this.#deliveries?.next();
      const all = await this.all();
      const at = all.findIndex((text, index) => index >= this.#read && pattern.test(text));
      if (at >= 0) {
        this.#read = at + 1;
        return all[at] ?? "";
      }
      const waited = Date.now() - began;
      if (waited > ms)
        throw new Error(
          [
            `No message like ${String(pattern)} in ${ms} ms. Heard instead:`,
            ...all.slice(Math.max(0, this.#read - 1)).map((text) => `  | ${text}`),
            "The bot's last words:",
            this.#prosa.log().slice(-1_500),
          ].join("\n"),
        );
      await news?.(UNTOLD_MS);
      // Several arrive together: one look for all of them.
      const untilLook = news ? 0 : Math.min(waited / LOOK_MS.share, LOOK_MS.most);
      await pause(Math.max(untilLook, LOOK_MS.first));
    }
  }

  /** Says something and waits for the answer. */
  async asks(text: string, answer: RegExp, ms = WAIT_MS): Promise<string> {
    await this.says(text);
    return this.waitFor(answer, ms);
  }
}
