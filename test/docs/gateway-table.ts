/** The table of all routes, `src/gateway/routes.md`: made from the contract and from the comments of its entries. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PROVENANCE_KINDS, routes, type AnyRoute } from "../../src/gateway/index.ts";
import { ROOT, textOf } from "./fences.ts";

export const GATEWAY_ROUTES = "src/gateway/routes.md";
const FOLDER = path.join(ROOT, "src/gateway/contract");
const BEGIN = "<!-- routes: written by `npm run docs:gateway` -->";
const END = "<!-- /routes -->";

/** First sentence of the comment above each entry, by route id. */
export function summaries(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(FOLDER)) {
    const text = readFileSync(path.join(FOLDER, file), "utf8");
    for (const part of text.split(/controller\("/).slice(1)) {
      const name = /^\w+/.exec(part)?.[0] ?? "";
      for (const [, comment = "", key = ""] of part.matchAll(
        /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+): \w+\(/gm,
      ))
        found.set(`${name}.${key}`, firstSentence(comment));
    }
  }
  return found;
}

function firstSentence(comment: string): string {
  const text = comment
    .replace(/^\s*\*? ?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
  return (/^(?:\([^)]*\)|[^.;:(]|[.;:](?! |$))*/.exec(text)?.[0] ?? text).trim();
}

/** Everything between the markers, without them. */
export function gatewayTable(): string {
  const told = summaries();
  const titles = {
    messaging: "Messaging",
    invoicing: "Invoicing",
    jobs: "Jobs",
    channels: "Sending by the other channels",
  } as const;
  const sections = (Object.keys(titles) as (keyof typeof titles)[]).map((area) => {
    const rows = routes.filter((route) => route.area === area);
    const forms = rows.reduce((sum, route) => sum + Object.keys(route.variants).length, 0);
    return [
      `### ${titles[area]}: ${rows.length} routes, ${forms} body forms`,
      "",
      "| route id | address | what it does | class | body forms | marks |",
      "|---|---|---|---|---|---|",
      ...rows.map((route) => row(route, told.get(route.id) ?? "")),
    ].join("\n");
  });
  return [...sections, sourcesOfShapes()].join("\n\n");
}

function row(route: AnyRoute, summary: string): string {
  const marks = [
    ...(route.group ? ["group"] : []),
    ...(route.queue === "no"
      ? []
      : [{ yes: "queue", only: "queue", refused: "queue refused" }[route.queue]]),
    ...(route.beta ? ["beta"] : []),
    ...(route.volatile ? ["volatile"] : []),
    ...(route.price === null ? [] : [`R$ ${route.price.toFixed(2)}`]),
  ];
  const forms = Object.entries(route.variants).map(
    ([name, { dagger }]) => `${name}${dagger ? " †" : ""}`,
  );
  const address =
    route.tipo === null ? `${route.method} \`${route.path}\`` : `tipo \`${route.tipo}\``;
  const cells = [
    `\`${route.id}\``,
    address,
    summary,
    route.class,
    forms.join(", "),
    marks.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function sourcesOfShapes(): string {
  const rows = routes.flatMap((route) =>
    Object.entries(route.variants).flatMap(([name, { provenance }]) => {
      if (!provenance) return [];
      const { kind, note, profile } = provenance;
      const change = profile.map((field) => `\`${field}\``).join(", ");
      const title = name === "default" ? `\`${route.id}\`` : `\`${route.id}\` ${name}`;
      return [`| ${title} | ${kind} | ${note} | ${change} |`];
    }),
  );
  const kinds = Object.entries(PROVENANCE_KINDS).map(([kind, text]) => `- **${kind}**: ${text}`);
  return [
    `### Where the ${rows.length} shapes marked † come from`,
    "",
    ...kinds,
    "",
    "| body | source | what is taken from it | profile |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The page's text around its markers. */
export function splitAtMarkers(text: string): { before: string; between: string; after: string } {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from < 0 || to < from) throw new Error(`${GATEWAY_ROUTES} has lost its markers`);
  return {
    before: text.slice(0, from + BEGIN.length),
    between: text.slice(from + BEGIN.length, to).trim(),
    after: text.slice(to),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { before, after } = splitAtMarkers(textOf(GATEWAY_ROUTES));
  writeFileSync(path.join(ROOT, GATEWAY_ROUTES), `${before}\n\n${gatewayTable()}\n\n${after}`);
}
