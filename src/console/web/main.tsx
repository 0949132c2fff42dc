/** Entry of the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { kit } from "./kit.ts";
import { start } from "./data/live.ts";
import { modules } from "./operations/panel-modules.ts";
import { openParts } from "./parts.tsx";
import "./style/index.css";

const root = document.getElementById("root");
await openParts(modules, kit);
if (root) render(<App />, root);
void start();
