/**
 * Conditions as people write them: `account.policy.address == 'always' or document.type == 'cnpj'`, and back.
 *
 *     expr = or {"else" or};  or = and {"or" and};  and = not {"and" not};  not = "not" not | cmp
 *     cmp  = atom [("=="|"!="|"<"|"<="|">"|">="|"in") atom]
 *     atom = "(" expr ")" | "'" text "'" | number | "true" | "false" | "[" literal {"," literal} "]"
 *          | "has(" ref ")" | rule "(" [expr {"," expr}] ")" | ref
 */
import type { Json } from "../../base/index.ts";
import { COMPARISONS, type Comparison, type Expr } from "./expression.ts";

type ParsedExpr =
  | { readonly ok: true; readonly expr: Expr }
  | { readonly ok: false; readonly at: number; readonly message: string };

/** Longest text and deepest nesting of one condition; far above what a person can read. */
const MAX_LENGTH = 2_000;
const MAX_DEPTH = 30;

interface Token {
  readonly kind: "word" | "text" | "number" | "sign" | "end";
  readonly text: string;
  readonly at: number;
}

class Stop extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Parses a condition or a value. A failure names the column, counted from 1. */
export function parse(text: string): ParsedExpr {
  try {
    if (text.length > MAX_LENGTH) throw new Stop(0, `longer than ${MAX_LENGTH} characters`);
    const reader = new Reader(tokens(text));
    const expr = reader.expr(0);
    reader.expect("end");
    return { ok: true, expr };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, at: error.at + 1, message: error.message };
    throw error;
  }
}

const SHAPES: readonly [Token["kind"] | "space", RegExp][] = [
  ["space", /\s+/y],
  ["text", /'(?:[^'\\]|\\.)*'/y],
  ["number", /-?\d+(?:\.\d+)?/y],
  ["word", /[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)*/y],
  ["sign", /==|!=|<=|>=|[<>()[\],]/y],
];

function tokens(text: string): Token[] {
  const list: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token.kind !== "space") list.push({ kind: token.kind, text: token.text, at });
    at += token.text.length;
  }
  list.push({ kind: "end", text: "", at });
  return list;
}

function tokenAt(text: string, at: number): { kind: Token["kind"] | "space"; text: string } {
  for (const [kind, shape] of SHAPES) {
    shape.lastIndex = at;
    const match = shape.exec(text);
    if (match) return { kind, text: match[0] };
  }
  const hint = text[at] === "=" ? "; did you mean ==" : "";
  throw new Stop(at, `unexpected "${text[at] ?? ""}"${hint}`);
}

class Reader {
  private index = 0;
  private readonly list: readonly Token[];
  constructor(list: readonly Token[]) {
    this.list = list;
  }

  expr(depth: number): Expr {
    return this.chain(depth, "else", () => this.or(depth));
  }

  private or(depth: number): Expr {
    return this.chain(depth, "or", () => this.and(depth));
  }

  private and(depth: number): Expr {
    return this.chain(depth, "and", () => this.not(depth));
  }

  private chain(depth: number, word: keyof typeof JOINED, next: () => Expr): Expr {
    if (depth > MAX_DEPTH) throw new Stop(this.peek().at, "nested too deeply");
    const parts = [next()];
    while (this.takeWord(word)) parts.push(next());
    const [first] = parts;
    if (parts.length === 1 && first) return first;
    return JOINED[word](parts);
  }

  private not(depth: number): Expr {
    if (depth > MAX_DEPTH) throw new Stop(this.peek().at, "nested too deeply");
    return this.takeWord("not") ? { not: this.not(depth + 1) } : this.comparison(depth);
  }

  private comparison(depth: number): Expr {
    const left = this.atom(depth);
    const token = this.peek();
    const cmp = COMPARISONS.find((sign) => sign === token.text && token.kind !== "text");
    if (!cmp) return left;
    this.index += 1;
    return { cmp: cmp satisfies Comparison, l: left, r: this.atom(depth) };
  }

  private atom(depth: number): Expr {
    const token = this.next();
    if (token.kind === "text") return { val: unquote(token.text) };
    if (token.kind === "number") return { val: Number(token.text) };
    if (token.kind === "sign" && token.text === "(") {
      const inner = this.expr(depth + 1);
      this.sign(")");
      return inner;
    }
    if (token.kind === "sign" && token.text === "[") return { val: this.literals(depth) };
    if (token.kind === "word") return this.word(token, depth);
    throw new Stop(
      token.at,
      token.kind === "end" ? "ends too early" : `unexpected "${token.text}"`,
    );
  }

