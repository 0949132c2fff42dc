/** What the thread that reads flows loads first: Node's way to run a flow's TypeScript. A file, so that it runs unbundled. */
import { register } from "node:module";
import { register as registerTsx } from "tsx/esm/api";

registerTsx();

/** @param {string} kit The address of what "prosa" is to flows. */
export function takeKit(kit) {
  register("./flow-modules.js", import.meta.url, { data: { kit } });
}
