/** Why a flow's file could not be read: which file and line it was, the flow's own or one it imports, and what to do. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { didYouMean, type Finding } from "../../flow/index.ts";
import { shown } from "../shown.ts";

/** What was thrown, as it comes out of the thread. */
export interface Thrown {
  readonly message?: string;
  readonly stack?: string;
}
interface Spot {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export function broken(file: string, { message = "cannot be read", stack = "" }: Thrown): Finding {
  return (
    notCompiling(file, message) ??
    notThere(file, message) ??
    noExport(file, message) ?? {
      ...finding(file, message.split("\n")[0] ?? ""),
      ...placeIn(file, stack),
    }
  );
}

export function finding(file: string, message: string): Finding {
  const flow = path.basename(path.dirname(file));
  return { rule: "flow/unreadable", severity: "error", flow, file: shown(file), message };
}

/** Of a flow, at a place that may stand in a file it imports. */
function at(flow: string, { file, ...place }: Spot, message: string): Finding {
  return { ...finding(flow, message), file: shown(file), ...place };
}

/** The compiler's own words: `/…/flow.ts:3:38: ERROR: Unexpected end of file`. */
function notCompiling(flow: string, message: string): Finding | undefined {
  const [, where = "", line, column, words] =
    /(?:^|\n)(.*?):(\d+):(\d+): ERROR: (.*)/.exec(message) ?? [];
  if (words === undefined) return undefined;
  const own = path.basename(where.replace(/\?.*$/, "")) === path.basename(flow) || where === "";
  const file = own ? flow : path.resolve(path.dirname(flow), where.replace(/\?.*$/, ""));
  const spot = { file, line: Number(line), column: Number(column) + 1 };
  const what = own ? "" : `, in a file that ${path.basename(path.dirname(flow))} imports`;
  return at(flow, spot, `${words}: it does not compile${what}. Mend this line or the one before.`);
}

/** What Node says of an import that leads nowhere has no place; the name it gives stands in the file that imports. */
function notThere(flow: string, message: string): Finding | undefined {
  const [, sort, wanted = "", importer = flow] =
    /Cannot find (package|module) '(.+?)'(?: imported from (.+?)(?:\?v=\d+)?(?:\n|$))?/.exec(
      message,
    ) ?? [];
  if (sort === undefined) return undefined;
  const file = fileOf(importer);
  const spot = spotOf(file, sort === "module" ? path.basename(wanted) : wanted);
  if (sort === "package")
    return at(
      flow,
      spot,
      `Cannot find package '${wanted}' imported here.${didYouMean(wanted, ["prosa"])} A flow has "prosa"; another package is installed beside it by npm, a file of your own begins with "./".`,
    );
  const written = path.relative(path.dirname(file), wanted);
  const relative = written.startsWith(".") ? written : `./${written}`;
  return at(
    flow,
    spot,
    `Cannot find module '${relative}' imported here: there is no such file.${didYouMean(path.basename(wanted), besides(wanted))} Its path begins at this file and has its ending, as "./parts.ts".`,
  );
}

/** `The requested module './id.ts' does not provide an export named 'id'`. */
function noExport(flow: string, message: string): Finding | undefined {
  const [head, name] = /^.*an export named '(.+?)'.*/.exec(message) ?? [];
  if (name === undefined) return undefined;
  return at(flow, spotOf(flow, name), `${head}: export it there, or mend its name here.`);
}

function fileOf(importer: string): string {
  return importer.startsWith("file:") ? fileURLToPath(importer) : importer;
}

/** Files where one was looked for. */
function besides(wanted: string): readonly string[] {
  try {
    return readdirSync(path.dirname(wanted));
  } catch {
    return [];
  }
}

/** The first line of a file with this name in it. */
function spotOf(file: string, name: string): Spot {
  let lines: readonly string[];
  try {
    lines = readFileSync(file, "utf8").split("\n");
  } catch {
    return { file };
  }
  const line = lines.findIndex((one) => one.includes(name));
  if (line < 0) return { file };
  return { file, line: line + 1, column: (lines[line]?.indexOf(name) ?? 0) + 1 };
}

/** The first place in this very file of a stack. */
function placeIn(file: string, stack: string): { line: number; column: number } | undefined {
  for (const line of stack.split("\n")) {
    const match = /^(.*?)(?:\?v=\d+)?:(\d+):(\d+)\)?$/.exec(line.trim());
    if (match?.[1]?.endsWith(file)) return { line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}
