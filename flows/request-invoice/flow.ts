import { flow, result, slot, z } from "prosa";
const KEPT = ["service", "document", "name", "address"] as const;

/** A customer asks for a note; the business approves on its own phone; the note is issued once. */
export default flow(
  "request-invoice",
  {
    version: 1,
    role: "ask-note",
    outcomes: ["issued", "refused"],
    takes: [...KEPT, "value", "description"],
    slots: z.object({
      service: slot.choice(),
      document: slot.document({ not: "account.issuer.cnpj" }),
      name: slot.name({ max: 115 }),
      address: slot.address(),
      value: slot.money({ max: "account.policy.ceiling" }),
      description: slot.text({ max: 1000, words: true }),
      competence: slot.month(),
    }),
  },
  (f, $) => [
    f.when($.contact.mayRequest.is(false), [f.say("too-many"), f.end()]),
    f.when($.contact.returning.is(false).and($.name.known().not()), [f.say("hello")]),
    f.when($.contact.returning.is(true).and($.document.known().not()), [
      f.subflow("known-taker", { id: "known", input: { service: $.service }, fills: KEPT }),
    ]),
    f.ask("service", { options: { from: $.account.services, value: "id", label: "label" } }),
    f.form("taker", { document: true, name: true }),
    f.when(
      $.document.type.in($.account.addressOf.types).or($.service.in($.account.addressOf.services)),
      [f.ask("address")],
    ),
    f.form("sale", { value: { max: 5 }, description: true, competence: true }),
    f.confirm("summary", { show: [...KEPT, "value", "description", "competence"], word: "EMITIR" }),
    f.subflow("similar-note", {
      id: "like",
      on: { same: [f.end()], cancelled: [f.end()], expired: [f.end()] },
    }),
    f.say("sent", { with: { taker: $.document, value: $.value } }),
    f.when($.account.policy.approval.is(true), [
      f.notify("approve-invoice", {
        id: "approval",
        to: $.account.operators,
        input: { again: result("like", "again"), similar: result("like", "similar") },
        remind: "2bh",
        within: "1bd",
        on: {
          approved: () => [],
          refused: (r) => [f.say("refused", { with: { reason: r.reason } }), f.end("refused")],
          late: () => [f.say("no-answer"), f.handoff("approval-late"), f.goto("summary")],
        },
      }),
    ]),
    f.submit("invoice.issue", {
      id: "issue",
      input: { again: result("like", "again") },
      done: [f.say("issued"), f.end("issued")],
      rejected: (r) => [
        f.when(r.fixable.is("customer"), [f.say("fixable"), f.goto("summary", { clear: r.slots })]),
        f.when(r.fixable.is("issuer"), [f.say("issuer-rejected")], [f.say("blocked")]),
        f.handoff("rejected"),
      ],
      held: () => [f.say("processing")],
      failed: () => [f.say("failed"), f.handoff("issue-failed")],
    }),
  ],
);
