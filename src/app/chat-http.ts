/**
 * A chat file's world behind HTTP: a running server, driven through the sandbox's phones, clock and faults, looked at through
 * the operator API. Calls that cost wait until a `*` line answers them; the values of such a line stand for those the
 * sandbox gives.
 */
import { durationMs, type JsonObject } from "../base/index.ts";
import type { CallEffect, Session } from "../engine/index.ts";
import {
  type Catalogues,
  type ChatBubble,
  type ChatFile,
  type ChatSent,
  type ChatState,
  type ChatWorld,
  type ClockMove,
  CUSTOMER,
  type FlowLibrary,
} from "../flow/index.ts";
import { GROUP_ADDRESS } from "./chat-group.ts";
import { phrasesOf } from "./chat-phrases.ts";
import { type ChatSetting, instantIn } from "./chat-setting.ts";
import type { ApiClient } from "./client.ts";
import { HttpAnswers } from "./http-answers.ts";
import { HttpBusiness } from "./http-business.ts";
import { HttpClock } from "./http-clock.ts";
import { bubbleOf, inboundOf, type ReceivedRow } from "./http-content.ts";
import { HttpFaults } from "./http-faults.ts";
import { known, madeUp, type Phone, phonesOf, Strangers } from "./http-people.ts";
import { NotOverHttp } from "./http-refusals.ts";
import { HttpTurns } from "./http-turns.ts";

/** Free text waits this long for more. */
const SETTLE_MS = 1_000;
const MINUTE_MS = 60_000;

/** A conversation as the operator API shows it. */
interface Seen {
  readonly live?: { readonly frames: readonly { readonly step: string }[] };
  readonly session?: Session;
}

function timersOf(session: Session | undefined): Session["timers"] {
  return [session, ...(session?.frames ?? [])].flatMap((owner) => owner?.timers ?? []);
}

export class ChatServer implements ChatWorld {
  readonly #api: ApiClient;
  readonly #setting: ChatSetting;
  readonly #texts: ReadonlyMap<string, Catalogues>;
  readonly #business: HttpBusiness;
  readonly #clock: HttpClock;
  readonly #phones: ReadonlyMap<string, Phone>;
  readonly #turns: HttpTurns;
  readonly #answers: HttpAnswers;
  readonly #faults: HttpFaults;
  /** When somebody last wrote, real ms. */
  #acted = Date.now();
  #requests = 0;
  #refused: NotOverHttp | undefined;
  #webhook: string | undefined;

  private constructor(
    api: ApiClient,
    setting: ChatSetting,
    of: {
      readonly texts: ReadonlyMap<string, Catalogues>;
      readonly phones: ReadonlyMap<string, Phone>;
      readonly business: HttpBusiness;
    },
  ) {
    const { business } = of;
    this.#api = api;
    this.#setting = setting;
    this.#texts = of.texts;
    this.#phones = of.phones;
    this.#business = business;
    this.#clock = new HttpClock(api);
    this.#faults = new HttpFaults(api, business);
    this.#turns = new HttpTurns(api, business.account, of.phones);
    this.#answers = new HttpAnswers(api, business, this.#turns);
  }

