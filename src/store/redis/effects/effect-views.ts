/** Effects on Redis as people and checks see them. */
import { compare, cursorOf, readCursor } from "../../cursor.ts";
import { places } from "../../associated-data.ts";
import type { ContactId, EffectState, EffectView, Page, Store } from "../../port/port.ts";
import type { DataKey } from "../../sealing/seal.ts";
import { UNREADABLE } from "../../sealing/unreadable.ts";
import type { Reply } from "../connection/client.ts";
import type { Hub } from "../connection/redis-context.ts";
import { list, number, text } from "../connection/reply.ts";

const LETTERS = { pending: "p", inflight: "i", held: "h", enqueued: "q" } as const;
const STATES: Readonly<Record<string, EffectState>> = {
  ...{ p: "pending", i: "inflight", h: "held", q: "enqueued" },
};

export class EffectViews {
  readonly #hub: Hub;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  async view(options: Parameters<Store["effects"]>[0]): Promise<readonly EffectView[]> {
    const hub = this.#hub;
    const { contact, limit } = options;
    const state = options.state ? LETTERS[options.state] : "";
    const values = [options.account ?? "", contact ?? "", state, limit];
    const replies =
      contact === undefined
        ? await hub.everywhere("effects", ...values)
        : [await hub.at("effects", hub.partitionOf(contact), ...values)];
    return replies
      .flatMap((reply) => list(reply).map((row) => this.#view(row)))
      .sort((a, b) => a.createdAt - b.createdAt)
      .slice(0, limit);
  }

  async held(options: Parameters<Store["held"]>[0]): Promise<Page<EffectView>> {
    const after = readCursor(options.after);
    const state = LETTERS[options.state ?? "held"];
    const values = [after?.score ?? "", after?.member ?? "", options.limit + 1, state];
    const rows = (await this.#hub.everywhere("held", ...values))
      .flatMap((page) => list(page).map((row) => list(row)))
      .map(([at, ...row]) => ({ at: number(at), id: text(row[0]), row }))
      .sort((a, b) => a.at - b.at || compare(a.id, b.id));
    const shown = rows.slice(0, options.limit);
    const last = shown.at(-1);
    const more = rows.length > options.limit && last;
    return {
      items: shown.map(({ row }) => this.#view(row)),
      ...(more ? { next: cursorOf(last.at, last.id) } : {}),
    };
  }

  async one({ account, contact, id }: Parameters<Store["effect"]>[0]): Promise<EffectView | null> {
    const row = await this.#hub.run("effect", contact, account, id);
    return list(row).length === 0 ? null : this.#view(row);
  }

  /** Where in the contact's list the script stopped: 0 when nothing is left. */
  async of(options: Parameters<Store["effectsOf"]>[0]): Promise<Page<EffectView>> {
    const { account, contact, states = [], tried, after = "", limit } = options;
    const letters = states.map((state) => LETTERS[state]).join("");
    const from = /^\d{1,15}$/.test(after) ? after : "";
    const values = [account, from, letters, tried === true ? 1 : "", limit];
    const [stopped, ...rows] = list(await this.#hub.run("effects-of", contact, ...values));
    const at = number(stopped);
    return {
      items: rows.map((row) => this.#view(row)),
      ...(at > 0 ? { next: String(at) } : {}),
    };
  }

  #view(reply: Reply): EffectView {
    const row = list(reply);
    const [id, contact] = [text(row[0]), text(row[2])];
    const [reason, job] = [text(row[10]), text(row[11])];
    return {
      ...{ id, account: text(row[1]), contact, class: text(row[3]), scope: text(row[4]) },
      state: STATES[text(row[5])] ?? "pending",
      ...{ attempt: number(row[6]), notBefore: number(row[7]), createdAt: number(row[8]) },
      rev: number(row[12]),
      ...(job === "" ? {} : { job }),
      ...(text(row[13]) === "" ? {} : { inPlace: true as const }),
      ...this.#openedView(row, { id, contact, reason }),
    };
  }

  /** An effect that cannot be opened is shown without its content. */
  #openedView(
    row: readonly Reply[],
    { id, contact, reason }: { id: string; contact: ContactId; reason: string },
  ): Pick<EffectView, "payload" | "reason"> {
    try {
      const key = this.#hub.keys.of(contact, text(row[14]));
      const payload = key.open(places.effect(id), text(row[9]));
      return { payload, ...(reason === "" ? {} : { reason: reasonOf(key, id, reason) }) };
    } catch {
      return { payload: {}, reason: UNREADABLE };
    }
  }
}

/** A script that holds an effect back writes a plain reason, because it cannot seal. */
function reasonOf(key: DataKey, id: ContactId, reason: string): string {
  return reason === "turn" || reason === UNREADABLE ? reason : key.openText(places.why(id), reason);
}
