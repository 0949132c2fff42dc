/** The listeners of one process, by its role and its settings: ports found, a taken one told, links a person can open. */
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { Fault } from "../../base/index.ts";
import { consoleAssets, type PanelCode, registerConsole } from "../../console/index.ts";
import { createListener, type ListenerDeps } from "../../server/index.ts";
import { hostInAddress, type Settings } from "../settings.ts";
import { type Role, ANSWERS_MS, type Closing, within } from "./running.ts";

/** Console and webhooks on one port while that is loopback, else on two listeners. A worker takes no webhooks. */
export async function listen(
  settings: Settings,
  deps: ListenerDeps,
  role: Role,
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

/** A port that is taken, as a sentence; anything else as it is. */
export function portFault(error: unknown, name: string, port: number, host = "127.0.0.1"): unknown {
  if ((error as { code?: string }).code !== "EADDRINUSE") return error;
  return new Fault(
    "SETTING_INVALID",
    `Port ${port} on ${host} is taken; set ${name} to another, or stop what listens there.`,
    { cause: error },
  );
}

/** An address for a person on this machine. */
function localUrl(host: string, port: number): string {
  return `http://${host === "127.0.0.1" ? "localhost" : hostInAddress(host)}:${port}`;
}

/** Port 0 means any: found now, because the sandbox and the bot must know each other's. */
export async function withPorts(settings: Settings): Promise<Settings> {
  if (settings.port !== 0 && settings.sandbox.port !== 0) return settings;
  const port = settings.port === 0 ? await freePort() : settings.port;
  const sandboxPort = settings.sandbox.port === 0 ? await freePort() : settings.sandbox.port;
  const host = hostInAddress(settings.host);
  const url = `http://${host}:${port}`;
  const moved = settings.port === 0;
  return {
    ...settings,
    port,
    publicUrl: moved ? url : settings.publicUrl,
    sandbox: { port: sandboxPort, botUrl: moved ? url : settings.sandbox.botUrl },
  };
}

/** This port, or any for 0; rejects where something listens there. */
export function freePort(port = 0, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, host, () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });
}
