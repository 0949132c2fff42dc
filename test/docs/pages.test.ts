/** The pages of the modules: each module has one, short enough to be read, in words of the field, and what it names is there. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { pagesOfTheSources, ROOT, textOf } from "./fences.ts";

const MAP = "src/README.md";
/** Folders inside modules that are large enough for a page of their own. */
const WITH_A_PAGE = [
  ...["src/worker/turns", "src/worker/outbox", "src/worker/backfill", "src/worker/alarms"],
  "src/plugins/invoicing",
];
/** Words of a page. Pages beside a README are looked up in, and not read from end to end. */
const MOST_WORDS = { map: 800, readme: 600, other: 1_500 } as const;
/** Files of a bot's own folder, which pages name without one. */
const FILES_OF_A_BOT = ["config.ts", "flow.ts", "flow.yaml"];
/** What the project once called its modules, worker pools, messages, dead letters, poison candidates and so on. */
const OWN_WORDS =
  /\b(?:house|rooms|desks?|crews?|pulse|scribe|rota|ears|lanes?|bubbles?|parked|barren|suspects?|asides?|shelf|shelves|nobody)\b/iu;

const modules = readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}`);

/** The text without code blocks and without tables that a program wrote between two comments. */
function written(file: string): string {
  return textOf(file)
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/<!-- [^/][\s\S]*?<!-- \/[\s\S]*?-->/g, "");
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function mostWords(file: string): number {
  if (file === MAP) return MOST_WORDS.map;
  return path.basename(file) === "README.md" ? MOST_WORDS.readme : MOST_WORDS.other;
}

/** Files and folders that stand in backticks: `turns/`, `turn.ts`, `src/base/fault.ts`. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name.endsWith("/") || /\.(?:tsx?|js|lua|md|yaml|json)$/.test(name))
    .filter((name) => !FILES_OF_A_BOT.includes(name));
}

test("each module has a page, and so has each of its large parts", () => {
  const without = [...modules, ...WITH_A_PAGE].filter(
    (folder) => !existsSync(path.join(ROOT, folder, "README.md")),
  );
  expect(without).toEqual([]);
});

test("the map of the sources links to the page of each module", () => {
  const map = textOf(MAP);
  const lost = modules.filter(
    (folder) => !map.includes(`(${path.posix.relative("src", folder)}/README.md)`),
  );
  expect(lost).toEqual([]);
});

test("a page that names what is not there is found", () => {
  expect(pathsIn("`turn.ts`, `turns/` and `chat/findMessages`, see `a/b.ts`.")).toEqual([
    ...["turn.ts", "turns/", "a/b.ts"],
  ]);
});

describe.each(pagesOfTheSources())("%s", (file) => {
  test("is short enough to be read", () => {
    expect(wordsIn(written(file))).toBeLessThanOrEqual(mostWords(file));
  });

  test("names files and folders that exist, from its own folder, from src/ or from the root", () => {
    const places = [path.dirname(file), "src", "."];
    const lost = pathsIn(textOf(file)).filter(
      (name) => !places.some((place) => existsSync(path.join(ROOT, place, name))),
    );
    expect(lost).toEqual([]);
  });

  test("says it in words of the field", () => {
    const text = written(file).replace(/`[^`\n]*`/g, "");
    const found = text.split("\n").flatMap((line) => OWN_WORDS.exec(line)?.[0] ?? []);
    expect(found).toEqual([]);
  });
});
