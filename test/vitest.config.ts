import path from "node:path";
import { defineConfig } from "vitest/config";
import LongestFirst from "./support/longest-first.ts";

export default defineConfig({
  root: path.resolve(import.meta.dirname, ".."),
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "**/node_modules/**"],
    globalSetup: ["test/support/global.ts"],
    setupFiles: ["test/support/left-behind.ts"],
    pool: "forks",
    // Of two processors: tests mostly wait, and a third process takes the time they leave.
    maxWorkers: 3,
    // Three processes for all files: to read and compile the product anew for each took longer than most tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Tests make much that is soon let go: with this room for it, MiB, a pass over the chats takes a twelfth less.
    execArgv: ["--max-semi-space-size=64"],
    // Only what hangs shall end by it: beside the check and other files a browser's test takes ten times as long as alone.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: ["default"],
  },
});
