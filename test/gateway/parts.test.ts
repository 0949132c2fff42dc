import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/index.ts";
import {
  createGateway,
  maskSecrets,
  parseBody,
  redactor,
  routeOf,
  sentMessageId,
} from "../../src/gateway/index.ts";
import { shapeBody } from "../../src/gateway/profile.ts";
import { RETRY_AFTER_LIMIT_MS, retryAfterMs } from "../../src/gateway/answers/envelope.ts";
import { json, startRemote, type Behaviour } from "./remote.ts";

describe("masking", () => {
  test("credentials, documents and phones go, access keys and ordinary words stay", () => {
    const mask = redactor(["s3cret-token", undefined, "abc"]);
    const key = "3".repeat(44);
    expect(
      mask(`s3cret-token Bearer xyz.1 eyJhbGciOiJI.eyJzdWIi.sig 529.982.247-25 12.ABC.345/01DE-35`),
    ).toBe("*** Bearer *** *** *** ***");
    expect(mask("52998224725 11222333000181 12ABC34501DE35 5511900000002@c.us")).toBe(
      "*** *** *** ***@c.us",
    );
    expect(mask("+55 11 90000-0002 (11) 3000-0000")).not.toMatch(/\d{4}/);
    expect(mask(`abc E0014 R$ 1.234,56 ${key} RESPONSABILIDADES`)).toBe(
      `abc E0014 R$ 1.234,56 ${key} RESPONSABILIDADES`,
    );
  });

  test("an answer shown to its caller keeps its data and loses every credential, however deep", () => {
    const answer = {
      error: false,
      message: "Bearer abc.def aceito para s3cret-token",
      data: [{ cnpj: "11222333000181", instanceToken: "x1", hash: "h", token: null, senha: "" }],
      "s3cret-token": { apikey: "k", note: "eyJhbGciOiJI.eyJzdWIi.sig" },
      webhook_url: "https://bot.example.org/webhooks/invoicing/0123456789abcdef",
    };
    expect(maskSecrets(answer, ["s3cret-token", undefined])).toEqual({
      error: false,
      message: "Bearer *** aceito para ***",
      data: [{ cnpj: "11222333000181", instanceToken: "***", hash: "***", token: null, senha: "" }],
      "***": { apikey: "***", note: "***" },
      webhook_url: "https://bot.example.org/webhooks/invoicing/***",
    });
    let deep: Json = "s3cret-token";
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(JSON.stringify(maskSecrets(deep, ["s3cret-token"]))).not.toContain("s3cret");
  });

  test("no secret of four characters or more survives, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9+/=._$^-]{4,40}$/),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          expect(redactor([secret])(`${before}${secret}${after}`)).not.toContain(secret);
        },
      ),
    );
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0);
  test.each([
    ["120", 120_000],
    ["0", 0],
    ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["999999999", RETRY_AFTER_LIMIT_MS],
    ["-5", undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j means %d ms", (value, wait) => {
    expect(retryAfterMs(value, now)).toBe(wait);
  });
});

describe("the id of a message that was sent", () => {
  test.each([
    [{ key: { id: "B" } }, "B"],
    [{ result: 200, data: { id: "true_5511900000002@c.us_A" } }, "A"],
    [{ result: 200, data: { id: { _serialized: "true_5511900000002@c.us_A" } } }, "A"],
    [{ message: "success", data: { Info: { ID: "C" } } }, "C"],
    [{ status: "success", data: { id: "S" } }, "S"],
    [{ status: "success", data: { id: "sms_0001" } }, "sms_0001"],
    [{ status: "success", data: { message_id: 12 } }, "12"],
    [{ status: "success", sms_id: "S2" }, "S2"],
    [{ id: 77 }, "77"],
    [{ messages: [{ id: "wamid.X" }] }, "wamid.X"],
    [{}, undefined],
    ["sent", undefined],
    [null, undefined],
  ])("of %j is %s", (payload, id) => {
    expect(sentMessageId(payload)).toBe(id);
  });
});

