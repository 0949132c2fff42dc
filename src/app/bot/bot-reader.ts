/**
 * Reads the files of one bot. What is wrong with one, and what claims a name that is taken, becomes a finding with its place; the rest
 * is taken.
 */
import path from "node:path";
import type { BuildFailure } from "esbuild";
import { panelCode, type PanelCode } from "../../console/index.ts";
import { accountModel, type AccountModel, ROLES } from "../../engine/index.ts";
import {
  didYouMean,
  type Finding,
  KINDS,
  LOCALES,
  type OwnEffect,
  PIPES,
} from "../../flow/index.ts";
import { findRoute } from "../../gateway/index.ts";
import { createEffects, type EffectTable } from "../../worker/index.ts";
import { Claims } from "../../base/index.ts";
import { shown } from "../places.ts";
import { type Bundled, bundled, kitUrl, type Spot, withoutCode } from "./bundle.ts";
import type { LoadedBot, LoadedEffect } from "./loaded-bot.ts";
import { type Bot, type Plugin, fittingHooks } from "./plugin.ts";

const PARTS = [
  "plugins",
  "languages",
  "kinds",
  "rules",
  "pipes",
  "events",
  "texts",
  "readers",
] as const;
const PLUGIN_NAME = /^[a-z][a-z0-9-]{1,29}$/;

interface Together {
  readonly plugins: readonly Plugin[];
  readonly accounts: AccountModel;
  readonly table: EffectTable;
}

interface Owned<T> {
  /** Who brings it, as a finding says it. */
  readonly by: string;
  readonly value: T;
}

export class BotReader {
  readonly findings: Finding[] = [];

  /** Of each file that was read. */
  readonly digests: string[] = [];

  async config(file: string): Promise<Bot> {
    const read = await this.#default<Bot | undefined>(file, true);
    if (read === undefined) return {};
    const bot = read.value;
    if (typeof bot !== "object" || bot === null)
      return this.#tell(file, "has no bot as its default export: export default defineBot({ … }).");
    const known = Object.entries(bot).filter(([part]) => PARTS.some((one) => one === part));
    for (const part of Object.keys(bot))
      if (!PARTS.some((one) => one === part))
        this.#tell(
          file,
          `names ${part}, which is no part of a bot.${didYouMean(part, PARTS)} There are: ${PARTS.join(", ")}.`,
        );
    const {
      plugins = [],
      languages,
      ...own
    } = fittingHooks<Bot>(
      Object.fromEntries(known),
      "The bot",
      (sentence) => this.#tell(file, sentence),
      ["plugins", "languages"],
    );
    return { ...own, plugins: this.#plugins(file, plugins), ...this.#languages(file, languages) };
  }

