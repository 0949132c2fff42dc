/**
 * Operators' work from the command line. Every command is one call of the operator API of the running server.
 */
import { randomBytes } from "node:crypto";
import { type ApiClient, operatorApi, UsageError } from "../../app/index.ts";
import { type Call, type Command, jsonOf, parse, type Terminal } from "../command.ts";

interface Words {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** Answers what is printed as JSON; undefined where it wrote by itself. */
type Work = (api: ApiClient, asked: Words, terminal: Terminal) => Promise<unknown>;

const OPTIONS = {
  account: { type: "string" },
  state: { type: "string" },
  reason: { type: "string" },
  decision: { type: "string" },
  rev: { type: "string" },
  after: { type: "string" },
  limit: { type: "string" },
  id: { type: "string" },
  reveal: { type: "boolean" },
  restore: { type: "boolean" },
  json: { type: "boolean" },
} as const;

function query(options: Words["options"], ...names: string[]): string {
  const pairs = names.flatMap((name) => {
    const value = options[name];
    return value === undefined
      ? []
      : [`${name}=${encodeURIComponent(String(value === true ? 1 : value))}`];
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** `ACCOUNT/CONTACT` or a contact id alone (account demo, or --account). */
function contactPath({ words, options }: Words, at = 1): string {
  const text = words[at];
  if (!text) throw new UsageError("Name the contact: its id, or ACCOUNT/ID.");
  const [first, second] = text.split("/");
  const account = second === undefined ? String(options["account"] ?? "demo") : (first ?? "");
  return `${encodeURIComponent(account)}/${encodeURIComponent(second ?? first ?? "")}`;
}

function word({ words }: Words, at: number, what: string): string {
  const text = words[at];
  if (text === undefined) throw new UsageError(`Name ${what}.`);
  return encodeURIComponent(text);
}

const reason = ({ options }: Words) => ({ reason: String(options["reason"] ?? "") });

/** For what cannot be taken back: the audit keeps why. */
function why(asked: Words): { reason: string } {
  const given = reason(asked);
  if (given.reason.trim() === "")
    throw new UsageError("Say why: --reason TEXT. It is kept in the audit.");
  return given;
}

/** What was looked at: a decision about anything else is refused. */
function seen({ options }: Words): { rev?: number } {
  const given = options["rev"];
  if (given === undefined) return {};
  if (!/^\d{1,9}$/.test(String(given)))
    throw new UsageError(`--rev ${String(given)} is no number.`);
  return { rev: Number(given) };
}

function command(
  name: string,
  usage: string,
  summary: string,
  verbs: Record<string, Work>,
): Command {
  return {
    name,
    usage,
    summary,
    async run({ args, terminal, settings }: Call) {
      const { values, positionals } = parse(args, OPTIONS, usage);
      const verb =
        (Object.hasOwn(verbs, positionals[0] ?? "") ? verbs[positionals[0] ?? ""] : undefined) ??
        verbs["*"];
      if (!verb) throw new UsageError(`Usage: prosa ${usage}`);
      const answer = await verb(
        operatorApi(settings()),
        { words: positionals, options: values },
        terminal,
      );
      if (answer !== undefined) terminal.out(JSON.stringify(answer, null, 2));
      return 0;
    },
  };
}

/** `parcel.ready item=umbrella shelf=3`: numbers, true and false as such, all else as text; quoted JSON is taken as it is. */
function event(asked: Words): object {
  const [, , name, ...fields] = asked.words;
  if (name === undefined) throw new UsageError("Name the event, as the flow's wait does.");
  const data = fields.map((field) => {
    const at = field.indexOf("=");
    if (at < 1) throw new UsageError(`${field} is no FIELD=VALUE.`);
    return [field.slice(0, at), valueOf(field.slice(at + 1))];
  });
  const { id } = asked.options;
  return { name, data: Object.fromEntries(data) as object, id };
}

/** A text that only looks like a number (`007`, a phone) stays one. */
function valueOf(text: string): unknown {
  const isPlain = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d+)?|["[{].*)$/s.test(text);
  return isPlain ? jsonOf(text, text) : text;
}

export const sessions = command(
  "sessions",
  "sessions list|show|forget|export|release CONTACT, sessions event CONTACT NAME [FIELD=VALUE…] [--id ID]",
  "Conversations: list, look into, erase, export, set free; tell one what happened outside.",
  {
    list: (api, asked) =>
      api.get(`/api/sessions${query(asked.options, "account", "after", "limit")}`),
    show: (api, asked) =>
      api.get(`/api/sessions/${contactPath(asked)}${query(asked.options, "reveal")}`),
    forget: (api, asked) => api.send("DELETE", `/api/sessions/${contactPath(asked)}`),
    export: (api, asked) => api.get(`/api/sessions/${contactPath(asked)}/export`),
    release: (api, asked) => api.send("POST", `/api/sessions/${contactPath(asked)}/release`),
    event: (api, asked) =>
      api.send("POST", `/api/sessions/${contactPath(asked)}/events`, event(asked)),
  },
);

export const handoff = command(
  "handoff",
  "handoff list|claim|reply|return CONTACT [TEXT]",
  "People who wait for a person.",
  {
    list: (api, asked) => api.get(`/api/handoffs${query(asked.options, "account")}`),
    claim: (api, asked) => api.send("POST", `/api/handoffs/${contactPath(asked)}/claim`),
    reply: (api, asked) =>
      api.send("POST", `/api/handoffs/${contactPath(asked)}/reply`, {
        text: asked.words.slice(2).join(" "),
      }),
    return: (api, asked) => api.send("POST", `/api/handoffs/${contactPath(asked)}/return`),
  },
);

const effectPath = (asked: Words) =>
  `/api/outbox/${contactPath(asked)}/${word(asked, 2, "the effect")}`;

export const outbox = command(
  "outbox",
  "outbox list [--state held] | outbox retry|resolve|discard CONTACT EFFECT [--rev N] [--decision D] [--reason R]",
  "What waits to leave, failed, or is held until a person decides.",
  {
    list: (api, asked) =>
      api.get(`/api/outbox${query(asked.options, "account", "state", "limit")}`),
    retry: (api, asked) =>
      api.send("POST", `${effectPath(asked)}/retry`, { ...reason(asked), ...seen(asked) }),
    resolve: (api, asked) =>
      api.send("POST", `${effectPath(asked)}/resolve`, {
        decision: asked.options["decision"],
        ...why(asked),
        ...seen(asked),
      }),
    discard: (api, asked) =>
      api.send("POST", `${effectPath(asked)}/discard`, { ...why(asked), ...seen(asked) }),
  },
);

const letterPath = (asked: Words) => `/api/dead/${word(asked, 1, "the dead letter")}`;
/** Letters asked for at once by an export. */
const PAGE = "500";

export const dead = command(
  "dead",
  "dead list|show|release|drop|export [ID] [--account ID] [--reason R] [--reveal] [--limit N] [--after CURSOR]",
  "Events that could not be applied; export prints one JSON object per line.",
  {
    list: (api, { options }) =>
      api.get(`/api/dead${query(options, "account", "reveal", "after", "limit")}`),
    show: (api, asked) => api.get(`${letterPath(asked)}${query(asked.options, "reveal")}`),
    release: (api, asked) => api.send("POST", `${letterPath(asked)}/release`, reason(asked)),
    drop: (api, asked) => api.send("POST", `${letterPath(asked)}/drop`, why(asked)),
    async export(api, { options }, terminal) {
      let after = options["after"];
      let count = 0;
      do {
        const asked = query(
          { ...options, after, limit: PAGE },
          "account",
          "reveal",
          "after",
          "limit",
        );
        const page = await api.get(`/api/dead${asked}`);
        const { items, next } = page as unknown as { items: unknown[]; next?: string };
        for (const item of items) terminal.out(JSON.stringify(item));
        count += items.length;
        after = next;
      } while (after !== undefined);
      const how = options["reveal"] ? "opened" : "people's numbers hidden (--reveal opens them)";
      terminal.say(`${count} dead letters, ${how}.`);
      return undefined;
    },
  },
);

export const pause = command(
  "pause",
  "pause [SCOPE] [--reason R]",
  "Holds a scope's queue, or lists held ones.",
  {
    "*": (api, asked) =>
      asked.words[0] === undefined
        ? api.get("/api/pauses")
        : api.send("POST", "/api/pauses", { scope: asked.words[0], ...why(asked) }),
  },
);

export const resume = command("resume", "resume SCOPE", "Lets a scope's queue go again.", {
  "*": (api, asked) => api.send("DELETE", `/api/pauses/${word(asked, 0, "the scope")}`),
});

export const hold = command(
  "hold",
  "hold show | hold release CLASS",
  "Hold mode after a fail-over or restore.",
  {
    show: (api) => api.get("/api/hold"),
    release: (api, asked) => api.send("DELETE", `/api/hold/${word(asked, 1, "the class")}`),
  },
);

const KEY_BYTES = 32;
const ofKeys = command(
  "keys",
  "keys show|rewrap | keys make NAME",
  "Keys at rest: a new entry for PROSA_KEYS, what each wraps, wrapping the rest anew.",
  {
    show: (api) => api.get("/api/keys"),
    rewrap: (api) => api.send("POST", "/api/keys/rewrap", {}),
  },
);

/** A new key needs no server, and no settings, which may lack it. */
export const keys: Command = {
  ...ofKeys,
  async run(call) {
    const [verb, name = ""] = call.args;
    if (verb !== "make") return ofKeys.run(call);
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(name))
      throw new UsageError("Name the entry: letters, digits, - and _, at most 32.");
    call.terminal.say("Put it first in PROSA_KEYS, keep the older ones behind it, restart.");
    call.terminal.out(`${name}:${randomBytes(KEY_BYTES).toString("base64")}`);
    return 0;
  },
};

async function readJson(): Promise<unknown> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return jsonOf(text, "Standard input");
}

const accountPath = (asked: Words) => `/api/accounts/${word(asked, 1, "the account")}`;

export const accounts = command(
  "accounts",
  "accounts list|show|add|set|remove|rotate|usage|alarms ID  (add and set read JSON from stdin; add --restore puts a removed one back)",
  "Businesses.",
  {
    list: (api) => api.get("/api/accounts"),
    show: (api, asked) => api.get(accountPath(asked)),
    usage: (api, asked) => api.get(`${accountPath(asked)}/usage`),
    alarms: (api, asked) => api.get(`${accountPath(asked)}/alarms`),
    add: async (api, { options }) => {
      const account = (await readJson()) as object;
      const body = options["restore"] === true ? { ...account, restore: true } : account;
      return api.send("POST", "/api/accounts", body);
    },
    set: async (api, asked) => api.send("PUT", accountPath(asked), await readJson()),
    remove: (api, asked) => api.send("DELETE", accountPath(asked)),
    rotate: (api, asked) => api.send("POST", `${accountPath(asked)}/rotate`),
  },
);
