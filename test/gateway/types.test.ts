import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createGateway,
  type BodyOf,
  type CallOutcome,
  type Contract,
  type DataOf,
  type RouteId,
} from "../../src/gateway/index.ts";

const gateway = createGateway({ baseUrl: "http://127.0.0.1:1/api/v2", token: "t" });

describe("the types of the client follow from the table", () => {
  test("ids, bodies and payloads are those of the entries", () => {
    expectTypeOf<"message.sendTextQueue">().toExtend<RouteId>();
    expectTypeOf<"message.nothing">().not.toExtend<RouteId>();
    expectTypeOf<{ number: string; text: string }>().toExtend<
      BodyOf<Contract["message"]["sendText"]>
    >();
    expectTypeOf<{ number: string }>().not.toExtend<BodyOf<Contract["message"]["sendText"]>>();
    expectTypeOf<DataOf<Contract["label"]["findLabels"]>>().toExtend<unknown[]>();
    expectTypeOf(gateway.instance.connectionState).returns.toExtend<
      Promise<CallOutcome<{ instance?: { state?: string | undefined } | undefined }>>
    >();
  });

  test("bodies and queries may be left out only where nothing is needed", () => {
    expectTypeOf(gateway.jobs.list).toBeCallableWith();
    expectTypeOf(gateway.jobs.list).toBeCallableWith({}, { query: { page: 2 } });
    expectTypeOf(gateway.label.findLabels).toBeCallableWith();
    expectTypeOf(gateway.group.inviteCode).toBeCallableWith({}, { query: { groupJid: "x" } });
    expectTypeOf(gateway.group.inviteCode).parameter(1).not.toExtend<undefined>();
    expectTypeOf(gateway.message.sendText).parameter(0).not.toExtend<undefined>();
  });

  test("test mode is offered where it exists, and nowhere else", () => {
    type OptionsOf<F extends (...args: never[]) => unknown> = NonNullable<Parameters<F>[1]>;
    expectTypeOf<OptionsOf<typeof gateway.sms.send>>().toHaveProperty("homolog");
    expectTypeOf<OptionsOf<typeof gateway.invoicing.cancelamento>>().toHaveProperty("homolog");
    expectTypeOf<OptionsOf<typeof gateway.message.sendText>>().not.toHaveProperty("homolog");
    expectTypeOf<OptionsOf<typeof gateway.group.inviteCode>>().not.toHaveProperty("homolog");
  });

  test("a wrong field, a wrong word and a wrong controller do not compile", () => {
    const wrong = [
      // @ts-expect-error: the field is called text
      () => gateway.message.sendText({ number: "1", txt: "oi" }),
      // @ts-expect-error: no such media type
      () => gateway.message.sendMedia({ number: "1", mediatype: "sheet", media: "x" }),
      // @ts-expect-error: a group route names its group
      () => gateway.group.updateGroupSubject({ subject: "x" }),
      // @ts-expect-error: no such action
      () => gateway.label.handleLabel({ number: "1", labelId: "1", action: "create" }),
      // @ts-expect-error: no such route
      () => gateway.call("message.sendTxt"),
    ];
    expect(wrong).toHaveLength(5);
  });

  test("queue forms exist at run time exactly where the types show them", () => {
    expectTypeOf(gateway.message.sendPoll).toHaveProperty("queue");
    expectTypeOf(gateway.label.findLabels).not.toHaveProperty("queue");
    expectTypeOf(gateway.message.sendTextQueue).not.toHaveProperty("queue");
    expect(gateway.message.sendPoll).toHaveProperty("queue");
    expect(gateway.label.findLabels).not.toHaveProperty("queue");
    expect(gateway.message.sendTextQueue).not.toHaveProperty("queue");
  });
});
