/**
 * Accounts as sealed documents of the store, found by id or by the path token of a webhook.
 *
 * A token is found by the digest of channel and token, so a look-up takes the same time whatever the token is like; the
 * match itself is compared in constant time against the account. Finds are remembered for a second: a webhook costs no
 * read in a busy second, and a change is in force within that second in every process.
 */
import { Fault, isJsonObject, type Json, type JsonObject } from "../base/index.ts";
import type { Account, AccountModel, ChannelName, ChannelSettings } from "../engine/index.ts";
import { Listeners } from "./listeners.ts";
import { Lru } from "./lru.ts";
import { itemsOf } from "./page.ts";
import { sameToken, tokenKey, tokensOf } from "./account-tokens.ts";
import type { Store } from "./port/port.ts";
import { isChanged } from "./sealing/seal.ts";

const ACCOUNTS = "accounts";
const TOKENS = "tokens";
/** What is kept of a removed account, for as long as something of its people may be kept. */
const REMOVED = "removed-accounts";
/** How long a found account, or its absence, is remembered, ms. */
const CACHE_MS = 1_000;
/** Remembered tokens; bounded, because strangers guess. */
const CACHE_SIZE = 10_000;
const PAGE = 200;
/** Tries to write what other processes change at the same time. */
const CHANGE_TRIES = 8;

export type AccountPut =
  | { readonly ok: true; readonly rev: number }
  | { readonly ok: false; readonly reason: "conflict" | "token-taken" | "removed" };

/** What is kept of an account that was removed. */
type RemovedAccount = Pick<Account, "id" | "zone" | "retention">;

function readBy({ schema }: AccountModel, id: string, value: JsonObject): Account {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join("."));
  throw new Fault("DATA_TAMPERED", `Account ${id} does not fit its schema.`, {
    details: { paths },
  });
}

/** Groups of fields that plugins may add to. */
const GROUPS = ["policy", "retention"] as const;

/** Fields of a plugin that is not loaded are kept as stored: starting a bot once without a plugin must not delete settings. */
function withForeign(
  value: JsonObject,
  stored: JsonObject | null | undefined,
  { schema }: AccountModel,
): JsonObject {
  if (!stored) return value;
  const { policy, retention } = schema.shape;
  const known = { policy: policy.unwrap().shape, retention: retention.unwrap().shape };
  const foreign = (of: Json | undefined, shape: object): JsonObject =>
    Object.fromEntries(
      Object.entries(isJsonObject(of) ? of : {}).filter(([name]) => !Object.hasOwn(shape, name)),
    );
  const groups: Record<string, Json> = {};
  for (const group of GROUPS) {
    const own = value[group];
    groups[group] = {
      ...foreign(stored[group], known[group]),
      ...(isJsonObject(own) ? own : {}),
    };
  }
  return { ...foreign(stored, schema.shape), ...value, ...groups };
}

/**
 * Null when the stored account was changed or does not fit, which concerns this account only. All other failures are
 * thrown.
 */
async function readable(find: () => Promise<Account | null>): Promise<Account | null> {
  try {
    return await find();
  } catch (error) {
    if (isChanged(error)) return null;
    throw error;
  }
}

