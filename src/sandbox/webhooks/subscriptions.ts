/** Who asked for which events of which device, and where they go. */
import type { Channel, Hook, Subscription } from "./delivery-settings.ts";

/** A filter that no event's name passes. */
const NOTHING = "(nothing)";

/** What of an event decides where it goes. */
export interface Addressed {
  readonly channel: Channel;
  readonly device: string;
  /** Names a filter may hold: the event's own and, for engine C, its group's. None = past every filter. */
  readonly names: readonly string[];
  readonly hook?: Hook;
}

export class Subscriptions {
  #rows: readonly Subscription[];

  constructor(rows: readonly Subscription[]) {
    this.#rows = rows;
  }

  all(): readonly Subscription[] {
    return this.#rows;
  }

  hears(channel: Channel, device: string): boolean {
    return this.#rows.some((row) => row.channel === channel && row.device === device);
  }

  /** Takes the place of the channel's and device's one before; without targets it ends that one. */
  set(subscription: Subscription): void {
    const { channel, device, targets } = subscription;
    const others = this.#rows.filter((row) => row.channel !== channel || row.device !== device);
    this.#rows = targets.length > 0 ? [...others, subscription] : others;
  }

  /** Engine C asks for nothing any more, until it is told anew. */
  wipe(device: string): void {
    this.#rows = this.#rows.map((row) =>
      row.channel === "engine-c" && row.device === device ? { ...row, filter: [NOTHING] } : row,
    );
  }

  /** Every URL an event goes to, with the subscription that asked for it. */
  of(event: Addressed): readonly { readonly url: string; readonly subscription: Subscription }[] {
    return this.#rows
      .filter((row) => row.channel === event.channel && row.device === event.device)
      .filter((row) => wanted(row.filter, event.names))
      .flatMap((subscription) =>
        subscription.targets
          .filter(({ hook }) => hook === undefined || hook === event.hook)
          .map(({ url }) => ({ url, subscription })),
      );
  }
}

function wanted(filter: readonly string[], names: readonly string[]): boolean {
  if (filter.length === 0 || names.length === 0) return true;
  const asked = new Set(filter.map((name) => name.toUpperCase()));
  return asked.has("ALL") || names.some((name) => asked.has(name.toUpperCase()));
}
