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

/** @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, next) {
  if (specifier === "prosa") return next(kit, context);
  return next(specifier, context);
}

/** @type {import("node:module").LoadHook} */
export function load(url, context, next) {
  // Without a "type", Node takes it for CommonJS, and tsx leaves that to hooks that are not there.
  if (/\.ts(?:\?|$)/.test(url)) return next(url, { ...context, format: "module" });
  return next(url, context);
}
