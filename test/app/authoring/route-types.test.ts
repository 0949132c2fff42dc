/** What flows may name of the gateway: compiler and lint hold flows to the contract. */
import { describe, expect, test } from "vitest";
import { effectInfos } from "../../../src/app/authoring/effect-infos.ts";
import { type Ast, createLibrary, findingLine, parseFlow } from "../../../src/flow/index.ts";
import { flowRoutes } from "../../../src/gateway/index.ts";
import { flow, slot, z } from "../../../src/index.ts";
import { effects as shippedEffects } from "../../support/plugins.ts";

const slots = z.object({ phone: slot.phone() });

describe("what does not compile", () => {
  test("a route that is none, an input of another type, a field of no result, a forgotten branch", () => {
    const made = () => [
      flow("x", { version: 1, slots }, (f, $) => [
        f.ask("phone"),
        f.call("chat.fetchProfile", { id: "a", input: { number: $.phone } }),
        f.call("chat.messengerNumbers", { id: "b", input: { numbers: [$.phone] } }),
        f.call("group.participants", { id: "c", input: { groupJid: "1@g.us" } }),
        f.call("message.sendText", {
          id: "d",
          input: { number: $.phone, text: "oi" },
          rejected: [],
          failed: [],
        }),
      ]),
      flow("x", { version: 1, slots }, (f) => [
        f.ask("phone"),
        // @ts-expect-error no such route; lint names the nearest
        f.call("group.updateSubject", { id: "a", input: {}, rejected: [], failed: [] }),
      ]),
      flow("x", { version: 1, slots }, (f) => [
        f.ask("phone"),
        // @ts-expect-error a number is a text
        f.call("chat.fetchProfile", { id: "a", input: { number: 5511 } }),
      ]),
      flow("x", { version: 1, slots }, (f) => [
        f.ask("phone"),
        // @ts-expect-error the group is missing
        f.call("group.participants", { id: "a", input: {} }),
      ]),
      flow("x", { version: 1, slots }, (f) => [
        f.ask("phone"),
        // @ts-expect-error what is no lookup says what happens when it does not work
        f.call("message.sendText", { id: "a", input: { number: "5511900000001", text: "oi" } }),
      ]),
      flow("x", { version: 1, slots }, (f) => [
        f.ask("phone"),
        // @ts-expect-error a costly call may end held
        f.call("group.create", {
          id: "a",
          input: { subject: "x", participants: ["5511900000001"] },
          rejected: [],
          failed: [],
        }),
      ]),
    ];
    expect(made).toBeTypeOf("function");
  });
});

describe("lint", () => {
  const checked = (ast: Ast) =>
    createLibrary({ flows: [{ ast, texts: {} }], common: {}, effects: effectInfos(shippedEffects) })
      .findings.filter(({ rule }) => rule.startsWith("effect/"))
      .map(({ rule, message }) => `${rule}: ${message}`);
  const calls = (effect: string, input: object): Ast => {
    const call = { t: "effect", id: "call", effect, on: { done: [], rejected: [], failed: [] } };
    const given = Object.entries(input).map(([name, val]) => [name, { val: val as unknown }]);
    const head = { flow: "x", version: 1, title: "x", audience: "anyone", slots: {} };
    const steps = [{ ...call, input: Object.fromEntries(given) as object }];
    return { ...head, outcomes: [], policy: {}, steps } as unknown as Ast;
  };

  test("takes the example of every form of every route", () => {
    for (const route of flowRoutes)
      for (const [name, { example }] of Object.entries(route.variants)) {
        const query = route.group ? { groupJid: "120363043211234567@g.us" } : {};
        const lists = route.id === "group.fetchAllGroups" ? { getParticipants: true } : {};
        const found = checked(calls(route.id, { ...(example as object), ...query, ...lists }));
        // What costs or counts wants a confirm and a held branch, which are not here.
        const others = found.filter((one) => !/not-confirmed|no-held/.test(one));
        expect(others, `${route.id} ${name}`).toEqual([]);
      }
  });

  test("tells a constant that its route refuses, with place and reason", () => {
    const poll = { number: "5511900000001", name: "?", selectableCount: 1, values: ["a"] };
    expect(checked(calls("message.sendPoll", poll)).join()).toMatch(
      /^effect\/input-wrong: "message.sendPoll" would be refused: values \S/,
    );
    expect(checked(calls("jobs.list", { page: 0 })).join()).toMatch(/refused: page \S/);
  });

  test("tells a field too many, one too few, and a name that is none with the nearest", () => {
    const text = { number: "5511900000001", text: "oi" };
    expect(checked(calls("message.sendText", { ...text, txet: "x" })).join()).toMatch(
      /input-unknown: .*"txet".*"text"/,
    );
    expect(checked(calls("message.sendText", { text: "oi" })).join()).toMatch(
      /input-missing: .*"number"/,
    );
    expect(checked(calls("group.updateSubject", {})).join()).toMatch(
      /unknown: .*"group.updateGroupSubject"/,
    );
  });

  test("tells in YAML a result that no answer has, with its place and the nearest", () => {
    const steps = (field: string, branch: string) => `flow: look
version: 1
slots: {}
steps:
  - call: chat.fetchProfile
    id: profile
    input: { number: "'5511900000001'" }
    ${branch}:
      - when: profile.${field} == 'x'
        then: [{ handoff: x }]
  - end: done
`;
    const told = (field: string, branch: string) => {
      const parsed = parseFlow(steps(field, branch), "flow.yaml");
      if (!parsed.ok) return parsed.findings.map(findingLine);
      const origin = { file: "flow.yaml", text: "", places: parsed.places };
      const flows = [{ ast: parsed.ast, texts: {}, origin }];
      return createLibrary({ flows, common: {}, effects: effectInfos(shippedEffects) })
        .findings.filter(({ rule }) => rule.startsWith("expr/"))
        .map(findingLine);
    };
    expect(told("name", "done")).toEqual([]);
    expect(told("nmae", "done").join()).toMatch(
      /^flow\.yaml:9:\d+ .*"nmae".*Did you mean "name"\?/,
    );
    expect(told("name", "rejected").join()).toMatch(
      /flow\.yaml:9:\d+ .*never when it ends rejected/,
    );
  });
});
