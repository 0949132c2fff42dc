import { Fault } from "../../base/index.ts";

/** A finding of a check of flows or texts. `rule` is `group/name`, and each message says what to do. */
export interface Finding {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly flow?: string;
  readonly step?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The text it is about: where it stands in the catalogue of a language. */
  readonly text?: { readonly key: string; readonly locale: string };
  readonly message: string;
}

/** `flow.yaml:3:5 [slot/unknown] …`, in one line. */
export function findingLine(finding: Finding): string {
  const place = finding.file
    ? [finding.file, finding.line, finding.column].filter((part) => part !== undefined).join(":")
    : [finding.flow, finding.step].filter((part) => part !== undefined).join(" › ");
  return `${place} [${finding.rule}] ${finding.message}`;
}

/** The name most like `name`, when one is near enough to be a slip. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name, candidate);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

export function didYouMean(name: string, names: Iterable<string>): string {
  const near = nearest(name, names);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** Changes of one letter, swaps of neighbours included. Names are short, so the square cost is nothing. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** Does the work; what it throws that is no `Fault` of ours becomes a `FLOW_FAILED` that names the step. */
export function atStep<T>(file: string, step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (Fault.is(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    // The machine's words about a walk without end speak of its own settings.
    const endless = /infinite loop/i.test(why);
    const what = endless ? "it goes on from step to step without end" : why;
    const place = `${file}, step "${step}"`;
    throw new Fault("FLOW_FAILED", `${place}: ${what.replace(/\.$/, "")}.`, {
      details: { place },
      cause: error,
    });
  }
}