  /** Throws with a sentence when this server cannot play the file. */
  static async open(
    api: ApiClient,
    chat: ChatFile,
    setting: ChatSetting,
    flows: { readonly library: FlowLibrary; readonly texts: ReadonlyMap<string, Catalogues> },
  ): Promise<ChatServer> {
    const phones = phonesOf(setting);
    const strangers = new Strangers(phones.size);
    const business = await HttpBusiness.open(api, chat, setting, {
      library: flows.library,
      // Somebody whom nothing but a note names has a phone nobody looks at.
      numberOf: (speaker) => phones.get(speaker)?.number ?? madeUp(strangers.of(speaker)),
    });
    const server = new ChatServer(api, setting, { texts: flows.texts, phones, business });
    try {
      for (const phone of phones.values())
        phone.got.push(...(await server.#received(phone)).map(({ id }) => id));
      server.#requests = (await server.#list("requests")).length;
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** The server as it was before. */
  close(): Promise<void> {
    return this.#business.close();
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const phone = known(this.#phones, speaker);
    this.#acted = Date.now();
    for (const sent of burst) {
      const inGroup = sent.type === "action" && sent.name === "group";
      const from = inGroup
        ? { from: GROUP_ADDRESS, participant: phone.number }
        : { from: phone.number };
      const answer = await this.#api.send("POST", "/api/sandbox/inbound", {
        ...{ ...from, name: phone.name, channel: this.#setting.channel },
        ...{ device: this.#business.guest.device, ...inboundOf(sent, phone) },
      });
      const { event_id: id } = answer as { event_id: string };
      if (inGroup) continue;
      if (sent.type === "text" || !["edit", "delete", "reaction"].includes(sent.name))
        phone.own.push(id);
      this.#webhook = id;
    }
    await this.#pass(SETTLE_MS);
  }

  async clock(move: ClockMove): Promise<void> {
    if ("by" in move) await this.#pass(move.by);
    else if ("to" in move)
      await this.#pass(instantIn(move.to, this.#setting.account.zone) - (await this.#clock.now()));
    else await this.#pass(SETTLE_MS);
  }

  async misbehave(what: string): Promise<void> {
    const [kind = ""] = what.split(/\s+/);
    if (kind === "redeliver") {
      await this.#redeliver(what);
      return;
    }
    if (kind !== "gateway") throw new Error(`"! ${what}" cannot be played over HTTP`);
    await this.#faults.arm(what);
  }

  /** What a line wanted that no request can do; its file was played up to there. */
  refused(): NotOverHttp | undefined {
    return this.#refused;
  }

  unstruck(): readonly string[] {
    return this.#faults.unstruck();
  }

  async report(event: string, fields: JsonObject): Promise<void> {
    const { account } = this.#business;
    if (event === "human") {
      const customer = await this.#contact(known(this.#phones, CUSTOMER));
      const deed = "takes" in fields ? "claim" : "return";
      await this.#api.send("POST", `/api/handoffs/${account}/${customer}/${deed}`);
      return this.#pass(0);
    }
    const dot = event.lastIndexOf(".");
    const call = this.#turns.calls().findLast(({ waiter }) => waiter?.step === event.slice(0, dot));
    if (call) return this.#answer(call, event.slice(dot + 1), fields);
    const customer = await this.#contact(known(this.#phones, CUSTOMER));
    await this.#api.send("POST", `/api/sessions/${account}/${customer}/events`, {
      name: event,
      data: fields,
    });
    return this.#pass(0);
  }

  async #answer(call: CallEffect, outcome: string, fields: JsonObject): Promise<void> {
    try {
      await this.#answers.give(call, outcome, fields, () => this.#pass(0));
    } catch (error) {
      if (error instanceof NotOverHttp) this.#refused = error;
      throw error;
    }
  }

  async heard(speaker: string): Promise<readonly ChatBubble[]> {
    const phone = known(this.#phones, speaker);
    const news = (await this.#received(phone)).filter(({ id }) => !phone.got.includes(id));
    phone.got.push(...news.map(({ id }) => id));
    return news.map((row) => {
      const { text, ...rest } = bubbleOf(row);
      return { ...rest, text: this.#answers.named(text) };
    });
  }

  async state(): Promise<ChatState> {
    await this.#turns.look();
    const phone = known(this.#phones, CUSTOMER);
    const { live, session } = await this.#seen(phone);
    const frame = session?.frames.at(-1);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const now = await this.#clock.now();
    const outcome = this.#turns.outcome(phone);
    return {
      step: live?.frames.at(-1)?.step ?? "",
      slots: facts?.slots ?? {},
      effects: this.#turns.calls().map(({ name, input }) => ({ name, input })),
      ...(outcome === undefined ? {} : { outcome }),
      ...(session?.handoff ? { handoff: session.handoff.reason } : {}),
      timers: timersOf(session).map(({ name, due }) => ({ name, inMs: this.#left(due - now) })),
      calls: await this.#counted(),
    };
  }

  phrases(key: string): readonly string[] {
    return phrasesOf(this.#texts.get(this.#setting.flow ?? ""), this.#setting.locale, key);
  }

  /** Real time passes while a server answers, which no file counts: the whole minute within it is what was meant. */
  #left(ms: number): number {
    const whole = Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
    return whole - ms <= Date.now() - this.#acted + SETTLE_MS ? whole : ms;
  }

  /** Moves the sandbox's clock, then looks at what came of it. */
  async #pass(ms: number): Promise<void> {
    if (ms > SETTLE_MS) await this.#clock.until((await this.#clock.now()) + ms, () => this.#dues());
    // Whole: what was sent a moment ago may have come in just now.
    else await this.#clock.advance(ms);
    await this.#api.send("POST", "/api/turns/drain");
    await this.#faults.settle();
    await this.#turns.look();
  }

  /** When something of somebody is due. */
  async #dues(): Promise<readonly number[]> {
    const people = [...new Set(this.#phones.values())];
    const all = await Promise.all(people.map((phone) => this.#seen(phone)));
    return all.flatMap(({ session }) => timersOf(session).map(({ due }) => due));
  }

  async #seen(phone: Phone): Promise<Seen> {
    const contact = await this.#turns.contact(phone);
    if (contact === undefined) return {};
    return this.#api.get(`/api/sessions/${this.#business.account}/${contact}?reveal=1`);
  }

  async #redeliver(what: string): Promise<void> {
    const [, times] = /\bx(\d+)\b/.exec(what) ?? [];
    const [, after] = /\bafter (\S+)/.exec(what) ?? [];
    const wait = after === undefined ? 0 : durationMs(after);
    if (wait === null) throw new Error("write redeliver x20 after 6d");
    await this.#pass(wait);
    const rows = (await this.#list("webhooks")) as readonly { id: string; event_id: string }[];
    const row = rows.findLast(({ event_id }) => event_id === this.#webhook);
    if (!row) throw new Error("nobody has written yet: there is no webhook");
    const told = async (): Promise<string> => {
      const { timers: _timers, ...rest } = await this.state();
      return JSON.stringify([rest, await this.#messages()]);
    };
    const before = await told();
    await this.#api.send("POST", `/api/sandbox/webhooks/${row.id}/redeliver`, {
      times: Number(times ?? 1),
    });
    await this.#pass(SETTLE_MS);
    if ((await told()) !== before)
      throw new Error("the webhook was taken again: it changed what was said or what is so");
  }

  /** Calls that left since the file began, by route. */
  async #counted(): Promise<Readonly<Record<string, number>>> {
    const rows = (await this.#list("requests")).slice(this.#requests) as readonly {
      route?: string;
    }[];
    const counted: Record<string, number> = {};
    for (const { route = "" } of rows) if (route !== "") counted[route] = (counted[route] ?? 0) + 1;
    return counted;
  }

  async #contact(phone: Phone): Promise<string> {
    const contact = await this.#turns.contact(phone);
    if (contact === undefined) throw new Error(`${phone.name} has not written yet`);
    return contact;
  }

  async #messages(): Promise<readonly ReceivedRow[]> {
    const all = await Promise.all([...this.#phones.values()].map((one) => this.#received(one)));
    return all.flat();
  }

  async #received({ number }: Phone): Promise<readonly ReceivedRow[]> {
    return (await this.#list("messages", `&number=${number}`)) as readonly ReceivedRow[];
  }

  /** A list of the sandbox, of this business alone. */
  async #list(name: string, more = ""): Promise<readonly unknown[]> {
    const { caller } = this.#business.guest;
    const { items } = await this.#api.get(`/api/sandbox/${name}?caller=${caller}${more}`);
    return items as readonly unknown[];
  }
}
