/** Where the shape of a body comes from when the interface does not show it (†), and what a deployment may change of it. */

/** Kinds of source, the surest first. */
export const PROVENANCE_KINDS = {
  "engine-schema": "the engine's published request schema",
  "engine-guide": "the engine's published guide and the public clients written for it",
  callers: "bodies that public callers of the gateway send and see answered",
  analogy: "nothing is published; the shape follows a comparable service or the national standard",
} as const;
export type ProvenanceKind = keyof typeof PROVENANCE_KINDS;

export interface Provenance {
  readonly kind: ProvenanceKind;
  /** What exactly is taken from there, in one sentence. */
  readonly note: string;
  /** Fields of the gateway profile that change the shape for a deployment. */
  readonly profile: readonly string[];
}

function of(kind: ProvenanceKind) {
  return (note: string, ...profile: string[]): Provenance => ({ kind, note, profile });
}

/** `engineSchema("quoted.key.id names the message", "bodies")`. */
export const engineSchema = of("engine-schema");
export const engineGuide = of("engine-guide");
export const callers = of("callers");
export const analogy = of("analogy");
