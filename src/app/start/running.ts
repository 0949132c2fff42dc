/** What a start is asked for, and what it answers: a bot that runs, with its addresses. */
import { readFileSync } from "node:fs";
import path from "node:path";
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
