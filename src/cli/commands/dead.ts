/** Dead letters: events that could not be applied, looked at, released, dropped, taken out as JSON lines. */
import { adminUrl, apiClient } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";
import { UsageError } from "../terminal.ts";

const usage =
  "dead list|show|release|drop|export [ID] [--account ID] [--reason R] [--reveal] [--limit N] [--after CURSOR]";
const OPTIONS = {
  account: { type: "string" },
  reason: { type: "string" },
  after: { type: "string" },
  limit: { type: "string" },
  reveal: { type: "boolean" },
  json: { type: "boolean" },
} as const;
/** Letters asked for at once by an export. */
const PAGE = 500;

export const dead: Command = {
  name: "dead",
  usage,
  summary: "Events that could not be applied; export prints one JSON object per line.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(args, OPTIONS, usage);
    const [verb = "", id] = positionals;
    const reason = values["reason"] ?? "";
    const config = settings;
    const api = () => apiClient(adminUrl(config()), config().adminToken);
    const letter = () => {
      if (id === undefined) throw new UsageError("Name the dead letter.");
      return `/api/dead/${encodeURIComponent(id)}`;
    };
    const query = (more: Readonly<Record<string, string | number | undefined>>) => {
      const asked = { account: values["account"], reveal: values["reveal"] ? 1 : undefined };
      const pairs = Object.entries({ ...asked, ...more }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
      );
      return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
    };
    const tell = (answer: unknown) => terminal.out(JSON.stringify(answer, null, 2));
    switch (verb) {
      case "list":
        tell(
          await api().get(`/api/dead${query({ after: values["after"], limit: values["limit"] })}`),
        );
        return 0;
      case "show":
        tell(await api().get(`${letter()}${query({ account: undefined })}`));
        return 0;
      case "release":
        tell(await api().send("POST", `${letter()}/release`, { reason }));
        return 0;
      case "drop":
        // What cannot be taken back: the audit keeps why.
        if (reason.trim() === "")
          throw new UsageError("Say why: --reason TEXT. It is kept in the audit.");
        tell(await api().send("POST", `${letter()}/drop`, { reason }));
        return 0;
      case "export": {
        let after = values["after"];
        let count = 0;
        do {
          const page = await api().get(`/api/dead${query({ after, limit: PAGE })}`);
          const { items, next } = page as unknown as { items: unknown[]; next?: string };
          for (const item of items) terminal.out(JSON.stringify(item));
          count += items.length;
          after = next;
        } while (after !== undefined);
        terminal.say(
          `${count} dead letters${values["reveal"] ? ", opened" : ", people's numbers hidden (--reveal opens them)"}.`,
        );
        return 0;
      }
      default:
        throw new UsageError(`Usage: prosa ${usage}`);
    }
  },
};