  #languages(file: string, named: unknown): Pick<Bot, "languages"> {
    if (named === undefined) return {};
    const list = (Array.isArray(named) ? (named as readonly unknown[]) : []).map((one) =>
      typeof one === "string" ? one : JSON.stringify(one),
    );
    const stray = list.find((name) => !LOCALES.some((locale) => locale === name));
    if (list.length === 0 || stray !== undefined)
      this.#tell(
        file,
        `names ${stray === undefined ? "no list of languages" : `the language ${stray}`}. There are: ${LOCALES.join(", ")}.`,
      );
    const languages = LOCALES.filter((locale) => list.includes(locale));
    return languages.length === 0 ? {} : { languages };
  }

  #plugins(file: string, all: readonly Plugin[]): readonly Plugin[] {
    if (!Array.isArray(all)) {
      this.#tell(file, "names plugins that are no list: plugins: [deliveries()].");
      return [];
    }
    const names = new Set<string>();
    const those = (all as readonly Plugin[]).filter((plugin, at) => {
      // A function that was not called has a name, too.
      const name: unknown =
        typeof plugin === "object" ? (plugin as Plugin | null)?.name : undefined;
      if (typeof name !== "string" || !PLUGIN_NAME.test(name))
        this.#tell(
          file,
          `lists something without a plugin's name as its plugin ${at + 1}: is it called, as in plugins: [deliveries()]?`,
        );
      else if (names.has(name)) this.#tell(file, `lists the plugin ${name} twice: leave one out.`);
      else {
        names.add(name);
        return true;
      }
      return false;
    });
    return those.map((plugin) =>
      fittingHooks(plugin, `The plugin ${plugin.name}`, (sentence) => this.#tell(file, sentence), [
        "name",
      ]),
    );
  }

  /** Plugins as they can stand together: one whose section or effects claim what another one has goes without those. */
  together(plugins: readonly Plugin[], file: string): Together {
    const all: Plugin[] = [];
    const claims = new Claims();
    for (const plugin of plugins) {
      let one = this.#unclaimed(plugin, claims, file);
      const tried = (part: "account" | "effects", make: () => unknown): void => {
        try {
          make();
        } catch (error) {
          this.#tell(file, error instanceof Error ? error.message : String(error));
          one = Object.fromEntries(
            Object.entries(one).filter(([name]) => name !== part),
          ) as unknown as Plugin;
        }
      };
      tried("account", () => accountModel([...all, one]));
      tried("effects", () => createEffects([...all, one]));
      all.push(one);
    }
    return { plugins: all, accounts: accountModel(all), table: createEffects(all) };
  }

  /** Without collections of documents, alarms and headers of chat files that an earlier plugin has. */
  #unclaimed(plugin: Plugin, claims: Claims, file: string): Plugin {
    const { documents, alarms, rehearsal } = plugin;
    const isFree = (what: string): boolean => {
      const no = claims.refusal(plugin.name, what);
      if (no !== undefined) this.#tell(file, no);
      return no === undefined;
    };
    const free = <T>(all: Readonly<Record<string, T>>, what: string): Record<string, T> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => isFree(`${what}${name}`)));
    return {
      ...plugin,
      ...(documents && {
        documents: documents.filter(({ name }) => isFree(`the documents ${name}`)),
      }),
      ...(alarms && { alarms: free(alarms, "the alarm ") }),
      ...(rehearsal?.headers && {
        rehearsal: { ...rehearsal, headers: free(rehearsal.headers, "the header @") },
      }),
    };
  }

  /** Of plugins first, then of the bot itself; the first who names something has it. */
  vocabulary(plugins: readonly Plugin[], own: Bot, file: string): LoadedBot["vocabulary"] {
    const owners = [
      ...plugins.map((hooks) => ({ by: `the plugin ${hooks.name}`, hooks })),
      { by: "this file", hooks: own },
    ];
    const all = <T>(of: (hooks: Bot) => readonly T[]): readonly Owned<T>[] =>
      owners.flatMap(({ by, hooks }) => of(hooks).map((value) => ({ by, value })));
    const entries = <T>(parts: readonly Readonly<Record<string, T>>[] = []) =>
      parts.flatMap((one) => Object.entries(one));
    const runtime = KINDS.map(({ name }) => name);
    const kinds = all(({ kinds = [] }) => kinds);
    const rules = all(({ rules }) => entries(rules));
    const pipes = all(({ pipes }) => entries(pipes));
    const events = all(({ events: some = [] }) => some);
    const readers = all(({ readers: some = [] }) => some);
    const roles = readers.flatMap(({ by, value }) =>
      Object.keys(value.roles ?? {}).map((role) => ({ by, value: role })),
    );
    // Told of, and no more: who is asked first has it.
    this.#unique(file, "role", roles, (role) => role, ROLES);
    return {
      kinds: this.#unique(file, "kind", kinds, ({ name }) => name, runtime),
      rules: Object.fromEntries(this.#unique(file, "rule", rules, ([name]) => name)),
      pipes: Object.fromEntries(
        this.#unique(file, "pipe", pipes, ([name]) => name, Object.keys(PIPES)),
      ),
      events: this.#unique(file, "event", events, ({ name }) => name),
      readers: readers.map(({ value }) => value),
    };
  }

  /** Without those that do not compile. */
  async panels(plugins: readonly Plugin[], config: string): Promise<readonly PanelCode[]> {
    const all = await Promise.all(
      plugins.map(async ({ name, panels }) => {
        if (panels === undefined) return [];
        try {
          return [await panelCode(name, panels)];
        } catch (error) {
          this.#failed(config, error);
          return [];
        }
      }),
    );
    return all.flat();
  }

  async effect(
    file: string,
    before: readonly LoadedEffect[],
    { calls, locals }: EffectTable,
  ): Promise<LoadedEffect | undefined> {
    const read = await this.#default<OwnEffect>(file);
    if (!read) return undefined;
    const { value: effect, url } = read;
    const { name, http, run, input, output } = (effect ?? {}) as Partial<OwnEffect>;
    const same = before.find((one) => one.effect.name === name);
    if (name === undefined || (http ?? run) === undefined || !input?.shape || !output?.shape)
      this.#tell(file, 'has no effect as its default export: export default effect("a.b", { … }).');
    else if (calls.has(name) || locals.has(name) || findRoute(name))
      this.#tell(
        file,
        `defines ${name}, which is an effect of the runtime or a plugin, or a route of the gateway: rename it.`,
      );
    else if (same)
      this.#tell(file, `defines ${name}, as ${shown(same.file)} does: rename one of them.`);
    else return { effect, file, url };
    return undefined;
  }

  /** The default export, undefined where the file cannot be loaded. */
  async #default<T>(
    file: string,
    inProcess = false,
  ): Promise<{ value: T; url: string } | undefined> {
    let code: Bundled | undefined;
    try {
      [code] = await bundled([file], inProcess ? undefined : await kitUrl());
      if (code === undefined) return undefined;
      this.digests.push(code.digest);
      const module = (await import(code.url)) as { default?: T };
      return { value: module.default as T, url: code.url };
    } catch (error) {
      this.#failed(file, error, code);
      return undefined;
    }
  }

  /** Tells of what could not be compiled, or threw while it was loaded. */
  #failed(file: string, error: unknown, code?: Bundled): void {
    const [wrong] = (error as Partial<BuildFailure>).errors ?? [];
    const at = wrong?.location;
    if (wrong && at) {
      const place = { file: path.resolve(at.file), line: at.line, column: at.column + 1 };
      this.#tell(file, `does not compile: ${wrong.text}. Mend this line or the one before.`, place);
    } else {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      this.#tell(file, withoutCode(message), code?.spotIn(stack));
    }
  }

  /** The first of each name. */
  #unique<T>(
    file: string,
    what: string,
    all: readonly Owned<T>[],
    nameOf: (one: T) => string,
    taken: readonly string[] = [],
  ): readonly T[] {
    const known = new Map(taken.map((name) => [name, "the runtime"]));
    return all.flatMap(({ by, value }) => {
      const name = nameOf(value);
      const before = known.get(name);
      known.set(name, before ?? by);
      if (before === undefined) return [value];
      const who = by === "this file" ? "defines" : `loads ${by}, which defines`;
      this.#tell(file, `${who} the ${what} ${name}, as ${before} does: rename it.`);
      return [];
    });
  }

  #tell(file: string, message: string, place?: Spot): Record<string, never> {
    const where = place ? { ...place, file: shown(place.file) } : { file: shown(file) };
    this.findings.push({ rule: "bot/file", severity: "error", ...where, message });
    return {};
  }
}
