import { flow, z } from "prosa";

/** Before a note is asked for or issued: is there one like it already? Two haircuts in a day are two notes, if somebody says so. */
export default flow(
  "similar-note",
  {
    version: 1,
    title: "Nota parecida",
    audience: "nobody",
    outcomes: ["same"],
    input: z.object({ document: z.string(), value: z.number() }),
    slots: z.object({}),
  },
  (f, $) => [
    f.call("notes.similar", {
      id: "like",
      input: { document: $.input.document, value: $.input.value },
      done: (r) => [
        f.when(r.found.is(true), [
          f.confirm("another", { show: [], word: "EMITIR", no: [f.say("same"), f.end("same")] }),
          f.end("done", { id: "wanted", output: { again: true, similar: r.label } }),
        ]),
      ],
    }),
    // None, or the books cannot be read now: the sale's own key still keeps it from being issued twice.
    f.end("done", { output: {} }),
  ],
);
