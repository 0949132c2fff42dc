/**
 * The bot, or the sandbox gateway, as a process that is there to be killed: the composition of the command line with a
 * store that dies on demand (`CHAOS_PLAN`, then each line of its input, JSON), and writes down what it begins and ends in a
 * file (`CHAOS_BOOK`); with `CHAOS_FLOWS=recorder`, the recording flow.
 */
import { writeSync } from "node:fs";
// Past the room's door, which has all commands behind it: they would be loaded at each of many starts.
import { startSandbox } from "../../src/app/start/sandbox-beside.ts";
import { readSettings } from "../../src/app/settings.ts";
import type { Role } from "../../src/app/start/running.ts";
import { startProsa } from "../../src/app/start/start.ts";
import { faulty, type Plan } from "../support/faulty-store.ts";
import { booked } from "./booked.ts";
import { recording } from "./recorder-flow.ts";

let armed: (plan: Plan) => void = () => undefined;

/** Plans come as lines of our input, whole. A channel between processes would cost a twelfth of a start. */
function listen(): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) armed(JSON.parse(line) as Plan);
  });
  // The harness may go: a process that waits for its words must not stay for ever.
  process.stdin.once("close", () => process.exit(1));
}

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
          armed = (next) => deadly.arm(next);
          return deadly.store;
        },
        ...(process.env["CHAOS_FLOWS"] === "recorder"
          ? { library: (library) => recording(library, Number(process.env["CHAOS_BUILD"] ?? 1)) }
          : {}),
      },
    });
    process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
  }
  listen();
  writeSync(1, "READY\n");
}

await main(process.argv[2] ?? "all");
