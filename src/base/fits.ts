/**
 * A quick yes to "is this already exactly what the schema would give back?", made once of a zod schema.
 *
 * Most data that is checked is data this program wrote. For it a walk without copies is enough; only what does not pass is
 * parsed, which tells what is wrong, or what is to be left out. A schema with parts this walk does not know never passes.
 */
import type { z } from "zod";

type Fits = (value: unknown) => boolean;
type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
type Check = Readonly<Record<string, unknown>>;

/** Reads data by a schema; undefined when it does not fit. What fits as it is comes back as it is, not as a copy. */
export function reader<S extends z.ZodType>(
  schema: S,
): (value: unknown) => z.output<S> | undefined {
  const walk = fitsOf(schema);
  return (value) => (walk(value) ? (value as z.output<S>) : parsed(schema, value));
}

/** zod 4 throws a TypeError of `{"length": {"toString": 1, "valueOf": 1}}` where a bounded text is wanted: refused here. */
function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  try {
    return schema.safeParse(value).data;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const walks = new WeakMap<Schema, Fits>();

/** Whether the schema would give the data back as it is. False says nothing: the schema has the last word. */
export function fits(schema: Schema, value: unknown): boolean {
  let walk = walks.get(schema);
  if (!walk) walks.set(schema, (walk = fitsOf(schema)));
  return walk(value);
}

const never: Fits = () => false;

function fitsOf(schema: z.core.$ZodType): Fits {
  const def = schema._zod.def as Def;
  const bare = bareOf(def);
  const checks = (def["checks"] as readonly z.core.$ZodCheck[] | undefined) ?? [];
  if (def["check"] !== undefined && def.type !== "custom") return formatted(def, bare, checks);
  return checks.length === 0 ? bare : withChecks(bare, checks);
}

/** A type that is a check of its own: `z.int()`. */
function formatted(def: Def, bare: Fits, checks: readonly z.core.$ZodCheck[]): Fits {
  const own = checkOf(def);
  const rest = withChecks(bare, checks);
  return own ? (value) => rest(value) && own(value) : never;
}

function withChecks(bare: Fits, checks: readonly z.core.$ZodCheck[]): Fits {
  const tests = checks.map((check) => checkOf(check._zod.def as unknown as Check));
  if (tests.some((test) => test === undefined)) return never;
  const known = tests as readonly Fits[];
  return (value) => bare(value) && known.every((test) => test(value));
}

function bareOf(def: Def): Fits {
  switch (def.type) {
    case "string":
      return (value) => typeof value === "string";
    case "number":
      return Number.isFinite;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "literal":
      return oneOf(def["values"] as readonly unknown[]);
    case "enum":
      return oneOf(Object.values(def["entries"] as object));
    case "custom":
      return def["fn"] as Fits;
    case "nullable":
      return orElse(null, inner(def));
    case "optional":
      return orElse(undefined, inner(def));
    case "array":
      return list(fitsOf(def["element"] as z.core.$ZodType));
    case "record":
      return record(def);
    case "object":
      return object(def["shape"] as Shape, def["catchall"] as Schema | undefined);
    case "catch":
      return inner(def);
    case "pipe":
      return pipe(def);
    case "union":
      return union(def);
    case "lazy":
      return lazy(def["getter"] as () => z.core.$ZodType);
    default:
      return never;
  }
}

function checkOf(check: Check): Fits | undefined {
  const minimum = check["minimum"] as number;
  const maximum = check["maximum"] as number;
  const limit = check["value"] as number;
  const inclusive = check["inclusive"] === true;
  switch (check["check"]) {
    case "min_length":
      return (value) => (value as ArrayLike<unknown>).length >= minimum;
    case "max_length":
      return (value) => (value as ArrayLike<unknown>).length <= maximum;
    case "greater_than":
      return (value) => (value as number) > limit || (inclusive && value === limit);
    case "less_than":
      return (value) => (value as number) < limit || (inclusive && value === limit);
    case "number_format":
      return check["format"] === "safeint" ? Number.isSafeInteger : undefined;
    case "string_format": {
      const { pattern } = check;
      if (check["format"] !== "regex" || !(pattern instanceof RegExp)) return undefined;
      return pattern.global || pattern.sticky
        ? undefined
        : (value) => pattern.test(value as string);
    }
    default:
      return undefined;
  }
}

function inner(def: Def): Fits {
  return fitsOf(def["innerType"] as z.core.$ZodType);
}

function orElse(other: null | undefined, fits: Fits): Fits {
  return (value) => value === other || fits(value);
}

function oneOf(values: readonly unknown[]): Fits {
  const known = new Set(values);
  return (value) => known.has(value);
}

function list(element: Fits): Fits {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (let at = 0; at < value.length; at++) if (!element(value[at])) return false;
    return true;
  };
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/**
 * Every key is known and every value fits. A key whose value is undefined does not pass: it is no data. A loose schema keeps
 * whatever else there is.
 */
function object(shape: Shape, catchall: Schema | undefined): Fits {
  const others = catchall?._zod.def.type;
  if (others !== undefined && others !== "never" && others !== "unknown") return never;
  const isLoose = others === "unknown";
  const keys = Object.keys(shape);
  const tests = keys.map((key) => fitsOf(shape[key] as z.core.$ZodType));
  return (value) => {
    if (!isPlain(value)) return false;
    let present = 0;
    for (let at = 0; at < keys.length; at++) {
      const part = value[keys[at] as string];
      if (part !== undefined) present++;
      if (!(tests[at] as Fits)(part)) return false;
    }
    for (const key in value)
      if (key === "__proto__") return false;
      else present--;
    return present === 0 || (isLoose && present < 0);
  };
}

function record(def: Def): Fits {
  const keyType = (def["keyType"] as z.core.$ZodType)._zod.def as Def;
  if (keyType.type !== "string" || keyType["checks"] !== undefined) return never;
  const fits = fitsOf(def["valueType"] as z.core.$ZodType);
  return (value) => {
    if (!isPlain(value)) return false;
    for (const key of Object.keys(value))
      if (key === "__proto__" || !fits(value[key])) return false;
    return true;
  };
}

function union(def: Def): Fits {
  const options = def["options"] as readonly z.core.$ZodType[];
  const name = def["discriminator"] as string | undefined;
  const tests = options.map(fitsOf);
  if (name === undefined) return (value) => tests.some((test) => test(value));
  const byName = new Map<unknown, Fits>();
  options.forEach((option, at) => {
    const shape = (option._zod.def as Def)["shape"] as Shape | undefined;
    const tag = shape?.[name]?._zod.def as Def | undefined;
    for (const value of tag?.type === "literal" ? (tag["values"] as readonly unknown[]) : [])
      byName.set(value, tests[at] as Fits);
  });
  return (value) => isPlain(value) && (byName.get(value[name]) ?? never)(value);
}

/** What a step before the schema leaves as it is. One that is given more than the value may do anything. */
function pipe(def: Def): Fits {
  const before = (def["in"] as Schema)._zod.def as Def;
  const change = before["transform"] as ((value: unknown) => unknown) | undefined;
  if (before.type !== "transform" || change?.length !== 1) return never;
  const walk = fitsOf(def["out"] as Schema);
  return (value) => change(value) === value && walk(value);
}

/** Compiled when it is first met: such schemas hold themselves. */
function lazy(getter: () => z.core.$ZodType): Fits {
  let fits: Fits | undefined;
  return (value) => (fits ??= fitsOf(getter()))(value);
}
