import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGateway, sentMessageId, type CallOutcome } from "../../src/gateway/index.ts";
import { json, startRemote, type Remote } from "./remote.ts";

const number = "5511900000002";
const text = "oi";
let remote: Remote;
beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());

const gateway = () =>
  createGateway({ baseUrl: remote.baseUrl, token: "canary-bearer", deviceToken: "canary-device" });
const dataOf = (outcome: CallOutcome<unknown>) => (outcome.kind === "ok" ? outcome.data : outcome);

describe.each(["9007199254740993", "9007199254740992", "17"])("an id answered as %s", (id) => {
  const answers: readonly [string, string, () => Promise<CallOutcome<unknown>>][] = [
    ["engine B", `{"key":{"id":${id}}}`, () => gateway().message.sendText({ number, text })],
    [
      "engine A",
      `{"result":200,"data":{"id":${id}}}`,
      () => gateway().call("engineA.sendText", { number, text }),
    ],
    [
      "engine C",
      `{"message":"success","data":{"Info":{"ID":${id}}}}`,
      () => gateway().call("engineC.sendText", { number, text }),
    ],
    [
      "SMS",
      `{"status":"success","data":{"id":${id},"status":"processed"}}`,
      () =>
        gateway().call("sms.send", { number, message: text, tipo: "sms-otp", user_reply: true }),
    ],
  ];
  test.each(answers)(
    "by %s is the message's id, digit for digit",
    async (_engine, payload, call) => {
      remote.behave(json(`{"error":false,"message":"ok","response":${payload}}`));
      expect(sentMessageId(dataOf(await call()))).toBe(id);
    },
  );

  test("to an enqueue is the job's id", async () => {
    remote.behave(json(`{"error":false,"message":"Job enfileirado.","id":${id}}`));
    expect(dataOf(await gateway().message.sendTextQueue({ number, text }))).toMatchObject({ id });
  });

  test("in a list of jobs is the job's id", async () => {
    remote.behave(json(`{"data":[{"job_id":${id},"status":"queued"}],"current_page":1}`));
    expect(dataOf(await gateway().jobs.list())).toMatchObject({ data: [{ job_id: id }] });
    remote.behave(json(`[{"id":${id},"status":"done","processed_at":"21/11/2026 09:00:07"}]`));
    const asked = { id: ["3f0c2d9a-0000-4000-8000-000000000001"] };
    expect(dataOf(await gateway().jobs.find(asked))).toMatchObject([{ id }]);
  });
});
