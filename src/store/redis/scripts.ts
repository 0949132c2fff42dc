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

let texts: Readonly<Record<ScriptName, Callable>> | undefined;

/** Every script: its text, and the digest under which Redis knows it. */
export function callables(): Readonly<Record<ScriptName, Callable>> {
  if (texts) return texts;
  const prelude = file("prelude");
  const all = [
    ...TAKING_IN.map((place) => [place, TAKES_IN + prelude + file(place)]),
    ...DRAINING.map((place) => [place, DRAINS + prelude + file(place)]),
    ...GUARDING.map((place) => [place, DRAINS + prelude + file("server") + file(place)]),
    ...SHOWING.map((place) => [place, DRAINS + prelude + file("shown") + file(place)]),
    ...OTHER_TAKING_IN.map((place) => [place, TAKES_IN + file(place)]),
    ...OTHER_DRAINING.map((place) => [place, DRAINS + file(place)]),
  ] as [string, string][];
  const sha = (lua: string) => createHash("sha1").update(lua).digest("hex");
  texts = Object.fromEntries(
    all.map(([place, lua]) => [path.basename(place), { lua, sha: sha(lua) }]),
  ) as unknown as Record<ScriptName, Callable>;
  return texts;
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
