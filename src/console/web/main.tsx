/** Entry of the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { start } from "./data/live.ts";
import { modules } from "./operations/panel-modules.ts";
import { openParts } from "./parts.tsx";
import "./style/index.css";
import type { ConsoleKit } from "../panels.ts";
import { attempt, notify } from "./data/actions.ts";
import { Decision, Field, ToWaiting } from "./operations/sends-panel.tsx";
import { get, post } from "./data/http.ts";
import { Icon } from "./icons.tsx";
import { CopyButton, Empty, Entry } from "./pieces.tsx";
import { decide } from "./operations/sends.ts";
import { now, sandbox } from "./data/store.ts";
import { textOf, told, clockTime, dayAndTime, money, span } from "./texts/index.ts";

/** What the console hands to modules of plugins. */
const kit: ConsoleKit = {
  sandbox,
  now,
  told,
  get,
  post,
  attempt,
  notify,
  decide,
  t: textOf,
  format: { dayAndTime, clockTime, span, money },
  pieces: { Icon, Empty, Entry, CopyButton, Field, Decision, ToWaiting },
};

const root = document.getElementById("root");
await openParts(modules, kit);
if (root) render(<App />, root);
void start();
