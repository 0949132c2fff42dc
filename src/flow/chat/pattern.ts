/** What a `<` line may hold, and the lines that were expected beside those that came. */

const PART = /…|\{([a-z][\w.-]*)\}|\[options (\d{1,3})\.\.(\d{1,3})\]/g;

/** The pattern of a group of lines: white space between and inside lines is free. */
export function patternOf(
  lines: readonly string[],
  phrases: (key: string) => readonly string[],
): RegExp | { readonly unknown: string } {
  const sources: string[] = [];
  for (const line of lines) {
    const source = sourceOf(line, phrases);
    if (typeof source !== "string") return source;
    sources.push(source);
  }
  return new RegExp(`^\\s*${sources.join("\\s*")}\\s*$`, "u");
}

function sourceOf(
  line: string,
  phrases: (key: string) => readonly string[],
): string | { readonly unknown: string } {
  let source = "";
  let from = 0;
  for (const match of line.matchAll(PART)) {
    source += literal(line.slice(from, match.index));
    from = match.index + match[0].length;
    const [all, key, first, last] = match;
    if (all === "…") source += "[\\s\\S]*?";
    else if (key !== undefined) {
      const forms = phrases(key);
      if (forms.length === 0) return { unknown: key };
      source += `(?:${forms.map(phrase).join("|")})`;
    } else source += options(Number(first), Number(last));
  }
  return source + literal(line.slice(from));
}

/** A catalogue text: its placeholders may be anything. */
function phrase(text: string): string {
  return text
    .split(/\{\{[^{}]*\}\}/)
    .map(literal)
    .join("[\\s\\S]*?");
}

function options(first: number, last: number): string {
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return rows.map((row) => `\\s*${row}\\. [^\\n]+`).join("");
}

function literal(text: string): string {
  return text
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("\\s+");
}

export interface DiffRow {
  readonly expected?: string;
  readonly got?: string;
  /** Whether the one fits the other. */
  readonly same: boolean;
}

/** A line that stands for any number of lines. */
const ANY = "…";
/** Lines of one message that are compared; a longer one is shown as it is. */
const LINES_MAX = 200;

type Fits = (expected: string, got: string) => boolean;

/** Rows of the longest run of lines that fit, in order; between them what is only expected and what only came. */
export function diffRows(
  expected: readonly string[],
  got: readonly string[],
  phrases: (key: string) => readonly string[],
): readonly DiffRow[] {
  const fits: Fits = (line, said) => {
    const pattern = patternOf([line], phrases);
    return pattern instanceof RegExp && pattern.test(said);
  };
  const left = expected.slice(0, LINES_MAX);
  const right = got.slice(0, LINES_MAX);
  return walked(left, right, lengths(left, right, fits), fits);
}

/** `table[i][j]`: how many lines can still fit from there on. */
function lengths(left: readonly string[], right: readonly string[], fits: Fits): number[][] {
  const table = Array.from({ length: left.length + 1 }, () =>
    Array.from({ length: right.length + 1 }, () => 0),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const line = left[i] ?? "";
      const skip = Math.max(at(i + 1, j), at(i, j + 1));
      // A line for any run takes what it gets and proves nothing: it never wins over a line that fits by its words.
      const best =
        line !== ANY && fits(line, right[j] ?? "") ? Math.max(skip, at(i + 1, j + 1) + 1) : skip;
      (table[i] ?? [])[j] = best;
    }
  return table;
}

function walked(
  left: readonly string[],
  right: readonly string[],
  table: readonly (readonly number[])[],
  fits: Fits,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  let i = 0;
  let j = 0;
  let only: string[] = [];
  let came: string[] = [];
  const settle = (): void => {
    const any = only.indexOf(ANY);
    if (any >= 0) {
      const rest = only.filter((line) => line !== ANY);
      for (const line of rest) rows.push({ expected: line, same: false });
      if (came.length === 0) rows.push({ expected: ANY, same: true });
      for (const [index, line] of came.entries())
        rows.push(
          index === 0 ? { expected: ANY, got: line, same: true } : { got: line, same: true },
        );
    } else
      for (let row = 0; row < Math.max(only.length, came.length); row++) {
        const expected = only[row];
        const got = came[row];
        rows.push({ expected, got, same: false });
      }
    only = [];
    came = [];
  };
  while (i < left.length || j < right.length) {
    const expected = left[i];
    const got = right[j];
    const meets =
      expected !== undefined &&
      got !== undefined &&
      expected !== ANY &&
      at(i, j) === at(i + 1, j + 1) + 1 &&
      fits(expected, got);
    if (meets) {
      settle();
      rows.push({ expected, got, same: true });
      i++;
      j++;
    } else if (expected !== undefined && (got === undefined || at(i + 1, j) >= at(i, j + 1))) {
      only.push(expected);
      i++;
    } else if (got !== undefined) {
      came.push(got);
      j++;
    }
  }
  settle();
  return rows;
}
