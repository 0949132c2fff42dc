/** Kinds of slots: what one is made of, and the parts that several share. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { SlotReading } from "../../engine/index.ts";
import { type Kind, understand, type Understood } from "../../understanding/index.ts";
import { plainText } from "../texts/template.ts";
import type { KindContext, SlotKind } from "../authoring/vocabulary.ts";

/** A kind of answers. Missing parts get the plain form. */
export function defineKind(
  name: string,
  kind: Pick<SlotKind, "version" | "schema" | "read"> & Partial<SlotKind>,
): SlotKind {
  return {
    echo: plainText,
    facets: {},
    names: [],
    bad: ["absent"],
    longest: "x".repeat(80),
    ...kind,
    name,
  };
}

/** A number among the parameters. */
export function limit(params: JsonObject, name: string, otherwise: number): number {
  const value = params[name];
  return typeof value === "number" ? value : otherwise;
}

/** A result of `understanding` in the engine's form. */
export function reading(understood: Understood): SlotReading {
  if (understood.ok)
    return { ok: true, value: understood.value as unknown as Json, echo: understood.echo };
  const { reason, hint, options, piece } = understood;
  return {
    ok: false,
    reason,
    hint,
    piece,
    options: options?.map(({ value, echo, kind }) => ({ value, echo, kind })),
  };
}

/** Reads an answer as `understanding` does. */
export function understood(kind: Kind) {
  return (text: string, context: KindContext): SlotReading =>
    reading(understand(kind, text, context));
}
