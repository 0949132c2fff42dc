import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { folderBytes } from "./folder-bytes.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-bytes-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces a file by the next one, as an append-only log does, until it is ended. */
const CHANGES = `
const { rmSync, writeFileSync } = require("node:fs");
const { parentPort, workerData: of } = require("node:worker_threads");
const still = new Int32Array(new SharedArrayBuffer(4));
for (let n = 0; ; n += 1) {
  writeFileSync(of + "/" + (n + 1), "kept");
  rmSync(of + "/" + n);
  Atomics.wait(still, 0, 0, 1);
  if (n === 0) parentPort.postMessage("it goes on");
}`;

test("reads a folder whole while its files are replaced, and never says that nothing is in it", async () => {
  const log = path.join(folder, "log");
  mkdirSync(log);
  writeFileSync(path.join(log, "0"), "kept");
  const writer = new Worker(CHANGES, { eval: true, workerData: log });
  try {
    await once(writer, "message");
    for (let n = 0; n < 3_000; n += 1)
      expect(Buffer.concat([...folderBytes(folder).values()]).toString()).toContain("kept");
  } finally {
    await writer.terminate();
  }
});
