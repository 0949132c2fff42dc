/** What the thread that reads flows loads first: Node's way to run a flow's TypeScript. A file, so that it runs unbundled. */
import { register } from "node:module";
import { workerData } from "node:worker_threads";
import { register as registerTsx } from "tsx/esm/api";

registerTsx();
register("./flow-modules.js", import.meta.url, { data: { kit: workerData.kit } });
