import { flow, z } from "prosa";

/** A person of the business wants its notes out: told where, since `export` is a customer's copy of their own data. */
export default flow(
  "export-notes",
  { version: 1, title: "Exportar notas", audience: "operator", slots: z.object({}) },
  (f) => [f.say("where"), f.end()],
);
