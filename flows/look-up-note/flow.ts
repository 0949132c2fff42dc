import { flow, slot, z } from "prosa";

/** A note that exists: how it stands, its number and key, its second copy. Customers meet their own notes alone. */
export default flow(
  "look-up-note",
  {
    version: 1,
    title: "Consultar nota",
    audience: "anyone",
    role: "look-up-note",
    // What the sentence said that began it.
    input: z.object({ note: z.object({}).optional() }),
    slots: z.object({
      another: slot.of<{ readonly [part: string]: string | true }>("note"),
      which: slot.choice(),
    }),
  },
  (f, $) => [
    f.call("notes.find", {
      id: "find",
      input: { wish: $.input.note },
      done: (r) => [
        f.when(r.found.is("none"), [
          f.when(
            $.input.note.known(),
            [f.say("no-such"), f.ask("another")],
            [f.say("none"), f.end()],
          ),
        ]),
        f.when(r.found.in(["many", "more"]), [
          f.when(r.found.is("more"), [f.say("newest")]),
          f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
        ]),
      ],
      failed: () => [f.say("not-now"), f.end()],
    }),
    f.call("notes.find", {
      id: "open",
      input: { wish: $.input.note, again: $.another, id: $.which },
      done: (r) => [
        f.when(r.found.isNot("one"), [f.say("gone"), f.end()]),
        f.say("shown", {
          with: {
            status: r.status,
            number: r.number,
            day: r.day,
            name: r.name,
            document: r.document,
            value: r.value,
            service: r.service,
            key: r.key,
            link: r.link,
            why: r.reason,
          },
        }),
      ],
      failed: () => [f.say("not-now", { id: "not-now-open" })],
    }),
    f.end(),
  ],
);
