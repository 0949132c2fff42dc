/** What axe finds on a page as it stands. Run through the debugger, so that the page's policy stays on. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Every rule is run; what passes is neither described in full nor carried out of the browser, which took longer than the rules. */
const RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`;

export interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

export async function violations(page: Page): Promise<readonly Violation[]> {
  // Until the page is another one, axe stays in it.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate<readonly Violation[]>(RUN);
}
