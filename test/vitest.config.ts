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
    maxWorkers: 2,
    // Two processes for all files: to read and compile the product anew for each took longer than most tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