/** `now`: any clock that only goes forward, ms; used only for the age of the cache. */
export function createAccountRepository(store: Store, model: AccountModel, now: () => number) {
  const removedSchema = model.schema.pick({ id: true, zone: true, retention: true });
  const read = (id: string, value: JsonObject) => readBy(model, id, value);
  let cache = new Lru<string, { until: number; found: Promise<Account | null> }>(CACHE_SIZE);

  const changes = new Listeners<void>();
  function changed(): void {
    cache = new Lru(CACHE_SIZE);
    changes.tell();
  }

  const allIds = () => itemsOf((after) => store.documents.ids(ACCOUNTS, { limit: PAGE, after }));

  async function load(key: string): Promise<Account | null> {
    const row = await store.documents.get(TOKENS, key);
    const id = row?.value["account"];
    if (typeof id !== "string") return null;
    const stored = await store.documents.get(ACCOUNTS, id);
    return stored ? read(id, stored.value) : null;
  }

  function byKey(key: string): Promise<Account | null> {
    const known = cache.get(key);
    if (known && known.until > now()) return known.found;
    const found = load(key);
    cache.set(key, { until: now() + CACHE_MS, found });
    found.catch(() => cache.delete(key));
    return found;
  }

  /** Tokens of the stored account; none when it cannot be read. */
  async function tokensAt(id: string): Promise<readonly string[]> {
    const account = await readable(async () => {
      const stored = await store.documents.get(ACCOUNTS, id);
      return stored && read(id, stored.value);
    });
    return account ? [...tokensOf(account, model).keys()] : [];
  }

  /** What is stored, whatever its form; null when there is none, undefined when its bytes were changed. */
  async function stored(id: string): Promise<JsonObject | null | undefined> {
    try {
      return (await store.documents.get(ACCOUNTS, id))?.value ?? null;
    } catch (error) {
      if (isChanged(error)) return undefined;
      throw error;
    }
  }

  /** Also an account that cannot be read. */
  const isThere = async (id: string) => (await stored(id)) !== null;

  async function taken(id: string, keys: Iterable<string>): Promise<boolean> {
    for (const key of keys) {
      const owner = (await store.documents.get(TOKENS, key))?.value["account"];
      if (typeof owner !== "string" || owner === id) continue;
      const other = await store.documents.get(ACCOUNTS, owner);
      if (other && tokensOf(read(owner, other.value), model).has(key)) return true;
    }
    return false;
  }

  return {
    /** Accounts are read and written by its schema. */
    model,

    /** Accounts that can be read. */
    async list(): Promise<readonly Account[]> {
      const one = async (id: string) => (await this.get(id))?.account ?? null;
      const ids = await this.ids();
      const found: (Account | null)[] = [];
      for (let from = 0; from < ids.length; from += PAGE) {
        const page = ids.slice(from, from + PAGE);
        found.push(...(await Promise.all(page.map((id) => readable(() => one(id))))));
      }
      return found.filter((account) => account !== null);
    },

    /** Ids of all accounts, also of one that cannot be read. */
    async ids(): Promise<readonly string[]> {
      const all: string[] = [];
      for await (const id of allIds()) all.push(id);
      return all;
    },

    async get(id: string): Promise<{ readonly account: Account; readonly rev: number } | null> {
      const stored = await store.documents.get(ACCOUNTS, id);
      return stored && { account: read(id, stored.value), rev: stored.rev };
    },

    /**
     * Stores an account and its tokens. `expect`: the revision it was read at; 0: it must be new. The id of a removed account
     * is refused as `removed`, because that business's data is under it; `restore` says that it is the same business, put
     * back.
     */
    async put(
      account: Account,
      expect?: number,
      { restore = false }: { readonly restore?: boolean } = {},
    ): Promise<AccountPut> {
      // The removal is written before the account goes, so whoever finds no account finds the removal.
      const wasRemoved = !expect && (await this.wasRemoved(account.id));
      if (wasRemoved && !restore) return { ok: false, reason: "removed" };
      // Rows before the account: a row without its account finds nothing, while an account without its row would be
      // unreachable.
      const keys = tokensOf(account, model);
      if (await taken(account.id, keys.keys())) return { ok: false, reason: "token-taken" };
      const before = await tokensAt(account.id);
      for (const [key, use] of keys)
        await store.documents.put(TOKENS, key, { account: account.id, use });
      const value = withForeign(
        JSON.parse(JSON.stringify(account)) as JsonObject,
        await stored(account.id),
        model,
      );
      const rev = await store.documents.put(ACCOUNTS, account.id, value, expect);
      if (rev === "conflict") return { ok: false, reason: "conflict" };
      for (const key of before) if (!keys.has(key)) await store.documents.remove(TOKENS, key);
      if (wasRemoved) await store.documents.remove(REMOVED, account.id);
      changed();
      return { ok: true, rev };
    },

    /**
     * Changes an account as it stands now, however many processes change it. `change` may run more than once, and gives null
     * to leave it. Answers the account afterwards; null when there is none. Throws when the changed one does not fit the
     * schema.
     */
    async change(
      id: string,
      change: (account: Account) => Account | null,
    ): Promise<Account | null> {
      for (let tries = 0; tries < CHANGE_TRIES; tries++) {
        const found = await this.get(id);
        const next = found && change(found.account);
        if (!found || !next) return found?.account ?? null;
        const put = await this.put(model.schema.parse(next), found.rev);
        if (put.ok) return next;
        if (put.reason === "token-taken") throw new Error(`a token of ${id} is another account's`);
      }
      throw new Error(`account ${id} was changed by others again and again`);
    },

    async remove(id: string): Promise<boolean> {
      // What was kept of an earlier removal stays.
      if (!(await isThere(id))) return false;
      const before = await tokensAt(id);
      // For an account that cannot be read, the default retention.
      const account = await readable(async () => (await this.get(id))?.account ?? null);
      const { zone, retention } = removedSchema.parse(account ?? { id });
      await store.documents.put(REMOVED, id, { zone, retention });
      const removed = await store.documents.remove(ACCOUNTS, id);
      for (const key of before) await store.documents.remove(TOKENS, key);
      changed();
      return removed;
    },

    /** Whether an account of this id was removed. */
    async wasRemoved(id: string): Promise<boolean> {
      return !(await isThere(id)) && (await store.documents.get(REMOVED, id)) !== null;
    },

    /** Removed accounts that were not put back: their data is still to be erased in time. */
    async removed(): Promise<readonly RemovedAccount[]> {
      const there = new Set(await this.ids());
      const all: RemovedAccount[] = [];
      for await (const { id, value } of itemsOf((after) =>
        store.documents.list(REMOVED, { after }),
      ))
        if (!there.has(id)) all.push(removedSchema.parse({ ...value, id }));
      return all;
    },

    /** `listener` is called after each change made through this repository. */
    onChange(listener: () => void): void {
      changes.add(listener);
    },

    /** The account and channel settings of a path token. Null when it is unknown, wrong or switched off, without a difference. */
    async byWebhookToken(
      channel: ChannelName,
      token: string,
    ): Promise<{ readonly account: Account; readonly settings: ChannelSettings } | null> {
      const account = await byKey(tokenKey(channel, token));
      const settings = account?.channels.find(
        (one) => one.channel === channel && one.enabled && sameToken(one.token, token),
      );
      return account && settings ? { account, settings } : null;
    },

    /** The account of a path token of a plugin's webhook; null when unknown or wrong. */
    async byPluginToken(webhook: string, token: string): Promise<Account | null> {
      const account = await byKey(tokenKey(webhook, token));
      const field = model.tokens.get(webhook);
      const known = account && field !== undefined ? model.text(account, field) : undefined;
      return account && known && sameToken(known, token) ? account : null;
    },
  };
}

export type AccountRepository = ReturnType<typeof createAccountRepository>;
