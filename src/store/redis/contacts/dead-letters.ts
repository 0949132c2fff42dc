/** Dead letters on Redis. */
import type {
  DeadLetter,
  DeadLettered,
  DeadLetterStore,
  NewDeadLetter,
  Page,
} from "../../port/port.ts";
import { associatedData } from "../../names.ts";
import { compare, cursorOf, pageOf, readCursor } from "../../page.ts";
import { openMail, sealMail, tickMail } from "../../sealing/contact-keys.ts";
import { letterOf } from "../../sealing/unreadable.ts";
import type { RedisContext } from "../connection/redis-context.ts";
import { type Reply, list, number, text } from "../connection/script-calls.ts";
import type { Claims } from "./claims.ts";

const FENCED: DeadLettered = { ok: false, reason: "fenced" };
const FULL: DeadLettered = { ok: false, reason: "full" };

const CONTACT = /^[0-9a-f]{32}$/;

export class DeadLetters implements DeadLetterStore {
  readonly #context: RedisContext;
  readonly #claims: Claims;

  constructor(context: RedisContext, claims: Claims) {
    this.#context = context;
    this.#claims = claims;
  }

  async add(input: NewDeadLetter): Promise<DeadLettered> {
    const context = this.#context;
    const { contact, newSession } = input;
    const { deadLetters, deadLettersOfOne } = context.limits;
    const key = await context.keyOf(contact);
    if (!key) return FENCED;
    const sealed = (item: NewDeadLetter["notice"]): [string, string] => {
      if (!item) return ["", ""];
      const event = context.names.event(contact, item.event);
      return [event, sealMail(key, contact, event, item)];
    };
    const answer = list(
      await context.run(
        ...(["dead-letter", contact, input.account, input.epoch, input.rev] as const),
        key.sealText(associatedData.reason(contact), input.reason),
        ...sealed(input.notice),
        ...sealed(input.letter),
        newSession === undefined
          ? ""
          : key.seal(associatedData.session(contact, input.rev + 1), newSession),
        ...[input.due === undefined ? "same" : (input.due ?? ""), deadLetters, deadLettersOfOne],
      ),
    );
    if (answer[0] === 2) return FULL;
    this.#claims.drop(contact);
    if (answer[0] === 0) return FENCED;
    const left = number(answer[2]);
    if (left > 0) context.tell("turns", contact);
    return { ok: true, rev: number(answer[1]), left, begun: [] };
  }

  async list(options: Parameters<DeadLetterStore["list"]>[0]): Promise<Page<DeadLetter>> {
    if (options.id !== undefined) return { items: await this.#one(options.id) };
    const after = readCursor(options.after);
    const pages = await this.#context.everywhere(
      "dead",
      options.account ?? "",
      after?.score ?? "",
      after?.member ?? "",
      options.limit + 1,
    );
    const rows = pages
      .flatMap((page) => list(page).map((row) => this.#letterOf(list(row))))
      .sort((a, b) => a.at - b.at || compare(a.id, b.id));
    return pageOf(rows, options.limit, ({ at, id }) => cursorOf(at, id));
  }

  async #one(id: string): Promise<DeadLetter[]> {
    const [contact = "", hash = ""] = id.split(".");
    if (!CONTACT.test(contact)) return [];
    const prefix = this.#context.prefix(this.#context.partitionOf(contact));
    const { work } = this.#context;
    const [facts, letter] = await Promise.all([
      work.ask((client) => client.hmget(`${prefix}s:${contact}`, "a", "k")),
      work.ask((client) => client.hget(`${prefix}d:${contact}`, hash)),
    ]);
    const [account = null, wrapped = null] = facts;
    if (account === null || wrapped === null || letter === null) return [];
    return [this.#letterOf([contact, hash, account, wrapped, letter])];
  }

  async resolve(id: string, action: "release" | "drop"): Promise<boolean> {
    const [contact = "", event = ""] = id.split(".");
    if (!CONTACT.test(contact)) return false;
    const { dedupeMs } = this.#context.limits;
    const done = (await this.#context.run("resolve-dead", contact, event, action, dedupeMs)) === 1;
    if (done && action === "release") this.#context.tell("turns", contact);
    return done;
  }

  #letterOf(row: readonly Reply[]): DeadLetter {
    const [contact, hash, account] = [text(row[0]), text(row[1]), text(row[2])];
    const [at = "", why = "", sealed = ""] = text(row[4]).split("|");
    const wrapped = text(row[3]);
    const key = () => this.#context.keys.of(contact, wrapped);
    const isTick = /^tick\d+$/.test(hash) && /^\d+$/.test(sealed);
    const opened = letterOf({
      mail: () => (isTick ? tickMail(Number(sealed)) : openMail(key(), contact, hash, sealed)),
      reason: () =>
        why === "mailbox_full" ? why : key().openText(associatedData.reason(contact), why),
    });
    return { id: `${contact}.${hash}`, account, contact, ...opened, at: Number(at) };
  }
}
