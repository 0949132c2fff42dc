/** A store with other steps in place of some of its own: what a chat file and the tests put around the real one. */
import type { Store } from "./port.ts";

type Group = {
  [Name in keyof Store]: Store[Name] extends (...given: never[]) => unknown ? never : Name;
}[keyof Store];
/** A step by its name: `effects.begin`, or `now` of the store itself. */
export type StepName =
  Exclude<keyof Store, Group> | { [G in Group]: `${G}.${keyof Store[G] & string}` }[Group];
type StepOf<Name extends StepName> = Name extends keyof Store
  ? Store[Name]
  : Name extends `${infer G extends Group}.${infer M}`
    ? M extends keyof Store[G]
      ? Store[G][M]
      : never
    : never;
export type Steps = { [Name in StepName]?: StepOf<Name> };

type Step = (...given: never[]) => unknown;

/**
 * `over`: other steps by name, or a function that is asked for one at each use, with the store's own. Undefined: the store's
 * own.
 *
 * ```ts
 * withSteps(store, { "effects.begin": async () => [] });
 * ```
 */
export function withSteps(
  store: Store,
  over: Steps | ((name: StepName, own: Step) => unknown),
): Store {
  const find = typeof over === "function" ? over : (name: StepName): unknown => over[name];
  const around = <T extends object>(target: T, prefix: string): T => {
    const parts = new Map<PropertyKey, unknown>();
    const partOf = (key: PropertyKey): unknown => {
      const own: unknown = Reflect.get(target, key, target);
      if (typeof own === "function") return own.bind(target) as unknown;
      return typeof own === "object" && own !== null ? around(own, `${String(key)}.`) : own;
    };
    return new Proxy(target, {
      get(_, key) {
        if (!parts.has(key)) parts.set(key, partOf(key));
        const own = parts.get(key);
        if (typeof own !== "function") return own;
        return find(`${prefix}${String(key)}` as StepName, own as Step) ?? own;
      },
    });
  };
  return around(store, "");
}
