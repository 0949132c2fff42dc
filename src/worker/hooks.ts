/** What a plugin adds to the worker. Every hook is optional; lists are joined in the order of the plugins. */
import type { EffectSpec } from "./effects/spec.ts";
import type { LocalSpec } from "./effects/local.ts";

export interface WorkerHooks {
  /**
   * Effects that flows may name: one gateway call each ({@link EffectSpec}), or code ({@link LocalSpec}). A name belongs to one
   * plugin; a call under the id of a gateway route takes that route over.
   */
  readonly effects?: readonly (EffectSpec | LocalSpec)[];
}

/** The hooks of one plugin, with its name for errors. */
export interface Plugged extends WorkerHooks {
  readonly name: string;
}
