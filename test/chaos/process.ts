/**
 * The bot, or the sandbox gateway, as a process that is there to be killed: the composition of the command line with a
 * store that dies on demand (`CHAOS_PLAN`, JSON), and writes down what it begins and ends in a file (`CHAOS_BOOK`); with
 * `CHAOS_FLOWS=recorder`, the recording flow.
 */
import { writeSync } from "node:fs";
import { readSettings, startProsa, startSandbox, type Role } from "../../src/app/index.ts";
import { faulty, type Plan } from "../support/faulty-store.ts";
import { booked } from "./book.ts";
import { recording } from "./recorder-flow.ts";

async function main(role: string): Promise<void> {
  const settings = readSettings(process.env);
  if (role === "sandbox") {
    await startSandbox(settings);
  } else {
    const plan = JSON.parse(process.env["CHAOS_PLAN"] ?? "{}") as Plan;
    const running = await startProsa(settings, {
      role: role as Role,
      wrap: {
        store(store) {
          const book = process.env["CHAOS_BOOK"];
          const deadly = faulty(book === undefined ? store : booked(store, book), plan);
          process.on("message", (next) => deadly.arm(next as Plan));
          return deadly.store;
        },
        ...(process.env["CHAOS_FLOWS"] === "recorder"
          ? { library: (library) => recording(library, Number(process.env["CHAOS_BUILD"] ?? 1)) }
          : {}),
      },
    });
    process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
  }
  // The harness may go: a process that waits for its words must not stay for ever.
  process.once("disconnect", () => process.exit(1));
  writeSync(1, "READY\n");
}

await main(process.argv[2] ?? "all");
