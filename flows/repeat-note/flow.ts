import { flow, slot, z } from "prosa";

/**
 * A note like an earlier one: everything is taken from its record, shown, and issued after a yes. The business issues it; a
 * customer, who meets their own notes alone, asks for it, as for any other.
 */
export default flow(
  "repeat-note",
  {
    version: 2,
    title: "Repetir nota",
    audience: "anyone",
    role: "repeat-note",
    outcomes: ["issued", "refused"],
    // What the sentence said that began it.
    input: z.object({ note: z.object({}).optional(), value: z.number().optional() }),
    slots: z.object({ which: slot.choice() }),
  },
  (f, $) => {
    const issued = { issued: () => [f.end("issued")] };
    const asked = { ...issued, refused: () => [f.end("refused")] };
    return [
      f.call("notes.find", {
        id: "find",
        input: { wish: $.input.note, purpose: "repeat" },
        done: (r) => [
          f.when(r.found.is("none").and($.contact.role.is("operator")), [f.say("none"), f.end()]),
          // Who never had one wants a note nevertheless.
          f.when(r.found.is("none"), [
            f.say("none-yet"),
            f.subflow("request-invoice", { id: "new", input: { value: $.input.value }, on: asked }),
            f.end(),
          ]),
          f.when(r.found.in(["many", "more"]), [
            f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
          ]),
        ],
        failed: () => [f.say("not-now"), f.end()],
      }),
      f.call("notes.find", {
        id: "open",
        input: { wish: $.input.note, id: $.which, purpose: "repeat" },
        done: (one) => [
          f.when(one.found.isNot("one"), [f.say("none", { id: "gone" }), f.end()]),
          f.call("notes.draft", {
            id: "draft",
            input: { id: one.id },
            done: (r) => {
              const { service, document, name, address, description } = r;
              const kept = { service, document, name, address, description };
              const input = { ...kept, value: $.input.value.else(r.value) };
              return [
                f.say("repeating", { with: { number: one.number, name: one.name } }),
                f.when(
                  $.contact.role.is("operator"),
                  [f.subflow("issue-invoice", { id: "issuing", input, on: issued })],
                  [f.subflow("request-invoice", { id: "asking", input, on: asked })],
                ),
              ];
            },
            rejected: () => [f.say("none", { id: "none-draft" })],
            failed: () => [f.say("not-now", { id: "not-now-draft" })],
          }),
        ],
        failed: () => [f.say("not-now", { id: "not-now-open" })],
      }),
      f.end(),
    ];
  },
);
