import { flow, result, slot, z } from "prosa";

const KEPT = ["service", "document", "name", "address"] as const;

/** The business issues a note from its own phone; one sentence may hold most of it. */
export default flow(
  "issue-invoice",
  {
    version: 1,
    title: "Emitir nota",
    audience: "operator",
    role: "issue-note",
    outcomes: ["issued"],
    // What a caller knows already: of a note to be repeated, of a customer known from before.
    takes: [...KEPT, "value", "description", "competence"],
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
    f.ask("service", { options: { from: $.account.services, value: "id", label: "label" } }),
    f.form("taker", { document: true, name: true }),
    f.when(
      $.document.type.in($.account.addressOf.types).or($.service.in($.account.addressOf.services)),
      [f.ask("address")],
    ),
    f.form("sale", { value: { max: 5 }, description: true, competence: true }),
    f.confirm("summary", {
      show: ["service", "document", "name", "address", "value", "description", "competence"],
      word: "EMITIR",
    }),
    f.subflow("similar-note", {
      id: "like",
      on: { same: [f.end()], cancelled: [f.end()], expired: [f.end()] },
    }),
    f.say("sending"),
    f.submit("invoice.issue", {
      id: "issue",
      input: { again: result("like", "again") },
      done: (r) => [
        f.say("issued", { with: { number: r.number, key: r.key, link: r.link } }),
        f.end("issued"),
      ],
      rejected: (r) => [
        f.when(r.fixable.is("customer"), [
          f.say("rejected", { with: { why: r.text } }),
          f.goto("summary", { clear: r.slots }),
        ]),
        f.when(
          r.code.is("blocked_duplicate"),
          [f.confirm("another", { show: ["document", "value"], word: "EMITIR", no: [f.end()] })],
          [
            f.say("not-accepted", { with: { why: r.text, support: r.support } }),
            f.when(r.support.isNot("").and(r.code.isNot("unknown")), [
              f.say("town-code", { with: { code: r.code } }),
            ]),
            f.when(r.words.known(), [f.say("town-words", { with: { words: r.words } })]),
            f.end(),
          ],
        ),
      ],
      held: [
        f.say("processing", { with: { code: result("issue", "code") } }),
        f.when(result("issue", "words").known(), [
          f.say("town-words", {
            id: "town-words-of-failure",
            with: { words: result("issue", "words") },
          }),
        ]),
      ],
      failed: (r) => [
        f.when(
          r.code.is("abandoned"),
          [f.say("closed", { with: { why: r.text } })],
          [f.say("failed")],
        ),
        f.end(),
      ],
    }),

    // Reached only by a person who saw that such a note exists, and wants another.
    f.submit("invoice.issue", {
      id: "issue-another",
      input: { again: true },
      done: (r) => [
        f.say("issued", {
          id: "issued-another",
          with: { number: r.number, key: r.key, link: r.link },
        }),
        f.end("issued"),
      ],
      rejected: (r) => [
        f.say("not-accepted", {
          id: "not-accepted-again",
          with: { why: r.text, support: r.support },
        }),
        f.when(r.support.isNot("").and(r.code.isNot("unknown")), [
          f.say("town-code", { id: "town-code-again", with: { code: r.code } }),
        ]),
        f.when(r.words.known(), [
          f.say("town-words", { id: "town-words-again", with: { words: r.words } }),
        ]),
        f.end(),
      ],
      held: [
        f.say("processing", {
          id: "processing-another",
          with: { code: result("issue-another", "code") },
        }),
        f.when(result("issue-another", "words").known(), [
          f.say("town-words", {
            id: "town-words-of-failure-again",
            with: { words: result("issue-another", "words") },
          }),
        ]),
      ],
      failed: (r) => [
        f.when(
          r.code.is("abandoned"),
          [f.say("closed", { id: "closed-another", with: { why: r.text } })],
          [f.say("failed", { id: "failed-another" })],
        ),
        f.end(),
      ],
    }),
  ],
);
