/** One gateway call with the configured credentials, for the command line. */
import { Fault } from "../base/index.ts";
import { createGateway, findRoute, type CallOutcome } from "../gateway/index.ts";
import type { Settings } from "./settings.ts";
import { sandboxUrl } from "./sandbox-controls.ts";

const SANDBOX = { token: "sandbox-token", deviceToken: "sandbox-device" };

/** Makes the call and gives its outcome; throws `GATEWAY_BODY` for an unknown route or a body that breaks its schema. */
export async function callGateway(
  settings: Settings,
  id: string,
  body: unknown,
  query: Readonly<Record<string, string>>,
): Promise<CallOutcome> {
  const route = findRoute(id);
  if (!route)
    throw new Fault("GATEWAY_BODY", `There is no route ${id}; see: prosa gateway routes.`);
  const { url, token, deviceToken, routeWords, timeoutMs, fiscalTimeoutMs } = settings.gateway;
  const gateway = createGateway({
    baseUrl: url ?? `${sandboxUrl(settings)}/api/v2`,
    token: token ?? (url === undefined ? SANDBOX.token : ""),
    ...(deviceToken !== undefined || url === undefined
      ? { deviceToken: deviceToken ?? SANDBOX.deviceToken }
      : {}),
    ...{ routeWords, timeoutMs, fiscalTimeoutMs },
  });
  try {
    return await gateway.call(route.id, body, { query });
  } finally {
    await gateway.close();
  }
}
