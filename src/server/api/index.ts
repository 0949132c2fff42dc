/** Every operation of the operator API but those of plugins, in the order of the document. */
import { accountRoutes } from "./accounts.ts";
import { controlRoutes, flowRoutes, keyRoutes, metaRoutes } from "./meta.ts";
import { deadRoutes } from "./dead.ts";
import { handoffRoutes } from "./handoffs.ts";
import { outboxRoutes, pauseRoutes } from "./outbox.ts";
import type { ApiRoute } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";

export const apiRoutes: readonly ApiRoute[] = [
  ...metaRoutes,
  ...sessionRoutes,
  ...handoffRoutes,
  ...outboxRoutes,
  ...deadRoutes,
  ...pauseRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...flowRoutes,
  ...controlRoutes,
];

export { controlRoutes } from "./meta.ts";
export { registerApi } from "./register.ts";
export { openApiDocument } from "./openapi.ts";
export type { ApiContext, ApiRoute } from "./route.ts";
