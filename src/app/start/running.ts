/** A bot that runs: what its start is asked for and answers, and how it stops. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FlowLibrary } from "../../flow/index.ts";
import type { Store } from "../../store/port/port.ts";
import { PACKAGE } from "../places.ts";
import type { Settings } from "../settings.ts";

export type Role = "all" | "ingress" | "worker";

export interface StartOptions {
  readonly role: Role;
  /** What a program that embeds the bot puts around its parts; the fault tests put their faults there. */
  readonly wrap?: {
    readonly store?: (store: Store) => Store;
    readonly library?: (library: FlowLibrary) => FlowLibrary;
  };
  /** Standing still of the event loop after which the process ends itself, ms; 0 = never. */
  readonly blockedMs?: number;
}

export interface Running {
  /** What was started, as a sentence. */
  readonly sentence: string;
  /** Name and address, in the order they are shown. */
  readonly addresses: readonly (readonly [string, string])[];
  readonly url: string;
  readonly adminUrl: string;
  readonly sandboxUrl: string | undefined;
  stop(): Promise<void>;
}

const manifest = readFileSync(path.join(PACKAGE, "package.json"), "utf8");
export const VERSION = (JSON.parse(manifest) as { version: string }).version;

export async function sentenceOf(store: Store, flows: number): Promise<string> {
  const { kind, durability } = await store.info();
  return `${VERSION} · ${kind} store (${durability}) · ${flows} flows`;
}

/** Where the console and the gateway are, and where webhooks go. */
export function addressesOf(
  { publicUrl }: Settings,
  role: Role,
  at: { readonly admin: string; readonly gateway: string; readonly sandbox: string | null },
): Running["addresses"] {
  const webhooks = ["Webhooks", `${publicUrl}/webhooks/<channel>/<token>`] as const;
  return [
    ["Console", at.admin],
    ...(role === "worker" ? [] : [webhooks]),
    at.sandbox === null ? ["Gateway", at.gateway] : ["Sandbox", at.sandbox],
  ];
}

/** The whole stop, ms: an orchestrator kills after ten seconds. */
const STOP_MS = 9_500;
/** Of it for connections: the store, the gateway's. */
const CONNECTIONS_MS = 500;
/** What calls on their way have, fiscal ones too; they are waited for while the listeners close. */
export const GRACE_MS = STOP_MS - CONNECTIONS_MS;
/** Requests that are being read or answered have this long; a body that drips would hold the listener, ms. */
export const ANSWERS_MS = 2_000;

interface Part {
  readonly close: () => Promise<void>;
  readonly atOnce: boolean;
}

/** The stop: everything that was opened is closed, the last first, and all of it within one time. */
export class Closing {
  readonly #parts: Part[] = [];
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Closed before all that was added earlier. `atOnce`: begun with the stop, and waited for in its place. */
  add(close: () => Promise<void>, { atOnce = false } = {}): void {
    this.#parts.push({ close, atOnce });
  }

  /**
   * Closes all, each within what is left of the time. One part that fails or hangs must not keep the worker from finishing
   * nor the store from being closed; the first failure is thrown at the end.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const until = performance.now() + STOP_MS;
    const failures: unknown[] = [];
    const parts = this.#parts.splice(0).reverse();
    const begun = parts.map(({ close, atOnce }) => (atOnce ? close() : undefined));
    // What fails early is told in its place.
    for (const one of begun) one?.catch(() => undefined);
    for (const [at, { close }] of parts.entries()) {
      const left = Math.max(0, until - performance.now());
      await within(begun[at] ?? close(), left).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Waits for `work`, but no longer than `ms`. */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = pause(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
    // Nobody hears of it any more once the time is over.
    work.catch(() => undefined);
  }
}
