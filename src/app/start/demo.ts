/**
 * The demo account: what a first run, the sandbox and every check from outside rely on. Its tokens are public, so it is
 * made only on loopback.
 */
import type { Account, AccountModel, ChannelName } from "../../engine/index.ts";
import { isLoopback, type Settings } from "../settings.ts";

export const DEMO_TOKEN = "demo0000000000000000000000000000";
const DEMO_SECRET = "demo-secret";
const DEMO_OPERATOR = "5511900000001";
const SANDBOX_TOKENS = { token: "sandbox-token", deviceToken: "sandbox-device" };

const CHANNELS: readonly ChannelName[] = ["sms", "engine-a", "engine-b", "engine-c"];

/** One business with an operator, and what plugins give it (`demo` of their section). */
export function demoAccount(settings: Settings, model: AccountModel): Account {
  const { token, deviceToken } = settings.gateway;
  return model.schema.parse({
    ...model.demo,
    id: "demo",
    name: "Estúdio Aurora",
    gateway: {
      token: token ?? SANDBOX_TOKENS.token,
      deviceToken: deviceToken ?? SANDBOX_TOKENS.deviceToken,
    },
    channels: CHANNELS.map((channel) => ({
      channel,
      token: DEMO_TOKEN,
      ...(channel === "engine-a" ? { hmac: { secrets: [DEMO_SECRET] } } : {}),
    })),
    operators: [{ name: "Operador", alias: `phone:${DEMO_OPERATOR}`, address: DEMO_OPERATOR }],
    // Tests and benchmarks write faster than people.
    policy: isSandbox(settings) ? { perMinute: 1_000_000 } : {},
    // The sandbox counts the plan and refuses nothing unless it is told to: a long day of trying must not go quiet.
    quotaReserve: 0,
    ...(isSandbox(settings) ? { pace: null } : {}),
  });
}

/** The sandbox listens on loopback alone, and has no number that could be cut off for writing too fast. */
function isSandbox({ gateway }: Settings): boolean {
  return gateway.url === undefined || isLoopback(new URL(gateway.url).hostname);
}
