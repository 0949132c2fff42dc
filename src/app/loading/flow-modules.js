/**
 * What a flow's imports mean to the thread that reads it, wherever its folder is: "prosa" is the kit of this installation,
 * with or without a package beside the flow, and TypeScript is modules, with or without a package.json that says so.
 *
 * Module hooks of Node, run in the loader's thread, before those of tsx.
 */
let kit = "";

/** @param {{ kit: string }} data */
export function initialize(data) {
  kit = data.kit;
}

const TYPESCRIPT = /\.ts(?:\?|$)/;

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  const found = await next(specifier === "prosa" ? kit : specifier, context);
  // Without a "type", Node takes it for CommonJS, and tsx leaves that to hooks that are not there. Told here as well as below:
  // where Node has hooks of the same thread (24), tsx judges by what was resolved and loads before us.
  return TYPESCRIPT.test(found.url) ? { ...found, format: "module" } : found;
}

/** @type {import("node:module").LoadHook} */
export function load(url, context, next) {
  return next(url, TYPESCRIPT.test(url) ? { ...context, format: "module" } : context);
}
