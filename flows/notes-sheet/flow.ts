import { flow, slot, z } from "prosa";

/** The accountant's table of a month's notes, asked for by its name. A customer gets the list of their own notes instead. */
export default flow(
  "notes-sheet",
  {
    version: 1,
    title: "Planilha de notas",
    audience: "anyone",
    role: "month-of-notes",
    // What the sentence said that began it; it is the answer, too.
    input: z.object({ month: z.string().optional() }),
    slots: z.object({ month: slot.month() }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [
      f.subflow("my-notes", { id: "listing", input: { month: $.input.month } }),
      f.end("done", { id: "listed" }),
    ]),
    f.ask("month"),
    f.submit("notes.sheet", {
      id: "export",
      input: { month: $.month },
      done: (s) => [f.say("sheet", { with: { month: s.month, count: s.count }, media: s.file })],
      rejected: (r) => [f.say("no-sheet", { with: { code: r.code, month: $.month } })],
      failed: () => [f.say("not-now")],
    }),
    f.end(),
  ],
);
