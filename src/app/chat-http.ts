/**
 * A chat file's world behind HTTP: a running server, driven through the sandbox's phones, clock and faults, looked at through
 * the operator API. Calls that cost wait until a `*` line answers them; the values of such a line stand for those the
 * sandbox gives.
 */
import { setTimeout as pause } from "node:timers/promises";
import { durationMs, type JsonObject } from "../base/index.ts";
import type { CallEffect, CallResult, Session } from "../engine/index.ts";
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
  OPERATOR,
} from "../flow/index.ts";
import { phrasesOf } from "./chat-phrases.ts";
import { type ChatSetting, instantIn } from "./chat-setting.ts";
import type { ApiClient } from "./client.ts";
import { bubbleOf, inboundOf, namesIn, type ReceivedRow } from "./http-content.ts";
import { HttpFaults, TIMEOUT_MS } from "./http-faults.ts";
import { HttpStage, ofTheHouse, seconds, waits } from "./http-stage.ts";
import { HttpTurns, type Phone } from "./http-turns.ts";
import { routeBehind } from "./town-faults.ts";

/** Free text waits this long for more. */
const SETTLE_MS = 1_000;

/** A call that was let go is answered within this, real ms; looked for so often. */
const ANSWER_MS = 5_000;
const LOOK_MS = 25;

