/** A failed chat file as a person reads it: where, expected and got, the last lines, the state. */
import type { ChatFailure } from "./run.ts";

/** Lines of the conversation that are shown. */
const LAST = 5;

export function chatReport(failure: ChatFailure): string {
  const block = (text: string): string =>
    text
      .split("\n")
      .map((line) => `    ${line}`)
      .join("\n");
  return [
    `${failure.file}:${failure.line}`,
    "  expected",
    block(failure.expected),
    "  got",
    block(failure.got),
    "  before that",
    block(failure.transcript.slice(-LAST).join("\n")),
    `  at ${failure.state}`,
  ].join("\n");
}
