/** What the thread that reads flows loads first: Node's way to run a flow's TypeScript. A file, so that it runs unbundled. */
import { register } from "tsx/esm/api";

register();
