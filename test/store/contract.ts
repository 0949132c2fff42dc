/** What every store must do, run over both adapters. A harness opens real stores; nothing is simulated. */
import { randomUUID } from "node:crypto";
import type { Json } from "../../src/base/index.ts";
import type {
  Acceptance,
  Claimed,
  Commit,
  ContactId,
  NewEffect,
  Store,
} from "../../src/store/index.ts";
import type { Limits } from "../../src/store/limits.ts";

export interface Harness {
  readonly name: string;
  /** A store on data of its own, with these bounds; on Redis in so many partitions: between them no order is promised. */
  open(limits?: Partial<Limits>, partitions?: number): Promise<Opened>;
}
export interface Opened {
  readonly store: Store;
  /** A second process's view of the same data; the embedded store allows one process, so there it is the store itself. */
  readonly second: Store;
  /** Everything as it lies on disk. */
  bytes(): Promise<Buffer>;
  /** The wrapped data key of a contact, as stored. */
  dataKey(contact: ContactId): Promise<string>;
  /** Whether these bytes are still in the store, beyond what an append-only log remembers until it is rewritten. */
  liveBytesInclude(text: string): Promise<boolean>;
  close(): Promise<void>;
}

export const ACCOUNT = "acme";
/** Long enough not to run out while a test works, short enough to be waited for. */
export const LEASE_MS = 5_000;

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

let people = 0;
/** A contact nobody else uses. */
export function newContact(store: Store, account = ACCOUNT): Promise<ContactId> {
  people += 1;
  return store.contacts.identify(account, [`phone:55119${String(people).padStart(8, "0")}`]);
}

export async function accept(
  store: Store,
  contact: ContactId,
  text: string,
  event: string = randomUUID(),
): Promise<string> {
  const [answer] = await store.mail.accept([
    { account: ACCOUNT, contact, event, mail: { kind: "text", text } },
  ]);
  return answer ?? "none";
}

/** Accepts in the fused form; answers what was said of each item, and who was leased. */
export async function acceptAndTake(
  store: Store,
  items: readonly Omit<Acceptance, "account">[],
  leaseMs = LEASE_MS,
): Promise<{ said: readonly string[]; taken: readonly Claimed[] }> {
  const taken: Claimed[] = [];
  const said = await store.mail.accept(
    items.map((item) => ({ account: ACCOUNT, ...item })),
    { events: 100, leaseMs, claimed: (claimed) => taken.push(claimed) },
  );
  return { said, taken };
}

/** One text in the fused form. */
export function take(
  store: Store,
  contact: ContactId,
  text: string,
  changes: Partial<Acceptance> & { leaseMs?: number } = {},
): Promise<{ said: readonly string[]; taken: readonly Claimed[] }> {
  const { leaseMs, ...more } = changes;
  const mail = { kind: "text", text };
  return acceptAndTake(store, [{ contact, event: randomUUID(), mail, ...more }], leaseMs);
}

export async function claimOne(store: Store, leaseMs = LEASE_MS): Promise<Claimed> {
  const [claimed, more] = await store.mail.claim({
    owner: "test",
    contacts: 1,
    events: 100,
    leaseMs,
  });
  if (!claimed || more) throw new Error("exactly one contact was expected to be ready");
  return claimed;
}

export function claimAll(store: Store, leaseMs = LEASE_MS): Promise<readonly Claimed[]> {
  return store.mail.claim({ owner: "test", contacts: 100, events: 100, leaseMs });
}

export const texts = (claimed: Claimed): Json[] =>
  claimed.mail.map(({ mail }) => (mail as { text?: string }).text ?? null);

/** The commit that consumes all of a claim. */
export function commitOf(claimed: Claimed, changes: Partial<Commit> = {}): Commit {
  return {
    account: claimed.account,
    contact: claimed.contact,
    epoch: claimed.epoch,
    rev: claimed.rev,
    applied: claimed.mail.length,
    session: { heard: texts(claimed) },
    effects: [],
    due: null,
    journal: [],
    ...changes,
  };
}

export function message(id: string, changes: Partial<NewEffect> = {}): NewEffect {
  return {
    id,
    class: "message",
    scope: `plan:${ACCOUNT}`,
    ordered: true,
    payload: { type: "send", text: id, turn: "t1" },
    ...changes,
  };
}

/** Accepts one event and commits these effects with it. Answers the contact and its revision. */
export async function withEffects(
  store: Store,
  effects: readonly NewEffect[],
  known?: ContactId,
): Promise<ContactId> {
  const contact = known ?? (await newContact(store));
  await accept(store, contact, "hello");
  const claimed = await claimOne(store);
  const [done] = await store.mail.commit([commitOf(claimed, { effects })]);
  if (!done?.ok) throw new Error("the commit was refused");
  return contact;
}

export function beginAll(
  store: Store,
  options: { paused?: string[]; classes?: string[]; offsetMs?: number; leaseMs?: number } = {},
) {
  return store.effects.begin({
    limit: 100,
    leaseMs: LEASE_MS,
    paused: [],
    offsetMs: 0,
    ...options,
  });
}
