/**
 * What a sandbox says whenever it puts a message in front of somebody: whoever waits for one is woken by it, instead of
 * asking again and again what is there.
 */
import { type ClientRequest, get } from "node:http";

/** How a message is told on the sandbox's live feed. */
const TOLD = "event: message\n";
/** A line that broke is made anew after this, ms; until then nobody is woken, and looks by themselves. */
const AGAIN_MS = 500;

export class Deliveries {
  readonly #url: string;
  readonly #waiting = new Set<() => void>();
  #line: ClientRequest | undefined;
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  /** `url`: of the sandbox. Listens from now on, until it is closed. */
  constructor(url: string) {
    this.#url = url;
    this.#listen();
  }

  /**
   * Resolves at the next message to anybody, or after `ms`. To be asked *before* the look that finds nothing: what arrives
   * during the look is then not missed.
   */
  next(): (ms: number) => Promise<void> {
    let told = false;
    let wake = (): void => undefined;
    const hear = (): void => {
      told = true;
      this.#waiting.delete(hear);
      wake();
    };
    this.#waiting.add(hear);
    return async (ms) => {
      if (!told)
        await new Promise<void>((done) => {
          const late = setTimeout(done, ms);
          wake = () => {
            clearTimeout(late);
            done();
          };
        });
      this.#waiting.delete(hear);
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#again);
    this.#line?.destroy();
  }

  #listen(): void {
    let rest = "";
    const line = get(`${this.#url}/sandbox/events`, (answer) => {
      answer.setEncoding("utf8").on("data", (text: string) => {
        const all = rest + text;
        if (all.includes(TOLD)) for (const hear of [...this.#waiting]) hear();
        // A word may be cut in two.
        rest = all.slice(1 - TOLD.length);
      });
      answer.on("error", () => undefined);
    });
    this.#line = line;
    line.on("error", () => undefined);
    line.on("close", () => {
      if (!this.#closed) this.#again = setTimeout(() => this.#listen(), AGAIN_MS);
    });
  }
}
