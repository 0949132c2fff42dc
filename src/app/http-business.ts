/**
 * The business a chat file is played in on a running server: an account of its own beside the others, with a phone, an
 * issuer and books of its own in the sandbox, gone when the file ends. Only against a sandbox.
 */
import { effects } from "./shipped-effects.ts";
import { randomBytes } from "node:crypto";
import type { JsonObject } from "../base/index.ts";
import type { ChatFile, FlowLibrary } from "../flow/index.ts";
import { creditsScope, localScope } from "../worker/index.ts";
import type { ChatSetting } from "./chat-setting.ts";
import type { ApiClient } from "./client.ts";
import { DEMO_ISSUER } from "../plugins/invoicing/demo.ts";
import { HttpClock } from "./http-clock.ts";
import { HttpPauses, untilFree } from "./http-pauses.ts";
import { sessionsOf } from "./http-people.ts";
import { NotOverHttp, ofTheHouse, refusedLine } from "./http-refusals.ts";
import { isOfReplay, replayAccount } from "../server/index.ts";
import { seedIn } from "../plugins/invoicing/rehearsal/seeds.ts";
import { invoicingOf } from "../plugins/invoicing/account.ts";

/** What the house does itself waits for lines, too. */
const HOUSE: readonly string[] = [...effects.locals.keys()].filter(ofTheHouse).map(localScope);

/** The sandbox's second registration, as it stands for the file. */
interface Guest {
  readonly caller: string;
  readonly token: string;
  readonly device: string;
  readonly issuer: string;
}

export class HttpBusiness {
  readonly #api: ApiClient;
  readonly #pauses: HttpPauses;
  /** Where the clock was, ms ahead of real time. */
  readonly #ahead: number;
  readonly account: string;
  readonly guest: Guest;

  private constructor(api: ApiClient, account: string, guest: Guest, ahead: number) {
    this.#api = api;
    this.#ahead = ahead;
    this.#pauses = new HttpPauses(api);
    this.account = account;
    this.guest = guest;
  }

  /** Throws with a sentence when this server cannot play the file. `numberOf`: the phone of a speaker. */
  static async open(
    api: ApiClient,
    chat: ChatFile,
    setting: ChatSetting,
    of: { readonly library: FlowLibrary; readonly numberOf: (speaker: string) => string },
  ): Promise<HttpBusiness> {
    const refused = refusedLine(chat, of.library);
    if (refused !== undefined) throw new NotOverHttp(refused);
    const meta = await api.get("/api/meta");
    if (!meta["sandbox"])
      throw new Error("The server uses a real gateway; a replay needs the sandbox.");
    await sameFlow(api, setting, of.library);
    await untilFree(api);
    await withoutLeftovers(api);
    const clock = new HttpClock(api);
    const ahead = await clock.ahead();
    await clock.goTo(setting.at);
    const account = replayAccount(randomBytes(4).toString("hex"));
    const token = randomBytes(24).toString("base64url");
    const guest = await api.send("PUT", "/api/sandbox/guest", { token });
    const business = new HttpBusiness(api, account, guest as unknown as Guest, ahead);
    try {
      await business.#begin(chat, setting, { token, numberOf: of.numberOf });
      return business;
    } catch (error) {
      await business.close();
      throw error;
    }
  }

  /** Nothing of it is left. */
  async close(): Promise<void> {
    try {
      await removed(this.#api, this.account);
      await this.#api.send("DELETE", "/api/sandbox/guest");
      await new HttpClock(this.#api).restore(this.#ahead);
    } finally {
      await this.#pauses.end();
    }
  }

  /** What costs waits from now on, until a `*` line answers it. */
  pause(): Promise<void> {
    return this.#pauses.hold(creditsScope(this.account));
  }

  resume(): Promise<void> {
    return this.#pauses.letGo(creditsScope(this.account));
  }

  /** The result of what the house would do itself, as a line tells it. */
  async answer(effect: string, result: JsonObject): Promise<void> {
    const path = `/api/outbox?account=${this.account}&state=pending&limit=1000`;
    const { items } = await this.#api.get(path);
    const waiting = items as unknown as readonly { id: string; contact: string; scope: string }[];
    const one = waiting.find(({ id, scope }) => id === effect && HOUSE.includes(scope));
    if (!one) throw new Error("over HTTP it does not wait for an answer: it has one already");
    const of = `/api/outbox/${this.account}/${one.contact}/${effect}/answer`;
    await this.#api.send("POST", of, result);
  }

  async #begin(
    chat: ChatFile,
    setting: ChatSetting,
    { token, numberOf }: { token: string; numberOf: (speaker: string) => string },
  ): Promise<void> {
    for (const scope of HOUSE) await this.#pauses.hold(scope);
    await this.pause();
    await this.#api.send("POST", "/api/accounts", this.#accountOf(setting, token));
    const notes = chat.headers.flatMap(({ name, rest }) => (name === "note" ? [seedIn(rest)] : []));
    if (notes.length > 0)
      await this.#api.send("PUT", `/api/accounts/${this.account}/notes`, {
        notes: notes.map((note) => ({ ...note, by: numberOf(note.by) })),
      });
    // Whoever works looks at the pauses anew.
    await this.#api.send("POST", "/api/turns/drain");
  }

  /** The account as the headers want it; no alarm rings on phones meanwhile. */
  #accountOf({ account }: ChatSetting, token: string): unknown {
    const { guest } = this;
    return {
      ...account,
      id: this.account,
      gateway: { token: guest.token, deviceToken: guest.device },
      channels: account.channels.map((one) => ({ ...one, token })),
      invoicingToken: token,
      issuers: invoicingOf(account).issuers.map((one) =>
        one.emitente_id === DEMO_ISSUER ? { ...one, emitente_id: guest.issuer } : one,
      ),
      alerts: { ...account.alerts, phones: false, report: "off" },
    };
  }
}

/** What replays left that were killed. */
async function withoutLeftovers(api: ApiClient): Promise<void> {
  const { items } = await api.get("/api/accounts");
  for (const { id } of items as unknown as readonly { id: string }[])
    if (isOfReplay(id)) await removed(api, id);
}

/** An account goes with its people and its books. What waits in it must not be done after all: it goes with its person. */
async function removed(api: ApiClient, account: string): Promise<void> {
  const { items } = await api.get("/api/accounts");
  if (!(items as unknown as readonly { id: string }[]).some(({ id }) => id === account)) return;
  for (const { contact } of await sessionsOf(api, account))
    await api.send("DELETE", `/api/sessions/${account}/${contact}`);
  await api.send("PUT", `/api/accounts/${account}/notes`, { notes: [] });
  await api.send("DELETE", `/api/accounts/${account}`);
}

async function sameFlow(
  api: ApiClient,
  { flow }: ChatSetting,
  library: FlowLibrary,
): Promise<void> {
  const { items } = await api.get("/api/flows");
  const theirs = items as unknown as readonly { flow: string; hash: string }[];
  const ours = flow === undefined ? undefined : library.get(flow);
  const same = theirs.find((one) => one.flow === flow);
  if (ours && same?.hash !== ours.hash)
    throw new Error(
      same
        ? `The server has another version of ${ours.flow} (${same.hash.slice(0, 8)}, here ${ours.hash.slice(0, 8)}).`
        : `The server has no flow ${ours.flow}.`,
    );
}
