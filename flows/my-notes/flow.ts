import { flow, slot, z } from "prosa";

/** The notes of a month, a page at a time; for the business also what they add up to, and the accountant's table. */
export default flow(
  "my-notes",
  {
    version: 1,
    title: "Minhas notas",
    audience: "anyone",
    role: "month-of-notes",
    // What the sentence said that began it.
    input: z.object({ month: z.string().optional() }),
    slots: z.object({
      more: slot.yesno(),
      evenmore: slot.yesno(),
      table: slot.yesno(),
    }),
  },
  (f, $) => [
    f.call("notes.month", {
      id: "list",
      input: { month: $.input.month },
      done: (r) => [
        f.when(r.count.is(0), [f.say("none", { with: { month: r.month } }), f.end()]),
        f.when(
          $.contact.role.is("operator"),
          [f.say("total", { with: { month: r.month, issued: r.issued, total: r.total } })],
          [f.say("heading", { with: { month: r.month } })],
        ),
        f.say("lines", { with: { lines: r.lines } }),
        f.when(r.more.is(true), [
          f.ask("more"),
          f.when($.more.is(true), [
            f.call("notes.month", {
              id: "page2",
              input: { month: r.month, after: r.next },
              done: (p) => [
                f.say("lines", { id: "lines2", with: { lines: p.lines } }),
                f.when(p.more.is(true), [
                  f.ask("evenmore"),
                  f.when($.evenmore.is(true), [
                    f.call("notes.month", {
                      id: "page3",
                      input: { month: r.month, after: p.next },
                      done: (q) => [
                        f.say("lines", { id: "lines3", with: { lines: q.lines } }),
                        f.when(q.more.is(true), [f.say("too-long")]),
                      ],
                    }),
                  ]),
                ]),
              ],
            }),
          ]),
        ]),
        f.when($.contact.role.isNot("operator").and($.more.known()).and($.more.is(false)), [
          f.say("fine"),
        ]),
        f.when($.contact.role.is("operator"), [
          f.ask("table"),
          f.when($.table.is(true), [
            f.submit("notes.sheet", {
              id: "export",
              input: { month: r.month },
              done: (s) => [
                f.say("sheet", { with: { month: s.month, count: s.count }, media: s.file }),
              ],
              rejected: () => [f.say("no-sheet")],
              failed: () => [f.say("not-now")],
            }),
          ]),
          f.when($.table.is(false), [f.say("fine", { id: "no-table" })]),
        ]),
      ],
      failed: () => [f.say("not-now", { id: "not-now-list" })],
    }),
    f.end(),
  ],
);
