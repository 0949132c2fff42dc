/** The methods of {@link Kit} at run time: untyped here, typed there. */
import { METHODS } from "../machine/steps.ts";
import type { Making } from "./making.ts";

type Maker = { readonly [method: string]: (...args: readonly unknown[]) => unknown };

export function makerOf(making: Making): Maker {
  return Object.fromEntries(
    Object.entries(METHODS).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => method.make(making, ...args),
    ]),
  );
}
