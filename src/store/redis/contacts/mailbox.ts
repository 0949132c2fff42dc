/** Mailboxes, leases and sessions on Redis. */
import { Fault } from "../../../base/index.ts";
import { sealMail } from "../../sealing/contact-keys.ts";
import { sealTurn } from "../../sealing/journal.ts";
import { SOLO_AFTER } from "../../limits.ts";
import { associatedData } from "../../names.ts";
import type {
  Acceptance,
  Accepted,
  Begun,
  Claimed,
  Commit,
  Committed,
  ContactId,
  MailStore,
  Take,
} from "../../port/port.ts";
import type { Barrier } from "../failover/durability.ts";
import { effectValues } from "../effects/entries.ts";
import { type RedisContext, newToken } from "../connection/redis-context.ts";
import { type Reply, list, number, orUnknown } from "../connection/script-calls.ts";
import { type Claims, TAIL } from "./claims.ts";

/** Tries to seal under the key that the store has: it changes only while a person is erased. */
const KEY_TRIES = 4;
/** Mail of one contact that one script stores: more would keep the server from other commands for too long. */
const AT_ONCE = 50;

const FENCED: Committed = { ok: false, reason: "fenced" };
const TOO_LARGE: Committed = { ok: false, reason: "too_large" };
const UNKNOWN: Committed = { ok: false, reason: "unknown" };

export class Mailbox implements MailStore {
  readonly #context: RedisContext;
  readonly #barrier: Barrier;
  readonly #claims: Claims;

  constructor(context: RedisContext, claims: Claims, barrier: Barrier) {
    this.#context = context;
    this.#claims = claims;
    this.#barrier = barrier;
  }

