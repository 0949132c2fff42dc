/**
 * Sample values for walking a flow. Each slot gets values that fit its kind and reach both results of every condition on
 * it. Context and results of calls get the values that conditions compare them with.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { evaluate, refs, type Expr } from "../ast/expression.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { expressionsOf } from "../machine/steps.ts";

/** Sample values of one slot or path at most: more only makes the same places again. */
const SAMPLES_MAX = 8;

/** Made-up people, companies and places; documents with right check digits that belong to nobody. */
const BY_KIND: { readonly [kind: string]: readonly Json[] } = {
  text: ["Corte de cabelo"],
  name: ["Maria Souza"],
  number: [1, 2],
  choice: [],
  yesno: [true, false],
  document: ["52998224725", "11222333000181"],
  cpf: ["52998224725"],
  cnpj: ["11222333000181"],
  money: [15_000],
  month: ["2026-10"],
  date: ["2026-11-20"],
  email: ["maria@example.com"],
  phone: ["5511988880002"],
  cep: ["01310100"],
  city: [{ code: "3550308", name: "São Paulo", uf: "SP" }],
  location: [{ latitude: -23.5505, longitude: -46.6333 }],
  address: [
    {
      logradouro: "Rua das Flores",
      numero: "123",
      bairro: "Centro",
      codigo_municipio: "3550308",
      uf: "SP",
      cep: "01310100",
    },
  ],
};
/** Tried for unknown kinds, until one fits. */
const ANY: readonly Json[] = ["Maria Souza", "abc", "1", 1, true, "2026-11-20", {}, []];

export class Samples {
  readonly #model: FlowIndex;
  /** What conditions compare a path with. */
  readonly #compared = new Map<string, Json[]>();
  /** Paths whose presence is asked for. */
  readonly #asked = new Set<string>();
  /** Lists of rows, by path, with the names of their fields. */
  readonly #rows = new Map<string, { readonly value: string; readonly label: string }>();
  /** Lists from outside, by path, with the reference that is looked for in them. */
  readonly #lists = new Map<string, string>();
  /** Lists of slots to ask again, by path. */
  readonly #clears = new Set<string>();
  readonly #read = new Set<string>();
  /** Comparisons of a path with what is written. */
  readonly #tests = new Map<string, Expr[]>();
  /** Paths whose value itself is used: every sample of them counts. */
  readonly #used: Set<string>;

  constructor(model: FlowIndex) {
    this.#model = model;
    this.#used = new Set(mentioned(model.ast as unknown as Json));
    for (const { step } of model.places) {
      for (const expr of expressionsOf(step)) {
        this.#conditions(expr);
        for (const path of refs(expr)) this.#read.add(path);
      }
      if (step.t === "ask" && step.options) this.#rows.set(step.options.from, step.options);
      if (step.t === "goto" && step.clear && "ref" in step.clear) this.#clears.add(step.clear.ref);
    }
  }

