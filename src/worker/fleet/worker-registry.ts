/**
 * The workers that are alive on this store, and what the build of each can do.
 *
 * Each reports every five seconds and counts every second. So a new one has its share of a device's pace from its start on,
 * and the others exceed theirs for a second at most; a dead one is counted for fifteen seconds more. If a new one waited
 * until all had counted it, people would get no answer after a crash.
 *
 * While two builds run side by side, what this one does not know (a flow's version, a newer session, a new kind of mail or
 * effect) is left to the other. Once the other is gone, this one does what it can.
 */
import { randomUUID } from "node:crypto";
import { digest } from "../../base/index.ts";
import { type Library, Mail, SESSION_SCHEMA } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import { documentsOf } from "../context/document.ts";
import type { Log } from "../ports.ts";
import type { HeartbeatPart } from "../loop.ts";

/** One report of each worker: when, of which build, and whether it has stopped. */
const WORKERS = "workers";
/** What a build can do, by its id. Written once, because the id is a digest of it. */
const BUILDS = "builds";
const SAID_MS = 5_000;
/** How long a worker is counted after its report, ms: two may get lost. */
const COUNTED_MS = 15_000;
/** How long its build is believed to be there, ms, also when it has stopped: a deployment restarts a process faster. */
export const BELIEVED_MS = 20_000;
/** How long a reading of the reports is used for the builds of others, ms. */
const LOOKED_MS = 1_000;
/** How long the report of a worker that is gone is kept, ms … */
const FORGOTTEN_MS = 3_600_000;
/** … and what a build can do that no report names, ms. */
const BUILD_FORGOTTEN_MS = 86_400_000;

interface Abilities {
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

interface Report {
  readonly at: number;
  readonly build: string;
  /** It has stopped. */
  readonly left?: boolean;
}

interface RegistryDeps {
  readonly store: Pick<Store, "documents">;
  readonly log: Pick<Log, "warn">;
  readonly library: Library;
  /** Names of all effects that this build can do. */
  readonly effects: readonly string[];
}

export class WorkerRegistry implements HeartbeatPart {
  /** Between two counts, ms: so long a device's pace may be exceeded by the share of a new worker. */
  readonly everyMs = 1_000;
  readonly #deps: RegistryDeps;
  readonly #now: () => number;
  readonly #id = randomUUID();
  readonly #builds = new Map<string, Abilities>();
  #build = "";
  #stopped = false;
  #reports: readonly Report[] = [];
  #count = 1;
  #saidAt = -Infinity;
  #lookedAt = -Infinity;

  /** `now`: the store's real time, ms. */
  constructor(deps: RegistryDeps, now: () => number) {
    this.#deps = deps;
    this.#now = now;
  }

  /** Workers that are alive, this one among them. */
  get count(): number {
    return this.#count;
  }

  /** Whether another build that is alive can do this. Throws when the store cannot tell. */
  async othersCan(need: Need): Promise<boolean> {
    if (this.#now() - this.#lookedAt > LOOKED_MS) await this.#look();
    const alive = this.#reports.filter(({ at }) => this.#now() - at < BELIEVED_MS);
    const others = new Set(alive.map(({ build }) => build));
    others.delete(this.#build);
    for (const build of others) {
      const abilities = await this.#abilitiesOf(build);
      if (abilities && can(abilities, need)) return true;
    }
    return false;
  }

  /** Counts, and reports when it is time. */
  async beat(): Promise<void> {
    const age = this.#now() - this.#saidAt;
    // After a clock jumped back it must not stay silent for as long as the jump.
    if (age >= SAID_MS || age < 0) await this.say();
    // A failure is logged by the next report.
    else await this.#look().catch(() => undefined);
  }

  /** Reports that it is there, and counts the others. */
  async say(): Promise<void> {
    try {
      const now = this.#now();
      // After a long silence others may have forgotten what its build can do.
      if (now - this.#saidAt > FORGOTTEN_MS) this.#builds.delete(this.#build);
      this.#saidAt = now;
      await this.#describe();
      await this.#put({ at: this.#saidAt, build: this.#build });
      await this.#look();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "this worker could not say that it is there");
    }
  }

  /** It is not counted any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#build === "") return;
    await this.#put({ at: this.#now(), build: this.#build, left: true }).catch(() => undefined);
  }

  async #put(report: Report): Promise<void> {
    // A report under way must not follow that of the stop.
    if (this.#stopped && !report.left) return;
    await this.#deps.store.documents.put(WORKERS, this.#id, { ...report });
  }

  /** Writes down what this build can do, where it is not written yet: in development flows change while the process runs. */
  async #describe(): Promise<void> {
    const { store, library, effects } = this.#deps;
    const flows = library.list().map(({ flow, hash }) => `${flow}@${hash}`);
    const own: Abilities = {
      session: SESSION_SCHEMA,
      flows: [...(library.versions?.() ?? flows)].sort(),
      mail: Mail.options.map(({ shape }) => shape.kind.value).sort(),
      effects: [...effects].sort(),
    };
    this.#build = digest(JSON.stringify(own)).slice(0, 32);
    if (this.#builds.has(this.#build)) return;
    await store.documents.put(BUILDS, this.#build, { ...own, at: this.#now() });
    this.#builds.set(this.#build, own);
    await this.#forgetBuilds();
  }

  async #abilitiesOf(build: string): Promise<Abilities | undefined> {
    const known = this.#builds.get(build);
    if (known) return known;
    const found = await this.#deps.store.documents.get(BUILDS, build);
    if (found) this.#builds.set(build, found.value as unknown as Abilities);
    return this.#builds.get(build);
  }

  async #look(): Promise<void> {
    const { documents } = this.#deps.store;
    const now = this.#now();
    const reports: Report[] = [];
    for await (const { id, value } of documentsOf(this.#deps.store, WORKERS)) {
      const report = value as unknown as Report;
      if (now - report.at > FORGOTTEN_MS) await documents.remove(WORKERS, id);
      else reports.push(report);
    }
    this.#lookedAt = now;
    this.#reports = reports;
    const alive = reports.filter(({ at, left }) => !left && now - at < COUNTED_MS);
    this.#count = Math.max(1, alive.length);
  }

  /** Each change of a flow makes another build. */
  async #forgetBuilds(): Promise<void> {
    await this.#look();
    const named = new Set([this.#build, ...this.#reports.map(({ build }) => build)]);
    for await (const { id, value } of documentsOf(this.#deps.store, BUILDS))
      if (!named.has(id) && this.#now() - Number(value["at"]) > BUILD_FORGOTTEN_MS)
        await this.#deps.store.documents.remove(BUILDS, id);
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
