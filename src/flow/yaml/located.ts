/**
 * YAML as plain data with positions. Anchors, aliases, tags, merge keys, further documents and duplicate keys are refused.
 * So a flow holds only what its file shows.
 */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Scalar,
  type YAMLError,
} from "yaml";
import type { Json } from "../../base/index.ts";

/** Lines and columns are counted from 1, columns in UTF-16 units. */
export interface At {
  readonly line: number;
  readonly column: number;
}
export interface ScalarNode extends At {
  readonly is: "scalar";
  readonly value: string | number | boolean | null;
  /** Columns from the node's own to its first letter; null when the letters of the file are not those of the value. */
  readonly inset: number | null;
}
interface ListNode extends At {
  readonly is: "list";
  readonly items: readonly Node[];
}
export interface Entry {
  readonly key: string;
  readonly at: At;
  readonly value: Node;
}
export interface MapNode extends At {
  readonly is: "map";
  readonly entries: readonly Entry[];
}
export type Node = ScalarNode | ListNode | MapNode;

export interface Problem extends At {
  readonly message: string;
}
type Located =
  { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly problem: Problem };

/** The data of a tree, places left out. Keys are own properties whatever they are called. */
export function plain(node: Node): Json {
  if (node.is === "scalar") return node.value;
  if (node.is === "list") return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

/** Where each key of a tree of maps stands, by its path: `ask.value.again`. */
export function placesOf(node: Node, path = "", into = new Map<string, At>()): Map<string, At> {
  if (node.is !== "map") return into;
  for (const { key, at, value } of node.entries) {
    const own = path === "" ? key : `${path}.${key}`;
    into.set(own, at);
    placesOf(value, own, into);
  }
  return into;
}

/** Deepest nesting taken: a flow that a person can read has a fifth of it. */
const MAX_DEPTH = 48;
/** Values in one file: twenty times the largest flow shipped. */
const MAX_NODES = 20_000;

class Refused extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Reads a file of at most `maxLength` characters. Never throws on a text. */
export function located(text: string, maxLength: number): Located {
  const refuse = (message: string, at: At = { line: 1, column: 1 }): Located => ({
    ok: false,
    problem: { line: at.line, column: at.column, message },
  });
  if (text.length > maxLength)
    return refuse(`the file has ${text.length} characters, at most ${maxLength} are read`);
  const lines = new LineCounter();
  const place = (offset: number): At => {
    const { line, col } = lines.linePos(Math.max(0, offset));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      merge: false,
      prettyErrors: false,
      uniqueKeys: true,
    });
    const [error] = document.errors;
    if (error) return refuse(sentence(error), place(error.pos[0]));
    const [warning] = document.warnings;
    if (warning) return refuse(sentence(warning), place(warning.pos[0]));
    return { ok: true, root: new Walk(text, place).root(document) };
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message, place(error.offset));
    // The parser itself runs out of stack on thousands of open brackets.
    if (error instanceof RangeError) return refuse("nested too deeply");
    throw error;
  }
}

class Walk {
  private count = 0;
  private readonly text: string;
  private readonly place: (offset: number) => At;

  constructor(text: string, place: (offset: number) => At) {
    this.text = text;
    this.place = place;
  }

  root(document: Document.Parsed): Node {
    return this.node(document.contents, 0, 0);
  }

  private node(node: unknown, depth: number, around: number): Node {
    const offset = startOf(node) ?? around;
    if (isAlias(node)) throw new Refused(offset, "aliases (*) are not taken: write it out");
    if (depth > MAX_DEPTH) throw new Refused(offset, "nested too deeply");
    this.count += 1;
    if (this.count > MAX_NODES) throw new Refused(offset, `more than ${MAX_NODES} values`);
    this.bare(node, offset);
    const at = this.place(offset);
    if (isMap(node))
      return {
        is: "map",
        ...at,
        entries: node.items.map((pair) => this.entry(pair, depth, offset)),
      };
    if (isSeq(node))
      return {
        is: "list",
        ...at,
        items: node.items.map((item) => this.node(item, depth + 1, offset)),
      };
    if (isScalar(node)) return { is: "scalar", ...at, ...this.scalar(node, offset) };
    if (node === null || node === undefined)
      return { is: "scalar", ...at, value: null, inset: null };
    throw new Refused(offset, "this is no text, number, list or map");
  }