/** Due times that one move of the clock stops at. */
const STEPS_MAX = 200;

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
  readonly #stage: HttpStage;
  readonly #phones = new Map<string, Phone>();
  readonly #turns: HttpTurns;
  /** What the sandbox said, and what the file calls it. */
  readonly #names: (readonly [string, string])[] = [];
  readonly #faults: HttpFaults;
  #requests = 0;
  #webhook: string | undefined;

  private constructor(
    api: ApiClient,
    setting: ChatSetting,
    texts: ReadonlyMap<string, Catalogues>,
  ) {
    this.#api = api;
    this.#setting = setting;
    this.#texts = texts;
    this.#stage = new HttpStage(api, setting.account.id);
    this.#faults = new HttpFaults(api, this.#stage);
    this.#turns = new HttpTurns(api, setting.account.id, this.#phones);
    const operator = setting.account.operators[0]?.alias.replace(/^phone:/, "");
    this.#phone(CUSTOMER, "5511988880001");
    if (operator !== undefined) this.#phone(OPERATOR, operator);
    for (const [index, { speaker, number, name }] of setting.contacts.entries())
      this.#phone(speaker, number ?? `55119888810${String(index).padStart(2, "0")}`, name);
  }

  /** Throws with a sentence when this server cannot play the file. */
  static async open(
    api: ApiClient,
    chat: ChatFile,
    setting: ChatSetting,
    flows: { readonly library: FlowLibrary; readonly texts: ReadonlyMap<string, Catalogues> },
  ): Promise<ChatServer> {
    const server = new ChatServer(api, setting, flows.texts);
    try {
      await server.#stage.set(chat, setting, flows.library);
      await server.#stage.forget([...server.#phones.values()].map(({ number }) => number));
      for (const phone of server.#phones.values())
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
    return this.#stage.putBack();
  }

  async send(speaker: string, burst: readonly ChatSent[]): Promise<void> {
    const phone = this.#known(speaker);
    for (const sent of burst) {
      const answer = await this.#api.send("POST", "/api/sandbox/inbound", {
        ...{ from: phone.number, name: phone.name, channel: this.#setting.channel },
        ...inboundOf(sent, phone),
      });
      const { event_id: id } = answer as { event_id: string };
      if (sent.type === "text" || !["edit", "delete", "reaction"].includes(sent.name))
        phone.own.push(id);
      this.#webhook = id;
    }
    await this.#pass(SETTLE_MS);
  }

  async clock(move: ClockMove): Promise<void> {
    if ("by" in move) await this.#pass(move.by);
    else if ("to" in move)
      await this.#pass(instantIn(move.to, this.#setting.account.zone) - (await this.#now()));
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

  unstruck(): readonly string[] {
    return this.#faults.unstruck();
  }

  async report(event: string, fields: JsonObject): Promise<void> {
    const { id } = this.#setting.account;
    if (event === "human") {
      const customer = await this.#contact(this.#known(CUSTOMER));
      const deed = "takes" in fields ? "claim" : "return";
      await this.#api.send("POST", `/api/handoffs/${id}/${customer}/${deed}`);
      return this.#pass(0);
    }
    const dot = event.lastIndexOf(".");
    const call = this.#turns.calls().findLast(({ waiter }) => waiter?.step === event.slice(0, dot));
    if (call) return this.#answer(call, event.slice(dot + 1), fields);
    const customer = await this.#contact(this.#known(CUSTOMER));
    await this.#api.send("POST", `/api/sessions/${id}/${customer}/events`, {
      name: event,
      data: fields,
    });
    return this.#pass(0);
  }

  async heard(speaker: string): Promise<readonly ChatBubble[]> {
    const phone = this.#known(speaker);
    const news = (await this.#received(phone)).filter(({ id }) => !phone.got.includes(id));
    phone.got.push(...news.map(({ id }) => id));
    return news.map((row) => {
      const { text, ...rest } = bubbleOf(row);
      const told = this.#names.reduce((all, [said, name]) => all.replaceAll(said, name), text);
      return { ...rest, text: told };
    });
  }

  async state(): Promise<ChatState> {
    await this.#turns.look();
    const phone = this.#known(CUSTOMER);
    const { live, session } = await this.#seen(phone);
    const frame = session?.frames.at(-1);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const now = await this.#now();
    const outcome = this.#turns.outcome(phone);
    return {
      step: live?.frames.at(-1)?.step ?? "",
      slots: facts?.slots ?? {},
      effects: this.#turns.calls().map(({ name, input }) => ({ name, input })),
      ...(outcome === undefined ? {} : { outcome }),
      ...(session?.handoff ? { handoff: session.handoff.reason } : {}),
      timers: timersOf(session).map(({ name, due }) => ({ name, inMs: due - now })),
      calls: await this.#counted(),
    };
  }

  phrases(key: string): readonly string[] {
    return phrasesOf(this.#texts.get(this.#setting.flow ?? ""), this.#setting.locale, key);
  }

  #phone(speaker: string, number: string, name = speaker): void {
    // Two names of one person, such as an operator who writes as the customer of a file: heard once.
    const known = [...this.#phones.values()].find((phone) => phone.number === number);
    this.#phones.set(speaker, known ?? { number, name, own: [], got: [] });
  }

  #known(speaker: string): Phone {
    const phone = this.#phones.get(speaker);
    if (!phone) throw new Error(`the account has nobody called ${speaker}`);
    return phone;
  }

  /** Moves the sandbox's clock, which answers when everything due is done; then looks at what came of it. */
  async #pass(ms: number): Promise<void> {
    if (ms > SETTLE_MS) await this.#until((await this.#now()) + ms);
    // Whole: what was sent a moment ago may have come in just now.
    else await this.#advance(ms);
    await this.#api.send("POST", "/api/turns/drain");
    await this.#faults.settle();
    await this.#turns.look();
  }

  /** To each due time in order, so that a reminder is said before what comes hours later, as time would have it. */
  async #until(end: number): Promise<void> {
    let now = await this.#now();
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const dues = (await this.#dues()).filter((due) => due > now && due < end);
      if (dues.length === 0) break;
      await this.#advance(Math.min(...dues) - now);
      now = await this.#now();
    }
    await this.#advance(end - now);
  }

  async #advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    await this.#api.send("POST", "/api/sandbox/clock", { advance: seconds(ms) });
  }

  /** When something of somebody is due. */
  async #dues(): Promise<readonly number[]> {
    const people = [...new Set(this.#phones.values())];
    const all = await Promise.all(people.map((phone) => this.#session(phone)));
    return all.flatMap((session) => timersOf(session).map(({ due }) => due));
  }

  async #session(phone: Phone): Promise<Session | undefined> {
    return (await this.#seen(phone)).session;
  }

  async #seen(phone: Phone): Promise<Seen> {
    const contact = await this.#turns.contact(phone);
    if (contact === undefined) return {};
    return this.#api.get(`/api/sessions/${this.#setting.account.id}/${contact}?reveal=1`);
  }

  /** Lets the call go that waits, so that the sandbox answers it as the line says. */
  async #answer(effect: CallEffect, outcome: string, fields: JsonObject): Promise<void> {
    if (ofTheHouse(effect.name)) {
      await this.#stage.answer(effect.id, { outcome, out: fields });
      await this.#pass(0);
      return;
    }
    const route = routeBehind(effect.name);
    if (!waits(route))
      throw new Error(
        `${effect.name} cannot be answered by a line over HTTP: the sandbox answers it at once`,
      );
    const before = this.#turns.results(effect).length;
    if (outcome !== "done") {
      const { code, text } = fields;
      const message = [code, text].filter((part) => typeof part === "string").join(" - ");
      const kinds: Readonly<Record<string, JsonObject>> = {
        rejected: { kind: "business_error", message },
        held: { kind: "timeout", ms: TIMEOUT_MS },
      };
      const how = kinds[outcome];
      if (!how) throw new Error(`no answer of the sandbox makes ${effect.name} end as ${outcome}`);
      await this.#api.send("POST", "/api/sandbox/faults", { route, times: 1, effect: how });
    }
    await this.#stage.resume();
    let result: CallResult | undefined;
    for (const end = Date.now() + ANSWER_MS; !result && Date.now() < end; await pause(LOOK_MS)) {
      await this.#pass(0);
      result = this.#turns.results(effect).slice(before).at(-1);
    }
    // What is said upon it.
    await this.#pass(0);
    await this.#stage.pause();
    if (result?.outcome !== outcome)
      throw new Error(
        result
          ? `over HTTP ${effect.name} ended as ${result.outcome}: ${JSON.stringify(result.out)}`
          : `over HTTP nothing answers ${effect.name} now: it left before, and is settled by a person`,
      );
    this.#names.push(...namesIn(fields, result.out, effect.name));
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
    return (await this.#list(`messages?number=${number}`)) as unknown as readonly ReceivedRow[];
  }

  async #list(name: string): Promise<readonly unknown[]> {
    const { items } = await this.#api.get(`/api/sandbox/${name}`);
    return items as readonly unknown[];
  }

  async #now(): Promise<number> {
    const { clock } = (await this.#api.get("/api/meta")) as { clock: { now: number } };
    return clock.now;
  }
}
