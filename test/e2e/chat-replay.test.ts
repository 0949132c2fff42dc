/** A chat file of each shipped flow, played by a process as its users run it: the same file, the same report. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChatServer } from "../../src/app/chat-http.ts";
import { settingOf } from "../../src/app/chat-setting.ts";
import { demoAccount } from "../../src/app/demo.ts";
import { NotOverHttp } from "../../src/app/http-refusals.ts";
import { loadFlows } from "../../src/app/flow-files.ts";
import { type ApiClient, apiClient, readSettings } from "../../src/app/index.ts";
import { chatReport, CUSTOMER, parseChat, runChat } from "../../src/flow/index.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";
import { model } from "../support/plugins.ts";

const FLOWS = path.resolve(import.meta.dirname, "../../flows");
const account = demoAccount(readSettings({}), model);

let prosa: Prosa;
let flows: Awaited<ReturnType<typeof loadFlows>>;
beforeAll(async () => {
  [prosa, flows] = await Promise.all([startProsa(), loadFlows()]);
});
afterAll(() => prosa.close());

async function accounts(): Promise<unknown> {
  const { items } = (await prosa.http("GET", "/api/accounts")).body as unknown as {
    items: { id: string }[];
  };
  return items.map(({ id }) => id);
}

const textOf = (name: string): string => readFileSync(path.join(FLOWS, name), "utf8");

async function replay(text: string, name = "own.chat"): Promise<string> {
  const parsed = parseChat(text, name);
  if (!parsed.ok) return parsed.message;
  const { chat } = parsed;
  const api = apiClient(prosa.url, undefined);
  const world = await ChatServer.open(api, chat, settingOf(chat, account, model), flows);
  try {
    const result = await runChat(chat, world);
    return result.ok ? "" : `${chatReport(result.failure)}\n${result.failure.got}`;
  } finally {
    await world.close();
  }
}

describe("a chat file over HTTP", () => {
  test.each([
    "approve-invoice/chats/two.chat",
    "cancel-note/chats/customer.chat",
    "certificate/chats/by-chat.chat",
    "erase/chats/failed.chat",
    "export/chats/by-hand.chat",
    "issue-invoice/chats/sentence.chat",
    "list-issuers/chats/two.chat",
    "menu/chats/operator-notes.chat",
    "my-data/chats/copy-then-erase.chat",
    "my-notes/chats/operator-sheet.chat",
    "register-issuer/chats/refused.chat",
    "repeat-note/chats/same-value.chat",
    "request-invoice/chats/rejected.chat",
    "talk-to-human/chats/and-back.chat",
    "update-issuer/chats/phone.chat",
  ])("%s goes as it does in process", async (name) => {
    expect(await replay(textOf(name), name)).toBe("");
  });

  test("plays marks, faults, a webhook again and another setting of the business, and leaves none of it behind", async () => {
    const chat = `@flow request-invoice
@account demo policy.approval=false
@locale en

> i need an invoice
< …
> [reaction 👍]
= silence
! redeliver x3
= state service
> [audio 3s]
< …
> 1
< …
> 529.982.247-25
< …
> Maria Souza
< …
> 150
< …
> haircut
< …
> today
< …
= slots value=15000 document=52998224725
! gateway invoicing.nfseEnvio timeout
> EMITIR
< …
operator< …
= effects invoice.issue*1 notes.similar*1
= calls invoicing.nfseEnvio*1 message.sendText*11
`;
    const before = await prosa.http("GET", "/api/accounts/demo");
    expect(await replay(chat)).toBe("");
    const after = await prosa.http("GET", "/api/accounts/demo");
    expect(after.body["account"]).toEqual(before.body["account"]);
    expect((await prosa.http("GET", "/api/pauses")).body).toEqual({ items: [] });
    expect((await prosa.control("GET", "/sandbox/faults")).body).toEqual([]);
    expect(await accounts()).toEqual(["demo"]);
  });

  test("that is killed in the middle holds nothing back for long, and the next one finds nothing of it", async () => {
    const server = apiClient(prosa.url, undefined);
    let isAlive = true;
    const called = <T>(call: () => Promise<T>): Promise<T> =>
      isAlive ? call() : Promise.reject(new Error("killed"));
    const mortal: ApiClient = {
      ...server,
      get: (path) => called(() => server.get(path)),
      // Its leases are shorter than those of others, so that nobody has to wait here.
      send: (method, path, body) =>
        called(() =>
          server.send(
            method,
            path,
            path === "/api/pauses" && method === "POST"
              ? { ...(body as object), seconds: 2 }
              : body,
          ),
        ),
    };
    const text = "@flow look-up-note\n@note 7 value=9000\n\n> cadê minha nota?\n< Nota *7*…\n";
    const parsed = parseChat(text, "killed.chat");
    if (!parsed.ok) expect.unreachable();
    const { chat } = parsed;
    const world = await ChatServer.open(mortal, chat, settingOf(chat, account, model), flows);
    await world.send(CUSTOMER, [{ type: "text", text: "cadê minha nota?" }]);
    await world.misbehave("gateway message.sendText reset x5");
    isAlive = false;
    expect(await accounts()).toContainEqual(expect.stringMatching(/^replay-/));
    expect((await prosa.control("GET", "/sandbox/faults")).body).toHaveLength(1);

    expect(await replay(text)).toBe("");
    expect(await accounts()).toEqual(["demo"]);
    expect((await prosa.http("GET", "/api/pauses")).body).toEqual({ items: [] });
    expect((await prosa.control("GET", "/sandbox/faults")).body).toEqual([]);
    expect((await prosa.http("GET", "/api/invoices")).body).toEqual({ items: [] });
  });

  test("stops at each reminder on its way through a long silence", async () => {
    const chat = `@flow request-invoice\n\n> preciso da nota\n< …\n~ 25h\n< Ainda por aí?\n< …\n< Encerrei por aqui porque fiquei sem resposta. …\n`;
    expect(await replay(chat)).toBe("");
  });

  test("is played on its own day, be it past, and the clock stands afterwards where it stood", async () => {
    await prosa.advance("3h");
    const about = async () => {
      const { body } = await prosa.http("GET", "/api/meta");
      return Number((body["clock"] as unknown as { offsetMs: number }).offsetMs) / 60_000;
    };
    const ahead = await about();
    const chat = (at: string, said: string) =>
      `@flow my-notes\n@at ${at} 10:00\n@note 7 day=${at}\n\n> minhas notas\n< …${said}…\n~ 2d\n`;
    expect(await replay(chat("2024-02-29", "29/02"))).toBe("");
    expect(await replay(chat("2021-03-01", "01/03"))).toBe("");
    expect(await about()).toBeCloseTo(ahead, 0);
  });

  test("that goes otherwise is reported as in process: file, line, both texts, the step", async () => {
    const wrong = textOf("menu/chats/both.chat").replace(
      "1. Pedir nota fiscal\n< …",
      "1. Pedir uma pizza\n< 2. Minhas notas\n< 3. Segunda via de uma nota\n< 4. Falar com uma pessoa",
    );
    const report = await replay(wrong, "menu/chats/both.chat");
    expect(report).toContain("menu/chats/both.chat:6");
    expect(report).toMatch(/≠ 1\. Pedir uma pizza +│ 1\. Pedir nota fiscal/);
    expect(report).toContain("at wish");
    expect(await replay("> oi\n< …\n! gateway invoicing.nfseEnvio reset\n")).toContain(
      "it struck nothing",
    );
  });

  test.each([
    ["! crash after commit", '"! crash after commit" cannot be played over HTTP'],
    ["! deploy menu@HEAD", "a server's flows are not exchanged"],
    ["@channel sms", "nobody begins"],
    ["* issue.failed text=x", "no answer of the sandbox makes invoice.issue end as failed"],
    ["> [vote x]", "a vote names its poll"],
  ])("%s is refused by name before a word is said", async (line, why) => {
    const refused = replay(`> oi\n< …\n${line}\n`);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toBeInstanceOf(NotOverHttp);
  });
});
