#!/usr/bin/env node
// The command: TypeScript is run as it is.
import "./typescript.js";

await import("./main.ts");
