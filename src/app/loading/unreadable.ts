/** Why a flow's file could not be read: which file and line it was, the flow's own or one it imports, and what to do. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { BuildFailure } from "esbuild";
import { didYouMean, type Finding } from "../../flow/index.ts";
import { type Bundled, type Spot, withoutCode } from "../bot/bundle.ts";
import { namesIn, shown } from "../places.ts";

type Place = Pick<Spot, "file"> & Partial<Spot>;

/** What the thread said of it. */
interface Thrown {
  readonly message?: string;
  readonly stack?: string;
}

export function finding(file: string, message: string): Finding {
  const flow = path.basename(path.dirname(file));
  return { rule: "flow/unreadable", severity: "error", flow, file: shown(file), message };
}

/** Of a flow, at a place that may stand in a file it imports. */
function at(flow: string, { file, ...place }: Place, message: string): Finding {
  return { ...finding(flow, message), file: shown(file), ...place };
}

/** The bundler names the place: what does not compile, an import that leads nowhere, a name that is not exported. */
export function notBundled(flow: string, { errors = [], message }: BuildFailure): Finding {
  const [{ text, location } = { text: message, location: null }] = errors;
  if (!location) return finding(flow, text);
  const file = path.resolve(location.file);
  const spot = { file, line: location.line, column: location.column + 1 };
  const [, wanted] = /^Could not resolve "(.+)"$/.exec(text) ?? [];
  if (wanted !== undefined) return notThere(flow, spot, wanted);
  const [, exporter = "", name] =
    /^No matching export in "(.+)" for import "(.+)"$/.exec(text) ?? [];
  if (name !== undefined) return noExport(flow, spot, beside(file, path.resolve(exporter)), name);
  const what = file === flow ? "" : `, in a file that ${path.basename(path.dirname(flow))} imports`;
  return at(flow, spot, `${text}: it does not compile${what}. Mend this line or the one before.`);
}

function notThere(flow: string, quote: Spot, wanted: string): Finding {
  const isFile = /^[./]/.test(wanted);
  const name = isFile ? path.basename(wanted) : wanted;
  const spot = { ...quote, column: quote.column + 1 + wanted.length - name.length };
  if (!isFile)
    return at(
      flow,
      spot,
      `Cannot find package '${wanted}' imported here.${didYouMean(wanted, ["prosa"])} A flow has "prosa"; another package is installed beside it by npm, a file of your own begins with "./".`,
    );
  const folder = path.dirname(path.resolve(path.dirname(quote.file), wanted));
  return at(
    flow,
    spot,
    `Cannot find module '${wanted}' imported here: there is no such file.${didYouMean(name, namesIn(folder))} Its path begins at this file and has its ending, as "./parts.ts".`,
  );
}

function noExport(flow: string, spot: Place, module: string, name: string): Finding {
  const message = `The requested module '${module}' does not provide an export named '${name}'`;
  return at(flow, spot, `${message}: export it there, or mend its name here.`);
}

function beside(file: string, other: string): string {
  const name = path.relative(path.dirname(file), other).replaceAll(path.sep, "/");
  return name.startsWith(".") ? name : `./${name}`;
}

/** What it threw, or the thread said, while it was read. */
export function thrown(
  flow: string,
  { message = "cannot be read", stack = "" }: Thrown,
  code: Bundled,
): Finding {
  // The thread links it to the kit, which alone is not in it.
  const [, name] = /does not provide an export named '(.+?)'/.exec(message) ?? [];
  if (name !== undefined) return noExport(flow, spotOf(flow, name), "prosa", name);
  const [first = ""] = message.split("\n");
  return at(flow, code.spotIn(stack) ?? { file: flow }, withoutCode(first));
}

/** The first line of a file with this name in it. */
function spotOf(file: string, name: string): Place {
  const lines = readFileSync(file, "utf8").split("\n");
  const line = lines.findIndex((one) => one.includes(name));
  return line < 0
    ? { file }
    : { file, line: line + 1, column: (lines[line]?.indexOf(name) ?? 0) + 1 };
}
