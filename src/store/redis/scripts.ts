/** The store's steps as Lua scripts, one file each in `lua/`. Every script has one key, which decides the slot. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Callable } from "./script-calls.ts";

/** Refused while memory is full: they take in new work. */
const TAKING_IN = ["accept"] as const;
/** Run also while memory is full, so that the store can empty itself. */
const DRAINING = [
  ...(["amend", "backlog", "bury", "claim", "commit", "dead", "end", "hold"] as const),
  ...([
    "erase",
    "forward",
    "handed",
    "journal",
    "knew",
    "park",
    "reap",
    "renew",
    "resolve",
    "rewrap",
  ] as const),
  ...(["forget-lines", "session", "sessions", "tick"] as const),
] as const;
/** The same, and they know which server runs them. */
const GUARDING = ["begin", "vouch"] as const;
/** The same, and they show effects as people and checks see them. */
const SHOWING = ["effect", "effects", "effects-of", "held"] as const;
/** Outside the partitions: people, documents, business keys, pauses. */
const OTHER_TAKING_IN = ["identify"] as const;
const OTHER_DRAINING = [
  ...([
    "claim-key",
    "end-key",
    "drop-field",
    "first-field",
    "forget",
    "forgotten",
    "forwarded",
  ] as const),
  ...([
    "hold-keys",
    "lead",
    "list",
    "pause",
    "put",
    "remove",
    "resume",
    "rewrap-field",
    "set-for",
  ] as const),
] as const;

export type PartitionScript = (
  typeof TAKING_IN | typeof DRAINING | typeof GUARDING | typeof SHOWING
)[number];
export type OtherScript = (typeof OTHER_TAKING_IN)[number] | (typeof OTHER_DRAINING)[number];
export type ScriptName = PartitionScript | OtherScript;

const file = (name: string): string =>
  readFileSync(new URL(`lua/${name}.lua`, import.meta.url), "utf8");

/** Without flags Redis refuses a script once `maxmemory` is reached, before its first write. */
const TAKES_IN = "#!lua\n";
const DRAINS = "#!lua flags=allow-oom\n";

/** The command under which a script is known to the client: no built-in command has such a name. */
export const commandOf = (name: ScriptName): string => `prosa:${name}`;

let texts: Readonly<Record<ScriptName, Callable>> | undefined;

/** Every script: its text, and the digest under which Redis knows it. */
export function callables(): Readonly<Record<ScriptName, Callable>> {
  if (texts) return texts;
  const prelude = file("prelude");
  const all: [ScriptName, string][] = [
    ...TAKING_IN.map((name): [ScriptName, string] => [name, TAKES_IN + prelude + file(name)]),
    ...DRAINING.map((name): [ScriptName, string] => [name, DRAINS + prelude + file(name)]),
    ...GUARDING.map((name): [ScriptName, string] => [
      name,
      DRAINS + prelude + file("server") + file(name),
    ]),
    ...SHOWING.map((name): [ScriptName, string] => [
      name,
      DRAINS + prelude + file("shown") + file(name),
    ]),
    ...OTHER_TAKING_IN.map((name): [ScriptName, string] => [
      name,
      TAKES_IN + file(`other/${name}`),
    ]),
    ...OTHER_DRAINING.map((name): [ScriptName, string] => [name, DRAINS + file(`other/${name}`)]),
  ];
  const sha = (lua: string) => createHash("sha1").update(lua).digest("hex");
  texts = Object.fromEntries(
    all.map(([name, lua]) => [name, { lua, sha: sha(lua) }]),
  ) as unknown as Record<ScriptName, Callable>;
  return texts;
}

/** For the `scripts` option of the client. A fixed number of keys keeps auto-pipelining in a Cluster on the right node. */
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
 * In a Cluster each script names a second key, of the same slot, that is never there. While a slot moves, half of its keys are
 * here and half there, and a script that names one missing key would be sent to the half that has arrived. Of two missing
 * keys the new node says TRYAGAIN until it has the whole slot.
 */
export function keyBeside(key: string): string {
  return key.includes("{") ? `${key}-` : `{${key}}-`;
}
