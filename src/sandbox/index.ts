export { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
export { DEMO_SECRET, DEMO_TOKEN } from "./world.ts";
export { DEMO_DEVICE, REGISTRATIONS } from "./callers.ts";
export { DEMO_ISSUER_ID } from "./issuers.ts";
export { MAGIC_AMOUNTS, UNKNOWN_DOCUMENTS } from "./magic.ts";
