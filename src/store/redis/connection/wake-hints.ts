/** Hints from other processes: one subscription for each process, opened when a listener asks for it. */
import type { Wake, Work } from "../../wake.ts";
import { Client } from "./client.ts";
import type { PartitionPoller } from "../failover/partition-poller.ts";
import type { RedisPlace } from "./url.ts";

const CHANNEL = "prosa:wake";

export class WakeHints {
  readonly #place: RedisPlace;
  readonly #wake: Wake;
  readonly #poller: Readonly<Record<Work, Pick<PartitionPoller, "mark">>>;
  readonly #origin: string;
  #client: Client | undefined;

  constructor(options: {
    place: RedisPlace;
    wake: Wake;
    poller: Readonly<Record<Work, Pick<PartitionPoller, "mark">>>;
    origin: string;
  }) {
    this.#place = options.place;
    this.#wake = options.wake;
    this.#poller = options.poller;
    this.#origin = options.origin;
  }

  listen(): void {
    if (this.#client) return;
    const client = new Client(this.#place, "wake");
    this.#client = client;
    client.raw.on("message", (_channel: string, message: string) => this.#heard(message));
    // Without hints work is found by polling; the client goes on trying to connect.
    client.raw.on("ready", () => void client.raw.subscribe(CHANNEL).catch(() => undefined));
    client.raw.connect().catch(() => undefined);
  }

  close(): void {
    this.#client?.close();
  }

  /** `t` or `o`, the partition's prefix, the process that said it. */
  #heard(message: string): void {
    const [, kind, partition, origin] = /^([to])prosa:\{p(\d+)\}:(.*)$/.exec(message) ?? [];
    if (kind === undefined || origin === this.#origin) return;
    const what: Work = kind === "t" ? "turns" : "outbox";
    this.#poller[what].mark(Number(partition));
    this.#wake.tell(what);
  }
}