  private word(token: Token, depth: number): Expr {
    if (token.text === "true" || token.text === "false") return { val: token.text === "true" };
    if (["else", "and", "or", "not", "in"].includes(token.text))
      throw new Stop(token.at, `unexpected "${token.text}"`);
    if (this.peek().text !== "(" || this.peek().kind !== "sign") return { ref: token.text };
    this.index += 1;
    const of: Expr[] = [];
    while (!this.takeSign(")")) {
      if (of.length > 0) this.sign(",");
      of.push(this.expr(depth + 1));
    }
    if (token.text !== "has") return { rule: token.text, of };
    const [only] = of;
    if (of.length !== 1 || !only || !("ref" in only))
      throw new Stop(token.at, "has() takes one reference");
    return { has: only.ref };
  }

  private literals(depth: number): Json[] {
    const items: Json[] = [];
    while (!this.takeSign("]")) {
      if (items.length > 0) this.sign(",");
      const { at } = this.peek();
      const item = this.atom(depth + 1);
      if (!("val" in item)) throw new Stop(at, "a list holds literals only");
      items.push(item.val);
    }
    return items;
  }

  expect(kind: Token["kind"]): void {
    const token = this.next();
    if (token.kind !== kind) throw new Stop(token.at, `unexpected "${token.text}"`);
  }

  private sign(text: string): void {
    const token = this.peek();
    if (!this.takeSign(text)) throw new Stop(token.at, `expected "${text}"`);
  }

  private takeSign(text: string): boolean {
    const token = this.peek();
    if (token.kind !== "sign" || token.text !== text) return false;
    this.index += 1;
    return true;
  }

  private takeWord(text: string): boolean {
    const token = this.peek();
    if (token.kind !== "word" || token.text !== text) return false;
    this.index += 1;
    return true;
  }

  private peek(): Token {
    return this.list[Math.min(this.index, this.list.length - 1)] ?? END;
  }

  private next(): Token {
    const token = this.peek();
    this.index += 1;
    return token;
  }
}

const JOINED = {
  else: (parts: readonly Expr[]): Expr => ({ first: parts }),
  or: (parts: readonly Expr[]): Expr => ({ or: parts }),
  and: (parts: readonly Expr[]): Expr => ({ and: parts }),
} as const;

const END: Token = { kind: "end", text: "", at: 0 };

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, "$1");
}

/** Text of an expression; `parse(print(x))` is `x` and `print(parse(t))` is stable. */
export function print(expr: Expr, level = 0): string {
  const [text, own] = printPart(expr);
  return own < level ? `(${text})` : text;
}

/** Text and binding strength: 0 else, 1 or, 2 and, 3 not, 4 comparison, 5 atom. */
function printPart(expr: Expr): [string, number] {
  if ("ref" in expr) return [expr.ref, 5];
  if ("val" in expr) return [printValue(expr.val), 5];
  if ("has" in expr) return [`has(${expr.has})`, 5];
  if ("rule" in expr) return [`${expr.rule}(${expr.of.map((part) => print(part)).join(", ")})`, 5];
  // Only inputs of calls have these, and nobody writes them as text: shown on charts, not read back.
  if ("list" in expr) return [`[${expr.list.map((part) => print(part)).join(", ")}]`, 5];
  if ("object" in expr) {
    const parts = Object.entries(expr.object).map(([name, part]) => `${name}: ${print(part)}`);
    return [`{${parts.join(", ")}}`, 5];
  }
  if ("cmp" in expr) return [`${print(expr.l, 5)} ${expr.cmp} ${print(expr.r, 5)}`, 4];
  if ("not" in expr) return [`not ${print(expr.not, 3)}`, 3];
  if ("and" in expr) return [expr.and.map((part) => print(part, 3)).join(" and "), 2];
  if ("first" in expr) return [expr.first.map((part) => print(part, 1)).join(" else "), 0];
  return [expr.or.map((part) => print(part, 2)).join(" or "), 1];
}

function printValue(value: Json): string {
  if (typeof value === "string") return `'${value.replace(/[\\']/g, "\\$&")}'`;
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  return JSON.stringify(value);
}
