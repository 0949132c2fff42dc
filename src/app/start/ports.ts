/** Ports and the addresses made of them: free ones found, a taken one told, links a person can open. */
import { createServer } from "node:net";
import { Fault } from "../../base/index.ts";
import { hostInAddress, type Settings } from "../settings.ts";

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
export function localUrl(host: string, port: number): string {
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}
