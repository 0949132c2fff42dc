/**
 * A server under load, in a process of its own: the sandbox, or (`floor`) a bare HTTP server that reads a body and answers
 * a fixed one. Tells its address and, when asked, the CPU it has used, over the process channel.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { createSandbox } from "../../src/sandbox/index.ts";

const FLOOR_ANSWER = JSON.stringify({ error: false, response: { text: "x".repeat(600) } });

async function start(): Promise<{ url: string; close: () => Promise<void> }> {
  if (process.argv[2] === "floor") {
    const server = createServer((request, response) => {
      request.on("data", () => undefined);
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(FLOOR_ANSWER);
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "prosa-bench-"));
  const sandbox = createSandbox({ port: 0, botUrl: "http://127.0.0.1:9", dataDir });
  const url = await sandbox.listen();
  return {
    url,
    close: async () => {
      await sandbox.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const server = await start();
process.on("message", (asked) => {
  if (asked !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: (user + system) / 1_000, rss: process.memoryUsage().rss });
});
process.on("disconnect", () => void server.close().then(() => process.exit(0)));
process.send?.({ url: server.url });