  async accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]> {
    const since = performance.now();
    const answers: Accepted[] = [];
    // One step for all mail of a contact, so that none is stored without the mail before it; contacts side by side.
    const stored = await Promise.allSettled(
      [...byContact(items)].map(async (places) => {
        const mail = places.map((at) => items[at] as Acceptance);
        const words = await this.acceptOfOne(mail, take);
        for (const [index, at] of places.entries()) answers[at] = words[index] as Accepted;
      }),
    );
    // All steps have ended by then, so no contact is leased after the answer.
    for (const one of stored) if (one.status === "rejected") throw one.reason;
    await this.#barrier.pass(since);
    return answers;
  }

  /** Mail of one contact, in order: none is stored without the mail before it. The last piece leases the contact. */
  async acceptOfOne(items: readonly Acceptance[], take?: Take): Promise<Accepted[]> {
    const [first] = items;
    if (!first) return [];
    const words: Accepted[] = [];
    for (let attempt = 0; attempt < KEY_TRIES;) {
      const some = items.slice(words.length, words.length + AT_ONCE);
      const isLast = words.length + some.length === items.length;
      const said = await this.#store(first.contact, some, isLast ? take : undefined);
      words.push(...said);
      if (words.length === items.length) return words;
      if (said.length < some.length) attempt += 1;
    }
    throw new Fault("STORE_UNAVAILABLE", "The data key of a contact keeps changing.");
  }

  /** One step. Fewer answers than items: the rest must be sealed under another key, which is known now. */
  async #store(
    contact: ContactId,
    items: readonly Acceptance[],
    take: Take | undefined,
  ): Promise<Accepted[]> {
    const context = this.#context;
    const { mailbox, dedupeMs, dedupe, dead } = context.limits;
    const known = context.keys.remembered(contact) ?? context.keys.propose(contact);
    const opened = take && this.#claims.session(contact);
    const values = items.flatMap((item) => {
      const event = context.names.event(contact, item.event);
      const sealed = sealMail(known.key, contact, event, item);
      const { account, notBefore = "", found, handed } = item;
      return [account, event, sealed, notBefore, found === true ? 1 : "", handed === true ? 1 : ""];
    });
    const answers = list(
      await context.run(
        ...(["accept", contact, known.key.id, known.stored ? "" : known.wrapped] as const),
        ...[mailbox, dedupeMs, dedupe, dead],
        ...[take?.leaseMs ?? "", take?.events ?? "", SOLO_AFTER],
        ...[opened?.sealed.slice(-TAIL) ?? "", items.length, ...values],
      ),
    ).map(list);
    const words: Accepted[] = [];
    for (const [at, answer] of answers.entries()) {
      const [word, wrapped] = answer;
      const item = items[at] as Acceptance;
      if (word === "account")
        throw new TypeError("A contact was named together with an account it does not belong to.");
      if (word === "full") throw new Fault("STORE_FULL", "Dead letters have reached their limit.");
      if (word === "new") {
        const key = known.stored ? known.key : context.keys.of(contact, known.wrapped);
        if (take && answer.length > 1) take.claimed(this.#claims.taken(key, item, answer, opened));
        else context.tell("turns", contact);
      }
      if (word === "moved") context.keys.forget(contact);
      if (word === "new" || word === "duplicate" || word === "dead" || word === "moved")
        words.push(word);
      else if (typeof wrapped === "string" && wrapped !== "")
        await context.learnKey(contact, wrapped);
      else context.keys.forget(contact);
    }
    return words;
  }

  claim(options: Parameters<MailStore["claim"]>[0]): Promise<readonly Claimed[]> {
    return this.#claims.claim(options);
  }

  /** Each commit is answered by itself, because the effects that it began leave only once the caller knows of it. */
  async commit(commits: readonly Commit[]): Promise<readonly Committed[]> {
    return orUnknown(
      commits.map((commit) => this.#commit(commit)),
      UNKNOWN,
    );
  }

  async #commit(commit: Commit): Promise<Committed> {
    const context = this.#context;
    const { contact } = commit;
    const key = await context.keyOf(contact);
    if (!key) return FENCED;
    const rev = commit.session === null ? commit.rev : commit.rev + 1;
    const plain = commit.session === null ? "" : JSON.stringify(commit.session);
    if (plain.length > context.limits.session) return TOO_LARGE;
    const sealed = plain === "" ? "" : key.sealText(associatedData.session(contact, rev), plain);
    const turn = sealTurn(key, commit, rev);
    const token = newToken();
    const answer = list(
      await context.run(
        ...(["commit", contact, commit.account, commit.epoch, commit.rev, commit.applied] as const),
        ...[this.#claims.head(contact, commit.epoch) ?? "", sealed, commit.due ?? ""],
        ...[commit.blameless ? 1 : 0, commit.againAt ?? "", context.limits.journal],
        ...[turn.lines.length, ...turn.lines, token, commit.effects.length],
        ...commit.effects.flatMap((effect, at) =>
          effectValues(context.names, contact, effect, turn.payloads[at] ?? ""),
        ),
      ),
    );
    if (answer[0] === 0) {
      this.#claims.drop(contact);
      return FENCED;
    }
    this.#claims.committed(contact, sealed, plain, commit.session);
    const left = number(answer[2]);
    if (left > 0) context.tell("turns", contact);
    const begun = begunOf(commit, token, answer);
    if (commit.effects.length > begun.length) context.tell("outbox", contact);
    return { ok: true, rev: number(answer[1]), left, begun };
  }

  async tick(options: { offsetMs: number; limit: number }): Promise<number> {
    const context = this.#context;
    // A node that is away delays only its own timers.
    const answers = await orUnknown(
      context
        .all()
        .map((partition) => context.at("tick", partition, options.offsetMs, options.limit)),
      0,
    );
    let sum = 0;
    for (const [partition, answer] of answers.entries()) {
      const count = number(answer);
      if (count > 0) context.poller.turns.mark(partition);
      sum += count;
    }
    if (sum > 0) context.wake.tell("turns");
    return sum;
  }
}

function begunOf(commit: Commit, token: string, answer: readonly Reply[]): Begun[] {
  const createdAt = number(answer[3]);
  const ids = new Set(answer.slice(4));
  return commit.effects.flatMap((effect, index) => {
    if (!ids.has(effect.id)) return [];
    const { id, scope, ordered, payload } = effect;
    const { account, contact } = commit;
    const of = { id, account, contact, scope, ordered, payload };
    return [{ ...of, class: effect.class, token: `${token}.${index}`, attempt: 1, createdAt }];
  });
}

/** Where the items of each contact stand, in their order. */
function byContact(items: readonly Acceptance[]): Iterable<readonly number[]> {
  if (items.length === 1) return [[0]];
  const places = new Map<string, number[]>();
  for (const [at, { contact }] of items.entries()) {
    const known = places.get(contact);
    if (known) known.push(at);
    else places.set(contact, [at]);
  }
  return places.values();
}
