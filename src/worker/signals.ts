/**
 * Events of a channel that start no turn: acknowledgements, the connection's state, facts about a person, and messages that
 * left the business's own number. The ingress calls it before it answers 200. It throws what the store throws.
 */
import { aliases, echoHash } from "../channels/index.ts";
import type { Account, AckStatus, ChannelName, InboundEvent, Mail, Peer } from "../engine/index.ts";
import { Lru } from "../store/index.ts";
import type { ContactId } from "../store/port/port.ts";
import type { Filters } from "./backfill/filters.ts";
import type { Liveness } from "./backfill/liveness.ts";
import type { SendContext } from "./context/contexts.ts";
import { planScope } from "./outbox/entry.ts";
import { settleJob } from "./outbox/queue/jobs.ts";
import type { AutomaticWords } from "./outbox/sending/automatic-words.ts";
import { personOfLinked } from "./outbox/sending/numbers.ts";
import { settleByEcho } from "./outbox/pacing/unsettled-sends.ts";
import { tellOperators } from "./operators.ts";

const RANK: Readonly<Record<AckStatus, number>> = {
  error: 0,
  pending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
};
/** When a line opens and its closing was never reported, messages may have been missed for this long at most. Virtual ms. */
const LOOK_BACK_MS = 3_600_000;
/** Conversations looked through: those that changed last. */
const CONVERSATIONS = 50;
/** Only the beginning of longer words is told. Characters. */
const TOLD = 1_000;
/** Messages whose progress is remembered here. */
const REMEMBERED = 20_000;

type Own = Extract<InboundEvent, { kind: "own" }>;

export type SignalContext = SendContext & {
  readonly automatic: Pick<AutomaticWords, "are">;
  readonly filters: Pick<Filters, "renew">;
  readonly liveness: Pick<Liveness, "line">;
};

export class Signals {
  readonly #context: SignalContext;
  readonly #progress = new Lru<string, AckStatus>(REMEMBERED);

  constructor(context: SignalContext) {
    this.#context = context;
  }

  /** What became of it: `human` = it is mail now and pauses the bot in this chat. */
  async handle(
    account: string,
    channel: ChannelName,
    event: InboundEvent,
  ): Promise<"echo" | "human" | "duplicate" | "done"> {
    const { store, clock, scopes, wake } = this.#context;
    switch (event.kind) {
      case "own": {
        const names = aliases(event.from, channel);
        const contact = await store.contacts.identify(
          account,
          names,
          false,
          event.at - clock.offsetMs,
        );
        // Our words to a person who was erased since.
        if (contact === null) return "done";
        // Asked for API sends too: an echo that is heard settles a send whose answer was lost.
        const known = await this.#context.echoes.isOurs(account, contact, event);
        if (known || event.api) {
          await this.#echoed(account, contact, event);
          return "echo";
        }
        const owner = await this.#context.accounts.get(account);
        if (owner && (await this.#context.automatic.are(owner, contact, event))) return "done";
        const mail: Mail = { kind: "inbound", channel, event, acceptedAt: clock.now() };
        const [accepted] = await store.mail.accept([{ account, contact, event: event.id, mail }]);
        wake("turns");
        return accepted === "new" ? "human" : "duplicate";
      }
      case "connection":
        if (channel === "engine-c" && (event.state === "open" || event.state === "connecting"))
          this.#context.filters.renew(account);
        // Only engine B can be asked for messages that it did not deliver.
        if (channel === "engine-b") {
          const isOpen = event.state === "open";
          const from = isOpen ? clock.now() - LOOK_BACK_MS : clock.now();
          await this.#context.liveness.line(account, isOpen ? "open" : "closed", from);
        }
        // Each engine has a number, and a scope, of its own.
        if (event.state === "open") await scopes.opened(planScope(account, channel));
        else if (event.state !== "connecting")
          await scopes.pauseFor(planScope(account, channel), "instance_not_open");
        return "done";
      case "ack":
        await this.#acknowledged(account, event.messageId, event.status);
        return "done";
      default:
        return "done";
    }
  }

  /** The person of an own message that names its chat by an unknown linked id alone. */
  whoseLinked(account: Account, event: Own): Promise<Peer | undefined> {
    return personOfLinked(this.#context, account, event);
  }

  /*
   * Answers by short message that name the message answered and no sender, when nothing leads from it to a person
   * (`nameAnswer`): finds the conversation, and tells the operators when it cannot.
   */

  /** The conversation in which a message of ours with this id was said, on any channel: the last of several. */
  async saidTo(account: string, id: string): Promise<ContactId | undefined> {
    const { store, echoes } = this.#context;
    const known = echoes.sentTo(account, id);
    if (known) return known.contact;
    const { items } = await store.views.sessions({ account, limit: CONVERSATIONS });
    for (const { contact } of items) if (await echoes.knows(account, contact, id)) return contact;
    return undefined;
  }

  /** Resolves when it is in every operator's mailbox, or was there already. */
  unmatched(
    account: Account,
    { id, content }: Extract<InboundEvent, { kind: "message" }>,
  ): Promise<void> {
    const text = content.type === "text" ? content.text.slice(0, TOLD) : "";
    const mail = { kind: "notice", key: "sms-unmatched", vars: { text } } as const;
    return tellOperators(this.#context, account, `unmatched:${id}`, mail);
  }

  /** Furthest progress of one of our messages, as far as this process has heard. */
  progress(account: string, messageId: string): AckStatus | undefined {
    return this.#progress.get(`${account} ${messageId}`);
  }

  /** The echo of a queued send is its end, because the answer to the enqueue call had none. */
  async #echoed(account: string, contact: string, event: Own): Promise<void> {
    const { accounts, queue, echoes } = this.#context;
    const found = await accounts.get(account);
    if (!found || (found.sendMode !== "queue" && !queue.rests(account))) return;
    if (await echoes.knows(account, contact, event.messageId)) return;
    if (await settleByEcho(this.#context, found, contact, event))
      await echoes.take(account, contact, [echoHash(event.text)], -Infinity);
  }

  /** Acknowledgements come out of order, so the furthest counts. An error is final only before delivery. */
  async #acknowledged(account: string, messageId: string, status: AckStatus): Promise<void> {
    const key = `${account} ${messageId}`;
    const known = this.#progress.get(key);
    const delivered = known !== undefined && RANK[known] >= RANK.delivered;
    const further =
      known === undefined ||
      (status === "error" ? !delivered : known !== "error" && RANK[status] > RANK[known]);
    if (further) this.#progress.set(key, status);
    if (status === "error" && further)
      this.#context.alarms.raise({
        code: "message.undelivered",
        account,
        message: "An engine reported that a message of ours was not delivered.",
      });
    if (await settleJob(this.#context, account, messageId, status)) return;
    // Progress of an unknown message: it may be a queued one whose echo was lost. The jobs tell.
    const { queue } = this.#context;
    if (queue.rests(account) && known === undefined) queue.hint(account);
  }
}
