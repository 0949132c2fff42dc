import { flow, slot, z } from "prosa";

/** A person of the business wants its notes out: told where, since `export` is a customer's copy of their own data. */
export default flow(
  "export-notes",
  {
    version: 1,
    title: "Exportar notas",
    audience: "operator",
    slots: z.object({ month: slot.yesno() }),
  },
  (f, $) => [
    f.say("where"),
    f.ask("month"),
    f.when($.month.is(true), [f.subflow("my-notes", { id: "listing" })], [f.say("fine")]),
  ],
);
