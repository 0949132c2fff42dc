import { flow, slot, z } from "prosa";

/** A note like an earlier one: everything is taken from its record, shown, and issued after a yes. */
export default flow(
  "repeat-note",
  {
    version: 1,
    title: "Repetir nota",
    audience: "operator",
    outcomes: ["issued"],
    // What the sentence said that began it.
    input: z.object({ note: z.object({}).optional(), value: z.number().optional() }),
    slots: z.object({ which: slot.choice() }),
  },
  (f, $) => [
    f.call("notes.find", {
      id: "find",
      input: { wish: $.input.note, purpose: "issued" },
      done: (r) => [
        f.when(r.found.is("none"), [f.say("none"), f.end()]),
        f.when(r.found.in(["many", "more"]), [
          f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
        ]),
      ],
      failed: () => [f.say("not-now"), f.end()],
    }),
    f.call("notes.find", {
      id: "open",
      input: { wish: $.input.note, id: $.which, purpose: "issued" },
      done: (one) => [
        f.when(one.found.isNot("one"), [f.say("none", { id: "gone" }), f.end()]),
        f.call("notes.draft", {
          id: "draft",
          input: { id: one.id },
          done: (r) => [
            f.say("repeating", { with: { number: one.number, name: one.name } }),
            f.when(
              $.input.value.known(),
              [
                f.subflow("issue-invoice", {
                  id: "issuing-value",
                  input: {
                    service: r.service,
                    document: r.document,
                    name: r.name,
                    address: r.address,
                    value: $.input.value,
                    description: r.description,
                  },
                  on: { issued: () => [f.end("issued")] },
                }),
              ],
              [
                f.subflow("issue-invoice", {
                  id: "issuing",
                  input: {
                    service: r.service,
                    document: r.document,
                    name: r.name,
                    address: r.address,
                    value: r.value,
                    description: r.description,
                  },
                  on: { issued: () => [f.end("issued")] },
                }),
              ],
            ),
          ],
          rejected: () => [f.say("none", { id: "none-draft" })],
          failed: () => [f.say("not-now", { id: "not-now-draft" })],
        }),
      ],
      failed: () => [f.say("not-now", { id: "not-now-open" })],
    }),
    f.end(),
  ],
);
