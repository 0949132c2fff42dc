/**
 * The builds that are alive on this store, and what each can do. While two run side by side, what this one does not know (a
 * flow's version, a newer session, a new kind of mail or effect) is left to the other. Once the other is gone, this one
 * does what it can.
 */
import { digest, type JsonObject } from "../../base/index.ts";
import { type Library, Mail, SESSION_SCHEMA } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import { documentsOf } from "../context/document.ts";
import type { Log } from "../ports.ts";
import type { HeartbeatPart } from "./heartbeat.ts";

const COLLECTION = "builds";
/** How long a report counts, ms: three may get lost. A deployment restarts a process faster. */
export const BELIEVED_MS = 20_000;
/** How long a reading of the other builds is used, ms. */
const LOOKED_MS = 1_000;
/** How long the report of a build that no longer runs is kept, ms. */
const FORGOTTEN_MS = 86_400_000;

export interface Abilities {
  /** Newest session it reads. */
  readonly session: number;
  /** `flow@hash`. */
  readonly flows: readonly string[];
  readonly mail: readonly string[];
  readonly effects: readonly string[];
}

/** What is needed for one thing; a flow may be named without its version. */
export type Need =
  | { readonly session: number }
  | { readonly flows: readonly string[] }
  | { readonly mail: string }
  | { readonly effect: string };

export class Builds implements HeartbeatPart {
  /** Between two reports that this build is alive, ms. */
  readonly everyMs = 5_000;
  readonly #store: Pick<Store, "documents">;
  readonly #now: () => number;
  readonly #log: Pick<Log, "warn">;
  readonly #library: Library;
  readonly #names: readonly string[];
  #id = "";
  #others: readonly Abilities[] = [];
  #looked = -Infinity;

  /** `effects`: names of all effects that it can do. `now`: the store's real time, ms. */
  constructor(
    deps: {
      readonly store: Pick<Store, "documents">;
      readonly library: Library;
      readonly log: Pick<Log, "warn">;
      readonly effects: readonly string[];
    },
    now: () => number,
  ) {
    this.#store = deps.store;
    this.#log = deps.log;
    this.#now = now;
    this.#library = deps.library;
    this.#names = [...deps.effects].sort();
  }

  /** Made anew each time, because in development flows change while the process runs. */
  #own(): Abilities {
    const flows = this.#library.list().map(({ flow, hash }) => `${flow}@${hash}`);
    return {
      session: SESSION_SCHEMA,
      flows: [...(this.#library.versions?.() ?? flows)].sort(),
      mail: Mail.options.map(({ shape }) => shape.kind.value).sort(),
      effects: this.#names,
    };
  }

  /** Whether another build that is alive can do this. Throws when the store cannot tell. */
  async othersCan(need: Need): Promise<boolean> {
    return (await this.#alive()).some((one) => can(one, need));
  }

  async #alive(): Promise<readonly Abilities[]> {
    if (this.#now() - this.#looked > LOOKED_MS) await this.#look();
    return this.#others;
  }

  /** Reports that this build is alive. */
  async beat(): Promise<void> {
    try {
      const own = this.#own();
      this.#id = digest(JSON.stringify(own)).slice(0, 32);
      const value = { ...own, at: this.#now() } as unknown as JsonObject;
      await this.#store.documents.put(COLLECTION, this.#id, value);
    } catch (error) {
      this.#log.warn({ err: error }, "this build could not say that it is alive");
    }
  }

  async #look(): Promise<void> {
    const now = this.#now();
    this.#looked = now;
    const others: Abilities[] = [];
    // Reads all reports: each change of a flow makes another build, and any of them may be alive.
    for await (const { id, value } of documentsOf(this.#store, COLLECTION)) {
      const age = now - Number(value["at"]);
      if (id !== this.#id && age < BELIEVED_MS) others.push(value as unknown as Abilities);
      if (age > FORGOTTEN_MS) await this.#store.documents.remove(COLLECTION, id);
    }
    this.#others = others;
  }
}

function can(build: Abilities, need: Need): boolean {
  if ("session" in need) return build.session >= need.session;
  if ("mail" in need) return build.mail.includes(need.mail);
  if ("effect" in need) return build.effects.includes(need.effect);
  return need.flows.every((wanted) =>
    build.flows.some((flow) => flow === wanted || flow.startsWith(`${wanted}@`)),
  );
}
