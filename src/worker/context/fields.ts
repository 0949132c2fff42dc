/** Fields of answers whose shape is not known. */
import type { Json } from "../../base/index.ts";

/** A field of a JSON object; undefined when there is none or the value is no object. */
export function field(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, Json | undefined>>)[name];
}

/** A text or number field as text. */
export function textField(value: Json | undefined, name: string): string | undefined {
  const found = field(value, name);
  if (typeof found === "string" && found !== "") return found;
  return typeof found === "number" ? String(found) : undefined;
}
