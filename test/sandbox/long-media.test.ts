/**
 * The longest media in a process that has compiled so many regular expressions that V8 optimizes no other one: matching
 * megabytes with one of them runs out of stack there. A flag of V8 makes such a process.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = `
  import { InboundContent } from "./src/sandbox/messages/content.ts";
  import { MEDIA_LIMIT_BYTES, readMedia } from "./src/sandbox/messages/media-source.ts";
  const longest = "QUJD".repeat(MEDIA_LIMIT_BYTES / 3);
  const said = (text) => {
    const { ok, reason } = readMedia({ text });
    return ok || reason;
  };
  const taken = (base64) => InboundContent.image.safeParse({ base64 }).success;
  console.log(JSON.stringify([
    [longest, longest + "QUI=", longest + "QUJDQUJD", "!" + longest, longest + "!", "", "=="].map(said),
    [longest.slice(0, 16 * 1_024 ** 2), "QQ==", "", "QQ===", "QQ=A"].map(taken),
  ]));
`;

test("a media of any length is read in a process where V8 optimizes no further regular expression", () => {
  const said = execFileSync(
    process.execPath,
    ["--no-regexp-optimization", ...["--import", "tsx", "--input-type=module", "--eval", PROGRAM]],
    { cwd: ROOT, encoding: "utf8" },
  );
  const large = "A mídia passa de 16 MiB.";
  const wrong = "A mídia não é Base64 válido.";
  expect(JSON.parse(said)).toEqual([
    [true, large, large, wrong, wrong, wrong, wrong],
    [true, true, true, false, false],
  ]);
});
