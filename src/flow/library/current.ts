/**
 * A library whose flows can be replaced while conversations use them. The next call after a replacement sees the new
 * flows.
 */
import type { FlowLibrary } from "./library.ts";

export class CurrentLibrary implements FlowLibrary {
  #now: FlowLibrary;
  readonly get: FlowLibrary["get"];
  readonly list: FlowLibrary["list"];
  readonly asts: FlowLibrary["asts"];
  readonly word: FlowLibrary["word"];
  readonly versions: NonNullable<FlowLibrary["versions"]>;
  /** Code of the bot, which is loaded once, at the start. */
  readonly readers: NonNullable<FlowLibrary["readers"]>;

  constructor(library: FlowLibrary) {
    this.#now = library;
    this.get = (flow, hash) => this.#now.get(flow, hash);
    this.list = () => this.#now.list();
    this.asts = () => this.#now.asts();
    this.word = (...of) => this.#now.word(...of);
    this.readers = library.readers ?? [];
    this.versions = () => this.#now.versions?.() ?? [];
  }

  get findings(): FlowLibrary["findings"] {
    return this.#now.findings;
  }

  use(library: FlowLibrary): void {
    this.#now = library;
  }
}
