/**
 * The house rules that a machine can hold: what stands at the root, who may import whom, what is pure, how long a file is.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "");

/** Rooms and the rooms they may import; every room may import `base`. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  brazil: [],
  understanding: ["brazil"],
  engine: ["understanding", "brazil"],
  flow: ["engine", "understanding", "brazil"],
  channels: ["engine"],
  gateway: ["engine", "brazil"],
  store: ["engine"],
  sandbox: ["gateway", "brazil"],
  worker: ["engine", "channels", "gateway", "store", "flow", "brazil"],
  server: ["engine", "channels", "gateway", "store", "flow", "brazil"],
  console: ["flow", "engine"],
  plugins: [],
  app: [
    ...["server", "worker", "sandbox", "console", "engine", "channels", "gateway", "store"],
    ...["flow", "brazil", "understanding"],
  ],
  cli: ["app"],
};
const PURE = ["base", "engine", "understanding", "brazil", "channels", "flow"];
/** Hashing has no side effect; everything else of Node has. */
const PURE_NODE_MODULES = ["node:crypto"];

/** Words of one business. The runtime knows none of them; "anote" and "denote" are others. */
const BUSINESS_WORD =
  /\b(?:notas?|notes?|nfs-?e|invoices?|invoicing|takers?|tomador(?:a|es|as)?|issuers?|emitentes?|certificates?|sales?|compet[eê]ncias?|competences?)\b/iu;
/** What the project once called a context, worker registry, alarm flusher, daily counters, liveness, crash counter and others. */
const OWN_WORDS =
  /\b(?:desk|crew|scribe|daybook|ears|stumbles|tongue|pulse|lanes?|tenures?|barren|bubbles?)\b/iu;
/** The interface of the gateway has them, and plugins are about them. */
const HAVE_BUSINESS_WORDS = ["gateway", "sandbox", "plugins"];
/** Names that others gave, by file. */
const NAMES_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  // The gateway's.
  "src/app/authoring/effect-infos.ts": ["INVOICING_BASE_PRICE_BRL"],
  "src/plugin.ts": ["NfseDados"],
  // Fields of a messenger's message.
  "src/channels/message/message-text.ts": ['invoiceMessage: ["note"]', '"noteMessage.'],
  "src/channels/engine-a/engine-a-content.ts": ['["note"]', '["paymentNoteMsg", "body"]'],
};

/** Small files that one other imports, each with its reason. */
const APART: Readonly<Record<string, string>> = {
  "src/app/bot/modules.ts": "the one file that may import both public doors",
  "src/flow/steps/handoff.ts": "each kind of step has its file",
  "src/console/web/operations/panel-modules.ts": "the bundler replaces it",
};

/** Longest file: it is read in a few minutes. */
const MAX_LINES = 300;
const DOOR = /\/index\.tsx?$/;

const sources = tracked.filter((file) => /^src\/.*\.tsx?$/.test(file));

function linesOf(file: string): number {
  return readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** The first word of a business in a line; parts of a name ("issuerZone", `ISSUER_ZONE`) are words. */
function businessWord(line: string): string | undefined {
  const words = line.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replaceAll("_", " ");
  return BUSINESS_WORD.exec(words)?.[0];
}

/** A file without its comments, line by line. */
function codeOf(file: string): string {
  return readFileSync(path.join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/\/\/.*$/gm, "");
}

const PATTERN =
  /(?<=[(=,[!:?&|] ?|return |^\s*)\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/[dgimsuvy]*/g;
const WORD_LIST = /"([^"]*)"\.split\(/g;
/** Codes have a form, and no words. */
const CODES = "src/engine/requests/request-code.ts";
/** Parts of texts that the engine makes itself: keys of paragraphs, ids of choices, kinds of addresses. */
const OWN_PARTS = new Set(["ask", "bad", "confirm", "request", "phone", "lid"]);

/** The first word of a language that a line matches texts with; a pattern that is put together from parts, too. */
function wordInPattern(line: string): string | undefined {
  if (line.includes("new RegExp")) return "new RegExp";
  for (const [, pattern = ""] of line.matchAll(PATTERN)) {
    const words = pattern
      .replace(/\[[^\]]*\]/g, " ")
      .replace(/\\(?:p\{\w+\}|u[\da-f]{4}|x[\da-f]{2}|[a-z])/gi, " ")
      .match(/[a-z]{2,}/gi);
    const word = words?.find((one) => !OWN_PARTS.has(one));
    if (word !== undefined) return word;
  }
  return [...line.matchAll(WORD_LIST)].find(([, list = ""]) => list.includes(" "))?.[1];
}

/** Files that reach each other by their imports, in groups. */
function circlesOf(files: readonly string[]): string[][] {
  const known = new Set(files);
  const targets = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((target) => target.startsWith("."))
        .map((target) => path.posix.join(path.posix.dirname(file), target))
        .filter((target) => known.has(target)),
    ]),
  );
  const found: string[][] = [];
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): void => {
    number.set(file, number.size);
    lowest.set(file, number.size - 1);
    open.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!number.has(target)) visit(target);
      if (open.includes(target))
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== number.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of files) if (!number.has(file)) visit(file);
  return found;
}

