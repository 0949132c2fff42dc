/** Local effects of plugins in chat files, done on documents in memory as the worker does them on the store. */
import { createHash } from "node:crypto";
import { Fault, type JsonObject } from "../../base/index.ts";
import type { Account, CallEffect, CallResult, Mail, Session } from "../../engine/index.ts";
import type { ChatHeader } from "../../flow/index.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import type { Rehearsal, Stage } from "../authoring/rehearsal.ts";

/** How the people of a file are told apart. */
export interface Registry {
  contactOf(speaker: string): string;
  /** The contact of a person's aliases. */
  byAliases(aliases: readonly string[]): string;
  sessionOf(contact: string): Session | null;
}

interface Parts {
  readonly bot: Pick<LoadedBot, "plugins" | "table">;
  readonly account: Account;
  readonly people: Registry;
  readonly now: () => number;
}

export function rehearsalsOf({ plugins }: Pick<LoadedBot, "plugins">): readonly Rehearsal[] {
  return plugins.flatMap(({ rehearsal }) => (rehearsal ? [rehearsal] : []));
}

export class ChatEffects {
  readonly #parts: Parts;
  readonly #rehearsals: readonly Rehearsal[];
  readonly #does: ReadonlySet<string>;
  readonly #documents = new Documents();
  readonly #opened = new Map<unknown, unknown>();
  readonly #stage: Stage;
  #mail: { to: string; mail: Mail }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#rehearsals = rehearsalsOf(parts.bot);
    this.#does = new Set(this.#rehearsals.flatMap(({ does = [] }) => does));
    const { account, people } = parts;
    // Only what documents need is there; whatever else a plugin asks for is an effect that waits for a line.
    const context = this.#context() as unknown as Stage["context"];
    this.#stage = { context, account, contactOf: (speaker) => people.contactOf(speaker) };
  }

  /** Whether it is done here; every other effect waits for a `*` line. */
  does(name: string): boolean {
    return this.#does.has(name);
  }

  /** What the headers of plugins say is there. Throws `file:line …`. */
  async prepare(file: string, headers: readonly ChatHeader[]): Promise<void> {
    for (const { name, rest, line } of headers)
      for (const { headers: own = {} } of this.#rehearsals)
        try {
          await own[name]?.(rest, this.#stage);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new Error(`${file}:${line} @${name}: ${why}`, { cause: error });
        }
  }

  async perform(
    effect: CallEffect,
    contact: string,
    now: number,
  ): Promise<{ result?: CallResult; mail: readonly { to: string; mail: Mail }[] }> {
    const { bot, account } = this.#parts;
    const spec = bot.table.locals.get(effect.name);
    if (!spec) throw new Fault("FLOW_FAILED", `No effect ${effect.name}.`);
    const input = spec.input.safeParse(effect.input);
    if (!input.success)
      return { result: { outcome: "failed", out: { reason: "input" } }, mail: [] };
    const begun = { id: effect.id, account: account.id, contact };
    const work = { context: this.#stage.context, begun, account, at: now } as unknown as Parameters<
      typeof spec.perform
    >[0];
    this.#mail = [];
    const ending = await spec.perform(work, input.data);
    return { mail: this.#mail, ...(ending?.result ? { result: ending.result } : {}) };
  }

  /** A `*` line ended it as done. */
  async done(effect: CallEffect, contact: string, out: JsonObject): Promise<void> {
    const call = { effect, contact, now: this.#parts.now() };
    for (const { done } of this.#rehearsals) await done?.(call, out, this.#stage);
  }

  #context() {
    const { people, now } = this.#parts;
    const store = {
      ...this.#documents.store,
      session: async (_account: string, of: string) => ({ session: people.sessionOf(of) }),
      identify: async (_account: string, aliases: readonly string[]) => people.byAliases(aliases),
      accept: async (items: readonly { contact: string; mail: unknown }[]) => {
        for (const one of items) this.#mail.push({ to: one.contact, mail: one.mail as Mail });
        return items.map(() => "new" as const);
      },
    };
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const context = {
      ...{ store, keys: { hash }, wake: () => undefined, clock: { now } },
      use: <T>(open: (of: unknown) => T): T => {
        if (!this.#opened.has(open)) this.#opened.set(open, open(context));
        return this.#opened.get(open) as T;
      },
    };
    return context;
  }
}

/** Documents of a store, in memory: order by id, revisions, nothing else. */
class Documents {
  readonly #all = new Map<string, Map<string, { value: JsonObject; rev: number }>>();

  readonly store = {
    get: async (collection: string, id: string) => this.#of(collection).get(id) ?? null,
    put: async (collection: string, id: string, value: JsonObject, expect?: number) => {
      const rev = this.#of(collection).get(id)?.rev ?? 0;
      if (expect !== undefined && expect !== rev) return "conflict" as const;
      // Through JSON, as in the store.
      const kept = JSON.parse(JSON.stringify(value)) as JsonObject;
      this.#of(collection).set(id, { value: kept, rev: rev + 1 });
      return rev + 1;
    },
    remove: async (collection: string, id: string) => this.#of(collection).delete(id),
    list: async (collection: string, { after = "", limit = 100 } = {}) => {
      const rows = [...this.#of(collection)]
        .filter(([id]) => id > after)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const items = rows.slice(0, limit).map(([id, one]) => ({ id, ...one }));
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last ? { next: last.id } : {}) };
    },
  };

  #of(collection: string): Map<string, { value: JsonObject; rev: number }> {
    const known =
      this.#all.get(collection) ?? new Map<string, { value: JsonObject; rev: number }>();
    this.#all.set(collection, known);
    return known;
  }
}
