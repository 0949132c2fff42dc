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
