/** Entry of the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { start } from "./live.ts";
import "./style/index.css";

const root = document.getElementById("root");
if (root) render(<App />, root);
void start();
