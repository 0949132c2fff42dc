/** The entries of `PROSA_KEYS`: what each still wraps, and wrapping anew what older ones wrap. */
import { MayReason } from "./openapi/shapes.ts";
import { route, type ApiRoute } from "./openapi/route.ts";

export const keyRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/keys",
    summary: "Data keys by the entry of PROSA_KEYS that wraps them; names and counts only",
    handle: async (_call, { deps }) => ({ ...(await deps.store.census()) }),
  }),
  route({
    method: "POST",
    path: "/keys/rewrap",
    summary: "Wraps every data key by the active entry, so that older ones can be taken out",
    body: MayReason,
    deed: "keys.rewrap",
    handle: async (_call, { deps }) => ({ ...(await deps.store.census({ rewrap: true })) }),
  }),
];
