/** What the pages name exists: commands, scripts, settings, files, headings. */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { commandOf } from "../../src/cli/command.ts";
import { commands as ofPlugin } from "../../src/plugins/invoicing/commands.ts";
import { pagesOfTheSources, ROOT, textOf } from "./fences.ts";

const PAGES = ["README.md", "flows/README.md", "test/README.md", ...pagesOfTheSources()];
const commands = new Map(
  [...COMMANDS, ...ofPlugin.map(commandOf)].map((command) => [command.name, command]),
);
const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
const codes = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");

/** `name verb|verb` of every command line in a text. */
function named(text: string): readonly (readonly [string, string])[] {
  const calls = [...text.matchAll(/npm run -s prosa -- ([a-z]+)(?: ([a-z|]+))?/g)];
  return calls.map(([, name = "", verbs = ""]) => [name, verbs]);
}

function unknown(calls: readonly (readonly [string, string])[]): readonly string[] {
  return calls.flatMap(([name, verbs]) => {
    const command = commands.get(name);
    if (name === "help") return [];
    if (!command) return [`there is no command ${name}`];
    const known: readonly string[] = command.usage.match(/[a-z]+/g) ?? [];
    const all = verbs.includes("|") || name === "flows" ? verbs.split("|") : [];
    return all
      .filter((verb) => verb !== "" && !known.includes(verb))
      .map((verb) => `${name} has no ${verb}`);
  });
}

describe.each(PAGES)("%s", (file) => {
  const text = textOf(file);

  test("names commands that exist", () => {
    expect(unknown(named(text))).toEqual([]);
  });

  test("names scripts of package.json", () => {
    const runs = [...text.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] ?? "");
    const short = [...text.matchAll(/npm (start|test)\b/g)].map((match) => match[1] ?? "");
    expect([...runs, ...short].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const heads = [...text.matchAll(/^#+ (.+)$/gm)].map(([, head = ""]) =>
      head
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
    const broken = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) =>
        link.startsWith("#")
          ? !heads.includes(link.slice(1))
          : !existsSync(path.join(ROOT, path.dirname(file), link.replace(/#.*/, ""))),
      );
    expect(broken).toEqual([]);
  });

  test("names files that exist", () => {
    const places = ["", path.dirname(file), "src", "test"];
    const paths = codes(text).filter((code) =>
      /^[\w.-]+(\/[\w.-]+)+\.(ts|md|yaml|lua|css)$/.test(code),
    );
    const lost = paths.filter(
      (name) => !places.some((place) => existsSync(path.join(ROOT, place, name))),
    );
    expect(lost).toEqual([]);
  });
});

describe("README.md", () => {
  const text = textOf("README.md");

  test("lists useful commands that exist", () => {
    const [, list = ""] =
      /Useful commands \([^)]*\): ([\s\S]*?)\n(?:\n|$)/.exec(`${text}\n\n`) ?? [];
    const calls = codes(list).map((code) => {
      const [name = "", verbs = ""] = code.split(" ");
      return [name, verbs] as const;
    });
    expect(calls.length).toBeGreaterThan(8);
    expect(unknown(calls)).toEqual([]);
  });

  test("names settings that are read", () => {
    const read = ["src/app/settings.ts", "src/app/places.ts", "test/support/prepare.ts"]
      .map(textOf)
      .join("");
    const names = codes(text).filter(
      (code) => /^[A-Z]+(_[A-Z]+)*$/.test(code) && code !== "EMITIR",
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !read.includes(name))).toEqual([]);
  });
});
