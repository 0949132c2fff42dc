/** Reads a hand-written machine: XState allows several notations for most things. */
import { isJsonObject, type Json, type JsonObject } from "../../base/index.ts";

/** Guards or actions with their parameters. */
export function namedOf(
  of: Json | undefined,
): { readonly type: string; readonly params: JsonObject }[] {
  const list = Array.isArray(of) ? (of as readonly Json[]) : of === undefined ? [] : [of];
  return list.map((one) => {
    if (typeof one === "string") return { type: one, params: {} };
    if (!isJsonObject(one)) return { type: "", params: {} };
    const { type, params } = one;
    return {
      type: typeof type === "string" ? type : "",
      params: isJsonObject(params) ? params : {},
    };
  });
}

/** The edges of one event, or of `always`, in order. */
export function edgesOf(of: Json | undefined): JsonObject[] {
  const list = Array.isArray(of) ? (of as readonly Json[]) : of === undefined ? [] : [of];
  return list.map((one) =>
    typeof one === "string" ? { target: one } : isJsonObject(one) ? one : {},
  );
}

export function onOf(of: JsonObject): JsonObject {
  return isJsonObject(of["on"]) ? of["on"] : {};
}

export function statesOf(machine: JsonObject): Record<string, JsonObject> {
  return isJsonObject(machine["states"]) ? (machine["states"] as Record<string, JsonObject>) : {};
}

/** The state that a target means: written plain, with a dot, or absolute. */
export function stateOf({ flow }: { readonly flow: string }, target: string): string {
  return target.replace(`#${flow}.`, "").replace(/^\./, "");
}
