export { createSandbox, type Sandbox, type SandboxOptions } from "./world/sandbox.ts";
export { DEMO_SECRET, DEMO_TOKEN } from "./world/world.ts";
export { DEMO_DEVICE, REGISTRATIONS } from "./http/callers.ts";
export { DEMO_ISSUER_ID } from "./invoicing/issuers.ts";
export { MAGIC_AMOUNTS, UNKNOWN_DOCUMENTS } from "./invoicing/magic.ts";
