/** A folder of flows of its own, as an installation may have one elsewhere. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PACKAGE = path.resolve(import.meta.dirname, "../..");

export class FlowsFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), "prosa-flows-"));

  constructor() {
    mkdirSync(path.join(this.path, "node_modules"));
    symlinkSync(PACKAGE, path.join(this.path, "node_modules", "prosa"));
    this.write("package.json", '{ "type": "module" }');
  }

  /** Writes a file of a flow; gives its path. */
  write(name: string, text: string): string {
    const file = path.join(this.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A flow that asks for these slots, one after the other. */
export function asking(id: string, slots: readonly string[], kind = "text"): string {
  return `import { flow, slot, z } from "prosa";

export default flow(
  "${id}",
  { version: 1, title: "${id}", audience: "anyone", slots: z.object({ ${slots.map((name) => `${name}: slot.${kind}()`).join(", ")} }) },
  (f) => [${slots.map((name) => `f.ask("${name}")`).join(", ")}, f.say("bye"), f.end()],
);
`;
}

export function words(
  id: string,
  asks: Readonly<Record<string, string>>,
  bye = "Até logo.",
): string {
  return [
    ...["locale: pt-BR", `title: ${id}`, `start: ["${id}"]`, "say:", `  bye: "${bye}"`, "ask:"],
    ...Object.entries(asks).map(([slot, text]) => `  ${slot}: "${text}"`),
    "",
  ].join("\n");
}
