import { flow, slot, z } from "prosa";

/** Forgets a customer the business issued notes to; the notes stay, as the law wants. */
export default flow(
  "forget-customer",
  {
    version: 1,
    title: "Esquecer cliente",
    audience: "operator",
    // What the sentence said that began it.
    input: z.object({ name: z.string().optional() }),
    slots: z.object({ name: slot.name(), which: slot.choice(), sure: slot.yesno() }),
  },
  (f, $) => [
    f.ask("name"),
    f.call("customers.find", {
      id: "find",
      input: { name: $.name },
      done: (r) => [
        f.when(r.found.is("none"), [f.say("none"), f.end()]),
        f.when(r.found.is("many"), [
          f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
        ]),
        f.call("customers.find", {
          id: "open",
          input: { id: $.which, document: r.document },
          done: (one) => [
            f.when(one.found.isNot("one"), [f.say("none", { id: "gone" }), f.end()]),
            f.say("found", { with: { label: one.label } }),
            f.ask("sure"),
            f.when(
              $.sure.is(true),
              [
                f.submit("customers.forget", {
                  id: "forget",
                  input: { id: one.id },
                  done: () => [f.say("forgotten")],
                  rejected: () => [f.say("not-now")],
                  failed: () => [f.say("not-now", { id: "not-now-forget" })],
                }),
              ],
              [f.say("kept")],
            ),
          ],
          failed: () => [f.say("not-now", { id: "not-now-open" })],
        }),
      ],
      failed: () => [f.say("not-now", { id: "not-now-find" })],
    }),
    f.end(),
  ],
);
