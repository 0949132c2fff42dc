/** What a `<` line may hold: literal text, `…` for any text, `{say.hello}` for a catalogue text, `[options 1..3]`. */

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
