/** Of which build and of which day a figure is, as stands beside each table. */
import { execFileSync } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

const git = (...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** `commit 2260612, 2026-11-23`; a copy without its history has a day alone. */
export function origin(day = new Date()): string {
  const date = day.toISOString().slice(0, 10);
  try {
    const commit = git("rev-parse", "--short", "HEAD").trim();
    const changed = git("status", "--porcelain", "--", "src", "flows").trim() !== "";
    return `commit ${commit}${changed ? " with changes" : ""}, ${date}`;
  } catch {
    return date;
  }
}