describe("bodies of another generation", () => {
  const v1 = { bodies: "v1" } as const;
  test("wrap the message, and move quoting, mentions and delay among the options", () => {
    const reply = {
      number: "5511900000002",
      text: "oi",
      delay: 5,
      quoted: { key: { id: "Q" } },
      mentionsEveryOne: true,
    };
    expect(shapeBody(routeOf("message.sendText"), reply, v1)).toEqual({
      number: "5511900000002",
      textMessage: { text: "oi" },
      options: { delay: 5, quoted: { key: { id: "Q" } }, mentions: { everyOne: true } },
    });
    expect(
      shapeBody(routeOf("message.sendSticker"), { number: "1", sticker: "https://x" }, v1),
    ).toEqual({ number: "1", stickerMessage: { image: "https://x" } });
    expect(shapeBody(routeOf("chat.updatePrivacySettings"), { online: "all" }, v1)).toEqual({
      privacySettings: { online: "all" },
    });
    expect(shapeBody(routeOf("settings.set"), { reject_call: true }, v1)).toEqual({
      reject_call: true,
    });
  });

  test("settings are spelled as the deployment wants them", () => {
    const body = { reject_call: true, msg_call: "não", sync_full_history: false };
    expect(shapeBody(routeOf("settings.set"), body, {})).toEqual(body);
    expect(shapeBody(routeOf("settings.set"), body, { settings: "camel", bodies: "v1" })).toEqual({
      rejectCall: true,
      msgCall: "não",
      syncFullHistory: false,
    });
  });

  test("a new label's name takes the deployment's, and a label that is put has none", () => {
    const route = routeOf("label.handleLabel");
    expect(shapeBody(route, { name: "VIP" }, {})).toEqual({ name: "VIP" });
    expect(shapeBody(route, { name: "VIP" }, { labelName: "label" })).toEqual({ label: "VIP" });
    const put = { number: "5511900000002", labelId: "1", action: "add" };
    expect(shapeBody(route, put, { labelName: "label" })).toEqual(put);
  });

  test("a taker's company document takes the deployment's name", () => {
    const body = {
      emitente_id: "e",
      dados: { tomador: { cnpj: "11222333000181", razao_social: "X" } },
    };
    expect(shapeBody(routeOf("invoicing.nfseEnvio"), body, { takerCnpj: "cpf_cnpj" })).toEqual({
      tipo: "nfse-envio",
      emitente_id: "e",
      dados: { tomador: { cpf_cnpj: "11222333000181", razao_social: "X" } },
    });
  });
});

describe("the answer as it came", () => {
  test("reaches the one who asked for it whatever it says, and an observer that throws changes nothing", async () => {
    const remote = await startRemote();
    const gateway = createGateway({ baseUrl: remote.baseUrl, token: "t", deviceToken: "d" });
    const seen: [number, unknown][] = [];
    const connect = async (behaviour: Behaviour) => {
      remote.behave(behaviour);
      const outcome = await gateway.instance.connectionState(
        {},
        {
          onAnswer: (answer) => {
            seen.push([answer.status, parseBody(answer)]);
            throw new Error("the observer's own trouble");
          },
        },
      );
      return outcome.kind;
    };
    const state = { error: false, response: { instance: { state: "open" } }, unknown_key: 1 };
    const kinds = [
      await connect(json(state)),
      await connect(json({ error: true, message: "não" })),
      await connect(json({ message: "sem saldo" }, 402)),
      await connect(json("<html>", 502)),
      await connect((_, response) => response.destroy()),
    ];
    expect(kinds).toEqual(["ok", "business_error", "refused", "unknown", "unknown"]);
    expect(seen).toEqual([
      [200, state],
      [200, { error: true, message: "não" }],
      [402, { message: "sem saldo" }],
      [502, undefined],
    ]);
    await gateway.close();
    await remote.close();
  });
});
