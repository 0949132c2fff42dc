/** Every operation of the operator API but those of plugins, in the order of the document. */
import { accountRoutes } from "./accounts.ts";
import { controlRoutes } from "./control.ts";
import { deadRoutes } from "./dead.ts";
import { flowRoutes } from "./flows.ts";
import { handoffRoutes } from "./handoffs.ts";
import { keyRoutes } from "./keys.ts";
import { metaRoutes } from "./openapi/meta.ts";
import { outboxRoutes } from "./outbox.ts";
import { pauseRoutes } from "./pauses.ts";
import type { ApiRoute } from "./openapi/route.ts";
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

export { controlRoutes } from "./control.ts";
export { registerApi } from "./openapi/register.ts";
export { openApiDocument } from "./openapi/openapi.ts";
export type { ApiContext, ApiRoute } from "./openapi/route.ts";
