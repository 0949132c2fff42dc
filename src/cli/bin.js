#!/usr/bin/env node
import path from "node:path";
import { pathToFileURL } from "node:url";
import { program } from "../app/loading/program.js";

// Stacks name our sources.
process.setSourceMapsEnabled(true);
await import(pathToFileURL(path.join(await program(), "main.mjs")).href);
