/** What the HTTP side needs of other modules, given by the composition root. */
import type { FastifyInstance } from "fastify";
import type { Session } from "../engine/index.ts";
import type { AccountRepository } from "../store/accounts.ts";
import type { Store } from "../store/port/port.ts";
import type { Actions } from "./actions.ts";
import type { EventHub } from "./live/event-hub.ts";
import type { Ingest } from "./webhooks/ingest.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { Refusals } from "./refusals.ts";
import type { SessionLive } from "./live/session-live.ts";
import type { Files } from "./files.ts";
import type { Log } from "./log.ts";

export interface ServerDeps {
  readonly store: Store;
  readonly accounts: AccountRepository;
  /** A session as a person watches it: where its flows are and what they hold. */
  readonly live: (
    session: Session,
    about: { readonly zone: string; readonly now: number; readonly queued: number },
  ) => SessionLive;
  readonly ingest: Ingest;
  /** Files by their address, for channels that carry none. */
  readonly files: Files;
  readonly hub: EventHub;
  /** Ms of the virtual clock, and how far it is from the real one. */
  readonly clock: { now(): number; offsetMs(): number };
  /** A new id: correlation, event ids of operators' mail, audit rows. */
  readonly newId: () => string;
  /** A new path token (`newToken` of the store). */
  readonly newToken: () => string;
  readonly actions: Actions;
  readonly metrics: ServerMetrics;
  readonly log: Log;
  readonly name: string;
  readonly version: string;
  readonly startedAt: number;
  readonly roles: readonly string[];
  readonly locale: string;
  /** Where channels reach us, without a slash at the end. */
  readonly publicUrl: string;
  readonly gatewayUrl: string;
  /** Origin of a sandbox gateway, or null against a real one. */
  readonly sandboxUrl: string | null;
  /** Absent = the operator API is open, on loopback only. */
  readonly adminToken?: string;
  readonly isStopping?: () => boolean;
  /** Called for each webhook that is answered 503. */
  readonly refusals?: Pick<Refusals, "add">;
  readonly limits?: {
    readonly gate?: { readonly bodies: number; readonly bytes: number };
    readonly eventLoopDelayMs?: number;
    /** A whole request, its head, and connections at once. */
    readonly requestMs?: number;
    readonly headMs?: number;
    readonly connections?: number;
  };
}

/** Adds files or pages of other modules to a listener (console, one-time pages). */
export type Extension = (app: FastifyInstance) => void | Promise<void>;
