/** What the thread that reads certificates loads first: Node's way to run our TypeScript. A file, so that it runs unbundled. */
import { register } from "tsx/esm/api";

register();
