/** Reads the values of a `flow.yaml` by their {@link Shape}. Errors have a position and the nearest valid name. */
import type { Json } from "../../base/index.ts";
import { isDuration } from "../ast/durations.ts";
import type { Expr } from "../ast/expression.ts";
import { parse } from "../ast/expression-text.ts";
import { didYouMean } from "../ast/finding.ts";
import { Cond, refTo } from "../authoring/reference.ts";
import { isPath } from "../machine/steps.ts";
import type { Fields, Shape } from "./shape.ts";
import {
  plain,
  type At,
  type MapNode,
  type Node,
  type Problem,
  type ScalarNode,
} from "./located.ts";

/** A name with dots; fields of a row may be numbered. */
export const PATH = /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+){0,12}$/;

/** What does not fit, and where. The reader of the file catches it and reports the first one. */
export class Misfit extends Error {
  readonly problem: Problem;
  constructor({ line, column }: At, message: string) {
    super(message);
    this.problem = { line, column, message };
  }
}

/** Reads steps; the reader of shapes knows only that there are such. */
type ReadSteps = (node: Node) => unknown;

export class Reader {
  private readonly steps: ReadSteps;
  constructor(steps: ReadSteps) {
    this.steps = steps;
  }

  /** The value for the kit: plain data, with expressions as conditions and paths as references. */
  read(shape: Shape, node: Node, what: string): unknown {
    switch (shape.is) {
      case "text":
        return textAt(node, what);
      case "one":
        return oneOf(node, shape.of, what);
      case "whole":
        return wholeAt(node, shape.min, what);
      case "amount":
        return node.is === "scalar" && isPath(node.value)
          ? node.value
          : wholeAt(node, shape.min, what);
      case "yes":
        if (node.is === "scalar" && node.value === true) return true;
        throw new Misfit(node, `${what} is true or is left out`);
      case "duration":
        return durationAt(node, what);
      case "path":
        return refTo(pathAt(node, what));
      case "expression":
        return new Cond(expressionAt(node, what, shape.deep === true));
      case "data":
        return plain(node);
      case "steps":
        return this.steps(node);
      case "list":
        if (node.is !== "list") throw new Misfit(node, `${what} is a list: [a, b]`);
        return node.items.map((item) => this.read(shape.of, item, what));
      case "names":
        return this.named(shape.of, node, what);
      case "fields":
        return this.fields(shape.of, mapAt(node, what), what, shape.rest);
      case "either":
        return this.read(fitting(shape.of, node), node, what);
    }
  }

  private named(of: Shape, node: Node, what: string): Record<string, unknown> {
    return Object.fromEntries(
      mapAt(node, what).entries.map(({ key, value }) => [
        key,
        this.read(of, value, `"${key}" of ${what}`),
      ]),
    );
  }

  /** Options by name; unknown ones are refused with the nearest known, unless `rest` says what they are. */
  fields(
    of: Fields,
    { entries, ...at }: Pick<MapNode, "entries" | keyof At>,
    what: string,
    rest?: Shape,
  ): Record<string, unknown> {
    const known = Object.keys(of);
    const read = entries.map(({ key, at: place, value }): [string, unknown] => {
      const shape = Object.hasOwn(of, key) ? of[key]?.shape : rest;
      if (!shape) throw new Misfit(place, `${what} takes no "${key}".${didYouMean(key, known)}`);
      return [key, this.read(shape, value, `"${key}" of ${what}`)];
    });
    const given = new Set(entries.map(({ key }) => key));
    for (const [name, field] of Object.entries(of))
      if (field.needed && !given.has(name)) throw new Misfit(at, `${what} needs "${name}"`);
    return Object.fromEntries(read);
  }
}

export function mapAt(node: Node, what: string): MapNode {
  if (node.is !== "map") throw new Misfit(node, `${what} is a map: name: value`);
  return node;
}

function scalarAt(node: Node, what: string, wanted: string): ScalarNode {
  if (node.is !== "scalar") throw new Misfit(node, `${what} is ${wanted}`);
  return node;
}

export function textAt(node: Node, what: string): string {
  const { value } = scalarAt(node, what, "one text");
  if (typeof value !== "string")
    throw new Misfit(node, `${what} is a text${value === null ? "" : "; quote it"}`);
  if (value === "") throw new Misfit(node, `${what} is empty`);
  return value;
}

function oneOf(node: Node, of: readonly string[], what: string): string {
  const value = textAt(node, what);
  if (of.includes(value)) return value;
  throw new Misfit(
    node,
    `${what} is one of ${of.join(", ")}, not "${value}".${didYouMean(value, of)}`,
  );
}

function wholeAt(node: Node, min: number, what: string): number {
  const { value } = scalarAt(node, what, "a number");
  if (typeof value === "number" && Number.isInteger(value) && value >= min) return value;
  throw new Misfit(node, `${what} is a whole number from ${min} on`);
}

function durationAt(node: Node, what: string): string {
  const value = textAt(node, what);
  if (isDuration(value) || isPath(value)) return value;
  throw new Misfit(node, `${what}: "${value}" is no duration: 90s, 15m, 2h, 3d, 2bh, 1bd`);
}

function pathAt(node: Node, what: string): string {
  const value = textAt(node, what);
  if (PATH.test(value)) return value;
  throw new Misfit(node, `${what} is a name with dots, such as account.services`);
}

function expressionAt(node: Node, what: string, deep: boolean): Expr {
  if (node.is === "scalar") return scalarExpression(node, what);
  if (!deep) throw new Misfit(node, `${what} is a condition in one text`);
  if (node.is === "list") {
    const parts = node.items.map((item) => expressionAt(item, what, true));
    const values = parts.flatMap((part) => ("val" in part ? [part.val] : []));
    return values.length === parts.length ? { val: values } : { list: parts };
  }
  const parts = node.entries.map(({ key, value }): [string, Expr] => [
    key,
    expressionAt(value, what, true),
  ]);
  const values = parts.flatMap(([key, part]) => ("val" in part ? [[key, part.val]] : []));
  return values.length === parts.length
    ? { val: Object.fromEntries(values) as Json }
    : { object: Object.fromEntries(parts) };
}

function scalarExpression(node: ScalarNode, what: string): Expr {
  const { value, inset } = node;
  if (typeof value !== "string") {
    if (value === null && inset === null) throw new Misfit(node, `${what} is empty`);
    return { val: value };
  }
  const parsed = parse(value);
  if (parsed.ok) return parsed.expr;
  const place =
    inset === null || value.includes("\n")
      ? node
      : { line: node.line, column: node.column + inset + parsed.at - 1 };
  throw new Misfit(
    place,
    `${parsed.message} at column ${parsed.at} of: ${shortened(value)} (a text is quoted twice: "'like this'")`,
  );
}

/** Longest piece of a file repeated in a message. */
const SHOWN = 120;
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}

/** The alternative for this sort of value; without one the first, so that its message says what is expected. */
function fitting(of: readonly Shape[], node: Node): Shape {
  const wanted = (shape: Shape): boolean => {
    if (shape.is === "list" || shape.is === "steps") return node.is === "list";
    if (shape.is === "names" || shape.is === "fields") return node.is === "map";
    if (shape.is === "whole") return node.is === "scalar" && typeof node.value === "number";
    return node.is === "scalar" && typeof node.value !== "number";
  };
  const found = of.find(wanted) ?? of[0];
  if (!found) throw new TypeError("no alternatives");
  return found;
}
