/**
 * The connection of a phone: it changes, drops, comes back by itself unless it was logged out or banned, flaps, or stays
 * open and tells nothing. Reasons are the engine's numbers, by its public sources.
 */
import type { Instance, InstanceState } from "./instances.ts";
import { RESTART_MS } from "./instances.ts";
import { LOGGED_OUT, tellConnection } from "../webhooks/phone-news.ts";
import type { World } from "../world/world.ts";

/** Restart wanted, as right after a pairing. */
const RESTART_REQUIRED = 515;

/** Connection closed, lost, restart wanted, unavailable: what flapping phones show in turn. */
const PASSING_REASONS = [428, 408, RESTART_REQUIRED, 503] as const;

/** After these the engine does not connect again by itself: logged out, payment, banned, not acceptable. */
const FINAL_REASONS: ReadonlySet<number> = new Set([LOGGED_OUT, 402, 403, 406]);

/** Goes to a state and says so. `reason` 200 where nothing is wrong. */
export function change(
  world: World,
  device: string,
  instance: Instance,
  state: InstanceState,
  reason = 200,
): void {
  // Whatever made a phone silent is cured by connecting anew.
  setSilent(world, device, false);
  instance.state = state;
  instance.turn += 1;
  if (state !== "connecting") instance.waiting = undefined;
  tellConnection(world, device, instance, reason);
}

/** Runs later, unless the connection changed meanwhile or the instance is gone. */
export function unlessChanged(
  world: World,
  device: string,
  instance: Instance,
  ms: number,
  run: () => void,
): void {
  const { turn } = instance;
  world.clock.after(ms, () => {
    if (world.instances.of(device) === instance && instance.turn === turn) run();
  });
}

/** Connecting now, open a little later. */
export function reconnect(world: World, device: string, instance: Instance): void {
  change(world, device, instance, "connecting");
  unlessChanged(world, device, instance, RESTART_MS, () => change(world, device, instance, "open"));
}

/** Loses the connection for a reason; passing ones are mended by the engine itself after a moment. */
export function drop(world: World, device: string, instance: Instance, reason: number): void {
  if (reason === LOGGED_OUT) instance.paired = false;
  change(world, device, instance, "close", reason);
  if (FINAL_REASONS.has(reason) || !instance.paired) return;
  unlessChanged(world, device, instance, RESTART_MS, () => reconnect(world, device, instance));
}

/** Closes and opens `times` over, at once. Ends open. */
export function flap(
  world: World,
  device: string,
  instance: Instance,
  times: number,
  reason?: number,
): void {
  for (let turn = 0; turn < times; turn += 1) {
    const why = reason ?? PASSING_REASONS[turn % PASSING_REASONS.length] ?? RESTART_REQUIRED;
    change(world, device, instance, "close", why);
    change(world, device, instance, "connecting");
    change(world, device, instance, "open");
  }
}

/** Open but silent: calls are answered, and nothing is told. */
export function setSilent(world: World, device: string, silent: boolean): void {
  if (silent) world.webhooks.muted.add(device);
  else world.webhooks.muted.delete(device);
}
