/**
 * Filters and pages of the lookups under `/chat`. A filter comes as a body, or as a query: `where` as JSON text, or field
 * by field (`where[key][remoteJid]=…`), where every value is a text.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { isObject, textAt } from "../http/bounded.ts";
import type { Call } from "../http/outcome.ts";

/** Rows of a page when the call names no size, by the engine's public sources; and at most. */
const PAGE_SIZE = 50;
const PAGE_LIMIT = 1_000;

/** `where[key][fromMe]` and its like: names of letters only, three deep at most. */
const FIELD = /^where((?:\[[A-Za-z]{1,30}\]){1,3})$/;

export function filterOf(call: Call): JsonObject {
  const { where, page, offset } = call.query;
  return {
    ...fieldsOf(call.query),
    ...(where === undefined ? {} : { where: parsed(where) }),
    page,
    offset,
    ...call.body,
  };
}

/** A filter nobody can read filters nothing, as with the engine. */
function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Values and branches apart, so that a field given both ways is read as neither's inside. */
interface Branch {
  readonly values: Map<string, string>;
  readonly branches: Map<string, Branch>;
}

function newBranch(): Branch {
  return { values: new Map(), branches: new Map() };
}

function fieldsOf(query: Readonly<Record<string, string>>): JsonObject {
  const root = newBranch();
  for (const [name, value] of Object.entries(query)) {
    const inside = FIELD.exec(name)?.[1];
    if (inside === undefined) continue;
    const path = inside.slice(1, -1).split("][");
    const last = path.pop() ?? "";
    let branch = root;
    for (const step of path) {
      const next = branch.branches.get(step) ?? newBranch();
      branch.branches.set(step, next);
      branch = next;
    }
    branch.values.set(last, value);
  }
  return root.values.size + root.branches.size > 0 ? { where: objectOf(root) } : {};
}

function objectOf({ values, branches }: Branch): JsonObject {
  const inside = [...branches].map(([key, branch]) => [key, objectOf(branch)] as const);
  return Object.fromEntries<Json>([...values, ...inside]);
}

/** True and false, also as texts. */
export function flagAt(body: JsonObject, key: string): boolean | undefined {
  const value = body[key];
  if (value === true || value === "true" || value === "1") return true;
  return value === false || value === "false" || value === "0" ? false : undefined;
}

/** Epoch milliseconds of ISO text or epoch seconds; undefined for anything else. */
export function instantOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value * 1_000;
  if (typeof value !== "string") return undefined;
  const read = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(read) ? undefined : read;
}

interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly pages: number;
  readonly currentPage: number;
}

/** One page of a list; `offset` is the page's size. `size` is that of a call which names none. */
export function pageOf<T>(all: readonly T[], filter: JsonObject, size = PAGE_SIZE): Page<T> {
  const rows = Math.min(PAGE_LIMIT, positive(filter, "offset") ?? size);
  const currentPage = positive(filter, "page") ?? 1;
  return {
    rows: all.slice((currentPage - 1) * rows, currentPage * rows),
    total: all.length,
    pages: Math.ceil(all.length / rows),
    currentPage,
  };
}

/** Everything, where the engine pages only when asked. */
export const ALL_ROWS = PAGE_LIMIT;

function positive(filter: JsonObject, key: string): number | undefined {
  const value = Number(textAt(filter, key) ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
