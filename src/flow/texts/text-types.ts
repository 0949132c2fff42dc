/** The keys of all catalogues as types, so that an unknown key does not compile. */
import type { Catalogues } from "./lookup.ts";

const GROUPS = ["say", "ask", "confirm"] as const;

/** `flows/texts.d.ts`: one entry a flow, each group a union of its keys in any language. */
export function textTypes(texts: ReadonlyMap<string, Catalogues>): string {
  const flows = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([flow, catalogues]) => {
      const groups = GROUPS.map((group) => {
        const keys = Object.values(catalogues).flatMap((one) => Object.keys(one[group] ?? {}));
        const union = [...new Set(keys)].sort().map((key) => JSON.stringify(key));
        return `${group}: ${union.length > 0 ? union.join(" | ") : "never"}`;
      });
      return `      ${JSON.stringify(flow)}: { ${groups.join("; ")} };`;
    });
  return [
    "/** Written by `flows types` from the catalogues; not for hands. */",
    'import "prosa";',
    "",
    'declare module "prosa" {',
    "  interface FlowRegistry {",
    "    texts: {",
    ...flows,
    "    };",
    "  }",
    "}",
    "",
  ].join("\n");
}
