#!/usr/bin/env node
// The installed command: TypeScript is run as it is, through tsx.
import { register } from "tsx/esm/api";

register();
await import("./main.ts");