/** Plugins come in by theirs, and the loader hands both to a bot's `config.ts`. */
function isPublicDoor(file: string, target: string): boolean {
  if (file === "src/app/bot/modules.ts") return ["src/plugin.ts", "src/index.ts"].includes(target);
  return target === "src/plugin.ts" && file.startsWith("src/plugins/");
}

describe("the house", () => {
  test("shows only what a newcomer must see at the root", () => {
    const shown = [...new Set(tracked.map((file) => file.split("/")[0] ?? ""))]
      .filter((name) => !name.startsWith("."))
      .sort();

    expect(shown).toEqual(
      [
        "README.md",
        "flows",
        "package-lock.json",
        "package.json",
        "src",
        "test",
        "tsconfig.json",
      ].sort(),
    );
  });

  test("lets a room import only the rooms below it", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      if (file === "src/index.ts" || file === "src/plugin.ts") continue;
      const room = roomOf(file);
      const allowed = MAY_IMPORT[room];
      if (!allowed) wrong.push(`${file}: there is no room ${room}`);
      for (const target of importsOf(file)) {
        if (!target.startsWith(".")) continue;
        const resolved = path.posix.join(path.posix.dirname(file), target);
        const other = roomOf(resolved);
        if (other === room || other === "base" || !resolved.startsWith("src/")) continue;
        if (other === "plugins") continue; // Counted below.
        if (isPublicDoor(file, resolved)) continue;
        if (!allowed?.includes(other)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("enters another room only by its door", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      for (const target of importsOf(file)) {
        if (!target.startsWith("../")) continue;
        const resolved = path.posix.join(path.posix.dirname(file), target);
        if (!resolved.startsWith("src/") || roomOf(resolved) === roomOf(file)) continue;
        if (isPublicDoor(file, resolved)) continue;
        if (roomOf(file) === "plugins" || roomOf(resolved) === "plugins") continue; // Counted below.
        const isDoor = /^src\/[^/]+\/index\.ts$/.test(resolved);
        // Pure types that stand before the room they describe.
        const isSeam =
          /^src\/(store\/(port\/port|accounts)|flow\/chart\/chart-model|engine\/[a-z-]+\/[a-z-]+)\.ts$/.test(
            resolved,
          );
        if (!isDoor && !isSeam) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("imports no plugin in the runtime", () => {
    const wrong = sources
      .filter((file) => roomOf(file) !== "plugins")
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.includes("/plugins/"))
          .map((target) => `${file} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("lets a plugin import of the runtime its public module alone, and types in the browser", () => {
    const wrong: string[] = [];
    for (const file of sources.filter((name) => roomOf(name) === "plugins")) {
      const own = file.split("/").slice(0, 3).join("/");
      for (const target of importsOf(file)) {
        if (target === "prosa/plugin" && file.startsWith(`${own}/panels/`)) continue;
        if (!target.startsWith(".")) {
          if (target.startsWith("prosa")) wrong.push(`${file} imports ${target}`);
          continue;
        }
        const resolved = path.posix.join(path.posix.dirname(file), target);
        if (resolved !== "src/plugin.ts" && !resolved.startsWith(`${own}/`))
          wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("names no word of a business in the runtime", () => {
    const wrong = sources
      .filter((file) => !HAVE_BUSINESS_WORDS.includes(roomOf(file)))
      .flatMap((file) =>
        readFileSync(path.join(root, file), "utf8")
          .split("\n")
          .flatMap((line, index) => {
            if (NAMES_OF_OTHERS[file]?.some((name) => line.includes(name))) return [];
            const word = businessWord(line);
            return word === undefined ? [] : [`${file}:${index + 1} names "${word}"`];
          }),
      );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["const issuerZone = 1;", "issuer"],
    ["const ISSUER_ZONE = 1;", "ISSUER"],
    ["function similarNotes() {}", "Notes"],
    ["/** Emite a NFS-e. */", "NFS-e"],
    ["// A competência do mês.", "competência"],
    ['import "./sale-key.ts";', "sale"],
    ["// anote, denote, wholesale, notebook, takeReading, certain", undefined],
  ])("finds the word of a business in %s", (line, word) => {
    expect(businessWord(line)).toBe(word);
  });

  test("has no circular import, those of types included", () => {
    expect(circlesOf(sources)).toEqual([]);
  });

  test("keeps the words of a language out of the engine: they are read in understanding", () => {
    const wrong = sources
      .filter((file) => roomOf(file) === "engine" && file !== CODES)
      .flatMap((file) =>
        codeOf(file)
          .split("\n")
          .flatMap((line, index) => {
            const word = wordInPattern(line);
            return word === undefined ? [] : [`${file}:${index + 1} matches "${word}"`];
          }),
      );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["const NO = /^(?:nao|n)\\b/;", "nao"],
    ['const SMALL = new Set("de da do".split(" "));', "de da do"],
    ["const NO = new RegExp(`^${NOT} quero`);", "new RegExp"],
    ["const CODE = /^[A-Z]\\d{1,6}$/u;", undefined],
    ["if (/^(?:ask|confirm)\\./.test(key)) return;", undefined],
    ["const half = whole / 2; // and nao / more", undefined],
  ])("finds the word that %s matches", (line, word) => {
    expect(wordInPattern(line.replace(/\/\/ .*$/, ""))).toBe(word);
  });

  test("keeps clock, randomness and I/O out of the pure rooms", () => {
    const wrong: string[] = [];
    for (const file of sources.filter((name) => PURE.includes(roomOf(name)))) {
      const code = codeOf(file);
      if (
        /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\bfetch\(/.test(
          code,
        )
      )
        wrong.push(`${file} reads the clock, draws a number or does I/O`);
      for (const target of importsOf(file))
        if (target.startsWith("node:") && !PURE_NODE_MODULES.includes(target))
          wrong.push(`${file} imports ${target}`);
    }
    expect(wrong).toEqual([]);
  });

  test("lets flows import nothing but the package itself", () => {
    const wrong: string[] = [];
    for (const file of tracked.filter((name) => /^flows\/.*\.ts$/.test(name)))
      for (const target of importsOf(file))
        if (!/^prosa(?:\/\w+)?$/.test(target)) wrong.push(`${file}: ${target}`);
    expect(wrong).toEqual([]);
  });

  test("keeps the peers of the benchmark out of everything else", () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(root, "test/bench/peers/package.json"), "utf8"),
    ) as Record<"dependencies" | "optionalDependencies", Record<string, string>>;
    const peers = Object.keys({ ...dependencies, ...optionalDependencies });
    expect(peers).toEqual(expect.arrayContaining(["grammy", "@restatedev/restate-sdk"]));
    const wrong: string[] = [];
    for (const file of ["package.json", "package-lock.json"])
      for (const peer of peers)
        if (readFileSync(path.join(root, file), "utf8").includes(`${peer}"`))
          wrong.push(`${file} holds ${peer}`);
    for (const file of tracked.filter((name) => /\.(ts|tsx|js|mjs|yaml)$/.test(name))) {
      if (file.startsWith("test/bench/peers/")) continue;
      for (const target of importsOf(file))
        if (peers.includes(target)) wrong.push(`${file} imports ${target}`);
    }
    expect(wrong).toEqual([]);
  });

  test("uses the terms of the field instead of words of its own", () => {
    const wrong = sources.flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) => {
          const word = OWN_WORDS.exec(line)?.[0];
          return word === undefined ? [] : [`${file}:${index + 1} says ${word}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  test("has at most 15 files in a folder of the sources", () => {
    const files = new Map<string, number>();
    for (const file of tracked.filter((name) => name.startsWith("src/"))) {
      const folder = path.posix.dirname(file);
      files.set(folder, (files.get(folder) ?? 0) + 1);
    }
    expect([...files].filter(([, count]) => count > 15)).toEqual([]);
  });

  test("has no file of more than 300 lines, and no fragment under 40 that one file alone imports", () => {
    const files = tracked.filter((file) => /^(src|flows)\/.*\.tsx?$/.test(file));
    const lines = new Map(files.map((file) => [file, linesOf(file)]));
    const importers = new Map<string, Set<string>>();
    for (const file of files)
      for (const target of importsOf(file).filter((one) => one.startsWith("."))) {
        const imported = path.posix.join(path.posix.dirname(file), target);
        importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
      }
    const fragments = [...importers].flatMap(([file, [importer, second]]) => {
      const own = lines.get(file) ?? MAX_LINES;
      // A door lists the nouns of its room, however small they are.
      if (!importer || second || own >= 40 || APART[file]) return [];
      if (DOOR.test(importer) || DOOR.test(file)) return [];
      return own + (lines.get(importer) ?? 0) <= MAX_LINES
        ? [`${file} belongs into ${importer}`]
        : [];
    });
    expect(files.filter((file) => (lines.get(file) ?? 0) > MAX_LINES)).toEqual([]);
    expect(fragments).toEqual([]);
  });

  test("has no helper of tests that begins or ends something for the first file alone that loads it", () => {
    const wrong = tracked
      .filter((file) => /^test\/.*(?<!\.test)\.ts$/.test(file))
      .filter((file) => file !== "test/support/left-behind.ts")
      .filter((file) =>
        /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(path.join(root, file), "utf8")),
      );
    expect(wrong).toEqual([]);
  });

  test("leaves no unfinished marker and no skipped or focused test behind", () => {
    const banned = new RegExp(
      ["TO" + "DO", "FIX" + "ME", "XX" + "X\\b", "HA" + "CK"].map((word) => `\\b${word}`).join("|"),
    );
    const wrong: string[] = [];
    for (const file of tracked.filter((name) => /\.(ts|tsx|yaml|md)$/.test(name))) {
      const text = readFileSync(path.join(root, file), "utf8");
      if (banned.test(text)) wrong.push(`${file} has an unfinished marker`);
      if (/\b(?:it|test|describe)\.(?:only|skip|todo)\(/.test(text))
        wrong.push(`${file} skips a test`);
    }
    expect(wrong).toEqual([]);
  });
});
