/** Makes Node run TypeScript as it is: ours by `compile.js`, flows and whatever they import by tsx. */
import { register } from "node:module";
import { register as registerTsx } from "tsx/esm/api";

registerTsx();
register("./compile.js", import.meta.url);
