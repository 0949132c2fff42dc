/**
 * How the running processes agree on the entry of `PROSA_KEYS` they wrap with. During a rotation they are restarted one
 * after the other. Until the last one has the new entry first, all go on wrapping with the old one, so that none meets a
 * data key it cannot open.
 */
import { Fault } from "../../../base/index.ts";
import type { KeyRing } from "../../sealing/seal.ts";
import type { Client } from "../connection/client.ts";
import { list, text } from "../connection/script-calls.ts";

const KEY = "prosa:keys";
/** Reports in the time a process counts as running. */
const REPORTS = 3;

export class KeyHolders {
  readonly #client: Client;
  readonly #ring: KeyRing;
  readonly #process: string;
  readonly #spanMs: number;
  /** Another entry wraps from now on. */
  readonly #switched: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: {
    client: Client;
    ring: KeyRing;
    process: string;
    spanMs: number;
    switched: () => Promise<void>;
  }) {
    this.#switched = options.switched;
    this.#client = options.client;
    this.#ring = options.ring;
    this.#process = options.process;
    this.#spanMs = options.spanMs;
  }

  /** Reports which entries this process has, now and regularly. Throws `KEY_UNKNOWN` when others wrap with none of them. */
  async join(): Promise<void> {
    await this.#report();
    this.#timer = setInterval(() => {
      // A report that fails is made up for by the next one; until then this process wraps as it did.
      void this.#renew().catch(() => undefined);
    }, this.#spanMs / REPORTS);
    this.#timer.unref();
  }

  /** Others need not wait for this process any more. */
  async leave(): Promise<void> {
    // The report failed, perhaps because there is no connection; without one no answer would come.
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.#client.script("hold-keys", KEY, this.#process, 0).catch(() => undefined);
  }

  /** Entries that running processes wrap with. */
  async inUse(): Promise<ReadonlySet<string>> {
    const all = await this.#client.ask((redis) => redis.hgetall(KEY));
    const granted = Object.entries(all)
      .filter(([field]) => field.startsWith("p:"))
      .map(([, entry]) => entry.split("|")[2] ?? "");
    return new Set(granted);
  }

  async #renew(): Promise<void> {
    const before = this.#ring.active;
    await this.#report();
    if (this.#ring.active !== before) await this.#switched();
  }

  async #report(): Promise<void> {
    const { entries } = this.#ring;
    const answer = await this.#client.script(
      "hold-keys",
      KEY,
      this.#process,
      this.#spanMs,
      ...entries,
    );
    const [entry, latest] = list(answer).map(text);
    if (entry === "")
      throw new Fault("KEY_UNKNOWN", `Data is sealed under the key "${latest ?? ""}".`);
    this.#ring.use(entry ?? "");
  }
}
