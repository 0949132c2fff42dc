/** The entries of `PROSA_KEYS`: a new one, what each wraps, and wrapping anew what older ones wrap. */
import { randomBytes } from "node:crypto";
import { adminUrl, apiClient } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";
import { UsageError } from "../terminal.ts";

const usage = "keys show|rewrap | keys make NAME";
const KEY_BYTES = 32;

export const keys: Command = {
  name: "keys",
  usage,
  summary: "Keys at rest: a new entry for PROSA_KEYS, what each wraps, wrapping the rest anew.",
  async run({ args, terminal, settings }) {
    const { positionals } = parse(args, { json: { type: "boolean" } }, usage);
    const [verb, name] = positionals;
    if (verb === "make") {
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(name ?? ""))
        throw new UsageError("Name the entry: letters, digits, - and _, at most 32.");
      terminal.say("Put it first in PROSA_KEYS, keep the older ones behind it, restart.");
      terminal.out(`${name}:${randomBytes(KEY_BYTES).toString("base64")}`);
      return 0;
    }
    if (verb !== "show" && verb !== "rewrap") throw new UsageError(`Usage: prosa ${usage}`);
    const config = settings();
    const api = apiClient(adminUrl(config), config.adminToken);
    const answer =
      verb === "show" ? await api.get("/api/keys") : await api.send("POST", "/api/keys/rewrap", {});
    terminal.out(JSON.stringify(answer, null, 2));
    return 0;
  },
};
