/** The store's steps as Lua scripts, one file each below `lua/`. Every script has one key, which decides the slot. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Callable } from "./connection/script-calls.ts";

/** Refused while memory is full: they take in new work. */
const TAKING_IN = ["mail/accept"] as const;
/** Run also while memory is full, so that the store can empty itself. */
const DRAINING = [
  "dead/resolve-dead",
  "dead/dead",
  "dead/dead-letter",
  "effects/end",
  "effects/forget-lines",
  "effects/hold",
  "effects/reap",
  "effects/resolve",
  "mail/amend",
  "mail/backlog",
  "mail/claim",
  "mail/commit",
  "mail/erase",
  "mail/forward",
  "mail/handed",
  "mail/journal",
  "mail/knew",
  "mail/renew",
  "mail/rewrap",
  "mail/session",
  "mail/sessions",
  "mail/tick",
] as const;
/** The same; they also know which server runs them. */
const GUARDING = ["effects/begin", "effects/vouch"] as const;
/** The same; they also show effects for people and checks. */
const SHOWING = [
  "effects/effect",
  "effects/effects",
  "effects/effects-of",
  "effects/held",
] as const;
/** Outside the partitions: people, documents, business keys, pauses. */
const OTHER_TAKING_IN = ["people/identify"] as const;
const OTHER_DRAINING = [
  "documents/drop-field",
  "documents/first-field",
  "documents/list",
  "documents/put",
  "documents/remove",
  "documents/rewrap-field",
  "documents/set-for",
  "keys/claim-key",
  "keys/end-key",
  "keys/hold-keys",
  "pauses/lead",
  "pauses/pause",
  "pauses/resume",
  "people/forget",
  "people/forgotten",
  "people/forwarded",
] as const;

/** A script is known by its file's name. */
type NameOf<P extends string> = P extends `${string}/${infer Name}` ? Name : never;

export type PartitionScript = NameOf<
  (typeof TAKING_IN | typeof DRAINING | typeof GUARDING | typeof SHOWING)[number]
>;
type OtherScript = NameOf<(typeof OTHER_TAKING_IN)[number] | (typeof OTHER_DRAINING)[number]>;
export type ScriptName = PartitionScript | OtherScript;

const file = (place: string): string =>
  readFileSync(new URL(`lua/${place}.lua`, import.meta.url), "utf8");

/** Without flags Redis refuses a script once `maxmemory` is reached, before its first write. */
const TAKES_IN = "#!lua\n";
const DRAINS = "#!lua flags=allow-oom\n";

/** The command under which a script is known to the client: no built-in command has such a name. */
export const commandOf = (name: ScriptName): string => `prosa:${name}`;

/**
 * Of these many are called at once, with every message or by looking for work in all partitions: all calls of a round of the
 * event loop are one call of the server.
 */
const BATCHED: ReadonlySet<string> = new Set([
  "mail/accept",
  "mail/claim",
  "mail/commit",
  "mail/tick",
  "effects/begin",
  "effects/end",
  "effects/reap",
]);

let texts: Readonly<Record<ScriptName, Callable>> | undefined;

/** Every script: its text, and the digest under which Redis knows it. */
export function callables(): Readonly<Record<ScriptName, Callable>> {
  if (texts) return texts;
  const prelude = file("prelude");
  const ofPartition = (place: string, flags: string, beside = ""): [string, Callable] => {
    const body = `${beside}${file(place)}`;
    const run = `${usedOf(prelude, body)}${body}`;
    const one = textOf(`${flags}${CLOCK}${run}`);
    return [place, BATCHED.has(place) ? { ...one, many: textOf(manyOf(flags, run)) } : one];
  };
  const other = (place: string, flags: string): [string, Callable] => [
    place,
    textOf(flags + file(place)),
  ];
  const all = [
    ...TAKING_IN.map((place) => ofPartition(place, TAKES_IN)),
    ...DRAINING.map((place) => ofPartition(place, DRAINS)),
    ...GUARDING.map((place) => ofPartition(place, DRAINS, file("server"))),
    ...SHOWING.map((place) => ofPartition(place, DRAINS, file("shown"))),
    ...OTHER_TAKING_IN.map((place) => other(place, TAKES_IN)),
    ...OTHER_DRAINING.map((place) => other(place, DRAINS)),
  ];
  texts = Object.fromEntries(
    all.map(([place, callable]) => [path.basename(place), callable]),
  ) as unknown as Record<ScriptName, Callable>;
  return texts;
}

function textOf(lua: string): { readonly lua: string; readonly sha: string } {
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

const CLOCK = "local clock = redis.call('TIME')\n";

/**
 * The parts of the prelude that a script uses. Each call makes the functions anew: all of them take as long as three
 * commands. Parts stand apart by an empty line, and use only what stands before them.
 */
function usedOf(prelude: string, script: string): string {
  let used = "";
  for (const part of prelude
    .replace(/^ *--.*\n/gm, "")
    .split(/\n\n+/)
    .reverse()) {
    const names = [...part.matchAll(/^local (?:function )?([\w, ]+)/gm)].flatMap(([, defined]) =>
      (defined ?? "").split(",").map((name) => name.trim()),
    );
    const isUsed = names.some((name) => new RegExp(`\\b${name}\\b`).test(used + script));
    if (isUsed) used = `${part}\n${used}`;
  }
  return used;
}

/**
 * The script for several calls: a key for each; then for each the number of its values, and these. Answers one answer or
 * error for each: what fails in one partition does not fail the others.
 */
function manyOf(flags: string, run: string): string {
  return `${flags}${CLOCK}local function run(KEYS, ARGV)
${run}
end
local answers, at = {}, 1
for n, key in ipairs(KEYS) do
  local values, count = {}, tonumber(ARGV[at])
  for i = 1, count do values[i] = ARGV[at + i] end
  at = at + count + 1
  local ok, answer = pcall(run, {key}, values)
  if not ok then answer = {err = type(answer) == 'table' and answer.err or tostring(answer)} end
  answers[n] = answer
end
return answers
`;
}

/** For the `scripts` option of the client. With a fixed number of keys auto-pipelining in a Cluster finds the right node. */
export function scripts(
  numberOfKeys: 1 | 2 = 1,
): Record<string, { lua: string; numberOfKeys: number }> {
  return Object.fromEntries(
    Object.entries(callables()).map(([name, { lua }]) => [
      commandOf(name as ScriptName),
      { lua, numberOfKeys },
    ]),
  );
}

/**
 * In a Cluster each script names a second key of the same slot that never exists. While a slot moves, half of its keys are
 * here and half there, and a script that names one missing key would be sent to the half that has arrived. With two missing
 * keys the new node answers TRYAGAIN until it has the whole slot.
 */
export function keyBeside(key: string): string {
  return key.includes("{") ? `${key}-` : `{${key}}-`;
}