  /** Slots and paths that conditions read: what decides where a conversation goes. */
  get deciding(): ReadonlySet<string> {
    return new Set([...this.#compared.keys(), ...this.#asked].map((path) => head(path)));
  }

  /** Values of a slot that it accepts under these parameters. */
  of(slot: string, params: JsonObject): readonly Json[] {
    const kind = this.#model.kind(slot)?.name ?? "";
    const own = this.#model.words.kinds.get(kind)?.samples ?? ANY;
    const known = Object.hasOwn(BY_KIND, kind) ? (BY_KIND[kind] ?? []) : own;
    const limits = ["min", "max"].flatMap((name) => {
      const limit = params[name];
      return typeof limit === "number" && (kind === "money" || kind === "number") ? [limit] : [];
    });
    // Days and times that a question takes: whichever form fits its kind.
    const edges = ["from", "to"].flatMap((name) => {
      const edge = params[name];
      return typeof edge === "string" ? [edge, `${edge}T12:00`] : [];
    });
    const compared = (this.#compared.get(slot) ?? []).flatMap(around);
    const files = kind === "media" ? [file(params)] : [];
    const fit = [...compared, ...known, ...files, ...limits, ...edges].filter((value) =>
      this.#model.accepts(slot, value, params),
    );
    return distinct(fit).slice(0, SAMPLES_MAX);
  }

  /** Surroundings (`account`, `contact`, `input`) to begin in: a plain one first, then one for each side of a condition. */
  surroundings(): readonly { account: JsonObject; contact: JsonObject; input: JsonObject }[] {
    const heads = ["account", "contact", "input"];
    const outside = (path: string): boolean => heads.includes(head(path));
    const variants = this.#variants(outside);
    return variants.map((values) => {
      const made: Record<string, Record<string, Json>> = { account: {}, contact: {}, input: {} };
      for (const [path, value] of values) put(made, path.split("."), value);
      return made as { account: JsonObject; contact: JsonObject; input: JsonObject };
    });
  }

  /** Fields of a step's result to end it with. */
  results(step: string): readonly JsonObject[] {
    return this.#variants((path) => head(path) === step && !path.endsWith(".outcome")).map(
      (values) => {
        const made: Record<string, Json> = {};
        for (const [path, value] of values)
          if (value !== undefined) put(made, path.split(".").slice(1), value);
        return made;
      },
    );
  }

  /** Every combination where there are few, else the plain one and one change at a time. */
  #variants(wanted: (path: string) => boolean): readonly (readonly [string, Json | undefined])[][] {
    const paths = [...new Set([...this.#read, ...this.#asked, ...this.#rows.keys()])]
      .filter((path) => wanted(path) && path.includes("."))
      .map((path) => [path, this.#candidates(path)] as const);
    const combinations = paths.reduce((all, [, values]) => all * values.length, 1);
    const plain = paths.map(([path, values]) => [path, values[0]] as [string, Json | undefined]);
    if (combinations <= COMBINATIONS_MAX)
      return paths.reduce<[string, Json | undefined][][]>(
        (all, [path, values]) =>
          all.flatMap((one) =>
            values.map((value) => [...one, [path, value] as [string, Json | undefined]]),
          ),
        [[]],
      );
    return [
      plain,
      ...paths.flatMap(([path, values]) =>
        values
          .slice(1)
          .map((value) =>
            plain.map((one) =>
              one[0] === path ? ([path, value] as [string, Json | undefined]) : one,
            ),
          ),
      ),
    ].slice(0, COMBINATIONS_MAX);
  }

  #candidates(path: string): readonly (Json | undefined)[] {
    const rows = this.#rows.get(path);
    if (rows) return [ROW_IDS.map((id) => ({ [rows.value]: id, [rows.label]: `Opção ${id}` }))];
    if (this.#clears.has(path)) {
      const first = this.#model.order[0];
      return [first === undefined ? [] : [first]];
    }
    if (path === "account.operators") return [["phone:5511900000001"]];
    const member = this.#lists.get(path);
    if (member !== undefined) return [[], this.#members(member)];
    const compared = this.#compared.get(path);
    if (compared)
      return this.#telling(path, distinct([...compared.flatMap(around), other(compared)]));
    return this.#asked.has(path) ? ["x", undefined] : ["x"];
  }

  /** All a reference can be in a walk: the rows of a choice, the samples of a slot or of what is derived from it. */
  #members(path: string): Json[] {
    const [slot = "", field] = path.split(".");
    const facet = field === undefined ? undefined : this.#model.kind(slot)?.facets[field];
    const values = this.of(slot, {}).flatMap((value) => (facet ? (facet(value) ?? []) : value));
    return distinct([...ROW_IDS, ...values]);
  }

  /** One value for each way the comparisons of a path can come out, where nothing else reads it. */
  #telling(path: string, values: readonly Json[]): readonly Json[] {
    const tests = this.#tests.get(path) ?? [];
    if (tests.length === 0 || this.#used.has(path)) return values;
    const ways = new Set<string>();
    return values.filter((value) => {
      const way = JSON.stringify(tests.map((test) => evaluate(test, () => value)));
      return !ways.has(way) && ways.add(way);
    });
  }

  #conditions(expr: Expr): void {
    if ("cmp" in expr) {
      if (expr.cmp === "in" && "ref" in expr.l && "ref" in expr.r)
        this.#lists.set(expr.r.ref, expr.l.ref);
      for (const [one, two] of [
        [expr.l, expr.r],
        [expr.r, expr.l],
      ] as const) {
        if (!("ref" in one)) {
          for (const path of refs(one)) this.#used.add(path);
          continue;
        }
        const values = "val" in two ? [two.val].flat() : [];
        if ("val" in two) this.#tests.set(one.ref, [...(this.#tests.get(one.ref) ?? []), expr]);
        else this.#used.add(one.ref);
        this.#compared.set(one.ref, [...(this.#compared.get(one.ref) ?? []), ...values]);
      }
    } else if ("has" in expr) this.#asked.add(expr.has);
    else if ("first" in expr)
      for (const part of expr.first) {
        if ("ref" in part) this.#asked.add(part.ref);
        for (const path of refs(part)) this.#used.add(path);
      }
    else if ("not" in expr) this.#conditions(expr.not);
    else if ("and" in expr) expr.and.forEach((part) => this.#conditions(part));
    else if ("or" in expr) expr.or.forEach((part) => this.#conditions(part));
    else if ("rule" in expr)
      for (const part of expr.of) {
        if ("ref" in part) this.#compared.set(part.ref, []);
        for (const path of refs(part)) this.#used.add(path);
      }
    else for (const path of refs(expr)) this.#used.add(path);
  }
}

/** Rows of a choice with a list from outside. */
const ROW_IDS = ["1", "2"] as const;
/** Combinations of surroundings, or of a result's fields, walked at most. */
const COMBINATIONS_MAX = 32;

/** A compared value and its neighbours, where it has some. */
function around(value: Json): readonly Json[] {
  return typeof value === "number" ? [value, value - 1, value + 1] : [value];
}

/** Every text of a flow that is no reference of an expression: paths among them are limits, options and times. */
function mentioned(part: Json | undefined): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((one: Json) => mentioned(one));
  return Object.entries(part).flatMap(([name, one]) =>
    name === "ref" || name === "has" ? [] : mentioned(one),
  );
}

/** Something none of these values is. */
function other(values: readonly Json[]): Json {
  const [first] = values;
  if (typeof first === "boolean") return !first;
  if (typeof first === "number") return Math.max(...values.map(Number)) + 1_000;
  return "other";
}

/** A small file of a sort that the slot takes. */
function file({ of, maxBytes }: JsonObject): Json {
  const [media = "image"] = Array.isArray(of) ? (of as readonly Json[]) : [];
  return {
    media,
    key: "a-file",
    bytes: typeof maxBytes === "number" ? Math.min(500, maxBytes) : 500,
  };
}

function head(path: string): string {
  return path.split(".")[0] ?? "";
}

function distinct<T>(values: readonly T[]): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value) ?? "undefined";
    return seen.has(key) ? false : seen.add(key);
  });
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined || value === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const next =
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? (inner as Record<string, unknown>)
      : {};
  target[key] = next;
  put(next, rest, value);
}
