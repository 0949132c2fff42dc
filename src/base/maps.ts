/** Maps with a rule: a memory within its limit, and names that are claimed. */

/**
 * Keeps a map that is used as a memory within its limit: the oldest entries go, an eighth of the limit at a time.
 *
 * One by one would be dear: a map remembers where deleted entries stood, and looking for the oldest walks over those
 * thousands each time (17 µs an entry at 20,000). A limit below 8 is kept to the entry.
 */
export function trim(map: Map<unknown, unknown>, limit: number): void {
  if (map.size <= limit) return;
  const left = limit - Math.floor(limit / 8);
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= left) return;
  }
}

/** Names that plugins claim one after the other: the first who claims one has it. */
export class Claims {
  readonly #owners: Map<string, string>;

  /** `taken`: what the runtime has. */
  constructor(taken: Iterable<string> = []) {
    this.#owners = new Map([...taken].map((what) => [what, "the runtime"]));
  }

  /** Undefined when `what` was free, and is the plugin's from now on; else the sentence that tells both names. */
  refusal(plugin: string, what: string): string | undefined {
    const known = this.#owners.get(what);
    this.#owners.set(what, known ?? `the plugin ${plugin}`);
    return known === undefined
      ? undefined
      : `The plugin ${plugin} declares ${what}, as ${known} does, and goes without it: rename it there.`;
  }
}
