export { createSandbox, type Sandbox } from "./world/sandbox.ts";
export { DEMO_SECRET, DEMO_TOKEN } from "./world/world.ts";
export { DEMO_ISSUER_ID } from "./invoicing/issuers.ts";
export { MAGIC_AMOUNTS } from "./invoicing/magic.ts";