  private entry(pair: unknown, depth: number, around: number): Entry {
    if (!isPair(pair)) throw new Refused(around, "this is no map");
    const { key, value } = pair;
    const offset = startOf(key) ?? around;
    if (isAlias(key)) throw new Refused(offset, "aliases (*) are not taken: write it out");
    if (!isScalar(key) || typeof key.value !== "string")
      throw new Refused(offset, "a key must be a word; quote it if it is meant");
    this.bare(key, offset);
    if (key.value === "<<")
      throw new Refused(offset, "merge keys (<<) are not taken: write it out");
    if (key.value === "__proto__") throw new Refused(offset, '"__proto__" is no name');
    return { key: key.value, at: this.place(offset), value: this.node(value, depth + 1, offset) };
  }

  /** Anchors and tags change what stands elsewhere, or what a text is. */
  private bare(node: unknown, offset: number): void {
    const { anchor, tag } = (node ?? {}) as { anchor?: unknown; tag?: unknown };
    if (anchor !== undefined) throw new Refused(offset, "anchors (&) are not taken: write it out");
    if (tag !== undefined) throw new Refused(offset, "tags (!) are not taken");
  }

  private scalar(node: Scalar, offset: number): Pick<ScalarNode, "value" | "inset"> {
    const { value, type } = node;
    const plain = type === "PLAIN";
    const inset = plain ? 0 : type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE" ? 1 : null;
    if (value === null || typeof value === "boolean") return { value, inset };
    if (typeof value === "number") {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        throw new Refused(offset, "this number is too large, or none; quote it if it is a text");
      return { value, inset };
    }
    if (typeof value !== "string") throw new Refused(offset, "this is no text or number");
    const written = this.text.slice(offset + (inset ?? 0), offset + (inset ?? 0) + value.length);
    return { value, inset: written === value ? inset : null };
  }
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

/** The parser's messages, for people who never read a YAML specification. */
const SENTENCES: { readonly [code: string]: string } = {
  ALIAS_PROPS: "aliases (*) are not taken: write it out",
  BAD_ALIAS: "aliases (*) are not taken: write it out",
  BAD_DIRECTIVE: "directives (%) are not taken",
  BAD_INDENT: "the indentation does not fit the lines above",
  BAD_PROP_ORDER: "anchors (&) and tags (!) are not taken",
  BAD_SCALAR_START: "a text cannot begin with this sign; quote it",
  BLOCK_AS_IMPLICIT_KEY:
    "a map begins here where a text is expected; quote a text that holds a colon",
  BLOCK_IN_FLOW: "inside [ ] and { } only values in one line may stand",
  DUPLICATE_KEY: "this key stands here already",
  IMPOSSIBLE: "this is no YAML",
  KEY_OVER_1024_CHARS: "the key is too long",
  MISSING_CHAR: "a sign is missing: a comma, a quote, or the end of a list",
  MULTILINE_IMPLICIT_KEY: "a key must stand in one line",
  MULTIPLE_ANCHORS: "anchors (&) are not taken",
  MULTIPLE_DOCS: "one file holds one document: take --- out",
  MULTIPLE_TAGS: "tags (!) are not taken",
  NON_STRING_KEY: "a key must be a word",
  RESOURCE_EXHAUSTION: "nested too deeply",
  TAB_AS_INDENT: "indent by spaces, not by tabs",
  TAG_RESOLVE_FAILED: "tags (!) are not taken",
  UNEXPECTED_TOKEN: "this sign does not belong here; quote the text if it is meant",
  BAD_COLLECTION_TYPE: "tags (!) are not taken",
  BAD_DQ_ESCAPE: "a backslash inside double quotes begins an escape; write it twice",
};

function sentence(error: YAMLError): string {
  return SENTENCES[error.code] ?? "this is no YAML";
}
