/** The listeners of one process, by its role and its settings. */
import path from "node:path";
import { consoleAssets, type PanelCode, registerConsole } from "../../console/index.ts";
import { createListener, type ListenerDeps } from "../../server/index.ts";
import { ANSWERS_MS, type Closing, within } from "./closing.ts";
import { localUrl, portFault } from "./ports.ts";
import type { Settings } from "../settings.ts";

/** Console and webhooks on one port while that is loopback, else on two listeners. A worker takes no webhooks. */
export async function listen(
  settings: Settings,
  deps: ListenerDeps,
  role: "all" | "ingress" | "worker",
  closing: Closing,
  panels: readonly PanelCode[],
): Promise<{ url: string; admin: string }> {
  const ingress = role !== "worker";
  const assets = () => consoleAssets({ cacheDir: path.join(settings.dataDir, "console"), panels });
  const pages = (app: Parameters<typeof registerConsole>[0]) => registerConsole(app, { assets });
  const bind = async (parts: Parameters<typeof createListener>[1], host: string, port: number) => {
    const app = await createListener(deps, parts);
    closing.add(async () => {
      const closed = app.close();
      if (!(await within(closed, ANSWERS_MS))) app.server.closeAllConnections();
      await closed;
    });
    try {
      await app.listen({ host, port });
    } catch (error) {
      throw portFault(error, "PORT or ADMIN_PORT", port, host);
    }
  };
  if (!settings.admin) {
    await bind({ ingress, admin: true, console: pages }, settings.host, settings.port);
    return { url: settings.publicUrl, admin: localUrl(settings.host, settings.port) };
  }
  await bind({ ingress, admin: false }, settings.host, settings.port);
  await bind(
    { ingress: false, admin: true, console: pages },
    settings.admin.host,
    settings.admin.port,
  );
  return { url: settings.publicUrl, admin: localUrl(settings.admin.host, settings.admin.port) };
}
