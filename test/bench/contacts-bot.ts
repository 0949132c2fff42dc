/** The bot of `contacts.ts`: Prosa as it is measured beside others, which tells what it holds when it is asked. */
import { surroundings } from "./message/contestant.ts";
import { startBot } from "./message/prosa-bot.ts";

/** Bytes, after a collection of garbage. */
export interface Held {
  readonly rss: number;
  readonly heap: number;
}

const folder = process.env["BENCH_FOLDER"];
await startBot({ ...surroundings(), ...(folder === undefined ? {} : { folder }) });
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed } satisfies Held);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
