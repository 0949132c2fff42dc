/**
 * What a value of `flow.yaml` may be. The reader, the JSON Schema and the tables of fields are made of these shapes, so that
 * they cannot differ.
 */

export type Shape =
  /** Words of people, keys of texts, ids. */
  | { readonly is: "text"; readonly doc?: string }
  /** One word out of these. */
  | { readonly is: "one"; readonly of: readonly string[] }
  | { readonly is: "whole"; readonly min: number }
  /** A whole number, or the path of one: `account.policy.tries`. */
  | { readonly is: "amount"; readonly min: number }
  /** `true` and nothing else: what is not meant is left out. */
  | { readonly is: "yes" }
  /** `90s`, `15m`, `2h`, `3d`, `2bh`, `1bd`, or the path of one. */
  | { readonly is: "duration" }
  /** A name with dots: `account.services`. */
  | { readonly is: "path" }
  /** An expression; lists and maps of expressions where `deep`. Numbers, true and false stand for themselves. */
  | { readonly is: "expression"; readonly deep?: true }
  /** Any JSON. */
  | { readonly is: "data" }
  | { readonly is: "steps" }
  | { readonly is: "list"; readonly of: Shape }
  | { readonly is: "names"; readonly of: Shape }
  | { readonly is: "fields"; readonly of: Fields; readonly rest?: Shape }
  /** The first that fits the sort of value: text, list or map. */
  | { readonly is: "either"; readonly of: readonly Shape[] };

export interface Field {
  readonly shape: Shape;
  readonly needed?: true;
  readonly doc: string;
}
export type Fields = { readonly [name: string]: Field };

export const text = { is: "text" } as const;
export const whole = (min: number): Shape => ({ is: "whole", min });
export const amount = (min: number): Shape => ({ is: "amount", min });
export const yes = { is: "yes" } as const;
export const duration = { is: "duration" } as const;
export const path = { is: "path" } as const;
export const condition = { is: "expression" } as const;
export const value = { is: "expression", deep: true } as const;
export const data = { is: "data" } as const;
export const steps = { is: "steps" } as const;
export const one = (...of: readonly string[]): Shape => ({ is: "one", of });
export const list = (of: Shape): Shape => ({ is: "list", of });
export const names = (of: Shape): Shape => ({ is: "names", of });
export const fields = (of: Fields, rest?: Shape): Shape => ({ is: "fields", of, rest });
export const either = (...of: readonly Shape[]): Shape => ({ is: "either", of });

export function may(shape: Shape, doc: string): Field {
  return { shape, doc };
}
export function must(shape: Shape, doc: string): Field {
  return { shape, doc, needed: true };
}
