/** The sandbox beside the bot: opened in its own process or in this one, recognised behind an address, its clock followed. */
import { request } from "undici";
import type { Sandbox } from "../../sandbox/index.ts";
import type { VirtualClock } from "../../worker/index.ts";
import { portFault } from "./listen.ts";
import { isLoopback, type Settings } from "../settings.ts";

/** Real ms to wait for what may be no sandbox at all. */
const CLOCK_PROBE_MS = 1_500;

/** The sandbox gateway as a process of its own. */
export async function startSandbox(
  settings: Settings,
): Promise<{ url: string; stop(): Promise<void> }> {
  const sandbox = await openSandbox(settings);
  return { url: sandbox.url(), stop: () => sandbox.close() };
}

/** Listens; a taken port is told with the setting that moves it. */
export async function openSandbox(settings: Settings): Promise<Sandbox> {
  // Loaded here: a bot at a real gateway never needs it.
  const { createSandbox } = await import("../../sandbox/index.ts");
  const { port, botUrl } = settings.sandbox;
  const sandbox = createSandbox({
    port,
    botUrl,
    dataDir: settings.dataDir,
    botToken: settings.adminToken,
  });
  try {
    await sandbox.listen();
  } catch (error) {
    throw portFault(error, "SANDBOX_PORT", port);
  }
  return sandbox;
}

/** Origin of the sandbox behind a gateway address, or null for a real gateway. */
export async function sandboxOf(gatewayUrl: string, own: boolean): Promise<string | null> {
  const { origin, hostname } = new URL(gatewayUrl);
  if (own) return origin;
  if (!isLoopback(hostname)) return null;
  return (await sandboxTime(origin)) === undefined ? null : origin;
}

async function sandboxTime(origin: string): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(`${origin}/sandbox/clock`, {
      signal: AbortSignal.timeout(CLOCK_PROBE_MS),
    });
    const text = await body.text();
    const { now } = statusCode === 200 ? (JSON.parse(text) as { now?: string | number }) : {};
    const time = typeof now === "number" ? now : Date.parse(now ?? "");
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

/** Only a sandbox has a clock that may be ahead, or was set back; a bot that starts late goes to where it is. */
export async function followClock(origin: string, clock: VirtualClock): Promise<void> {
  const time = await sandboxTime(origin);
  if (time !== undefined && Math.abs(time - clock.now()) > 1_000) clock.moveTo(time, true);
}
