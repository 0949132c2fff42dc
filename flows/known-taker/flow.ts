import { flow, slot, z } from "prosa";

/**
 * Whoever had a note before is asked once whether it is for the same, and the last note's service is proposed beside it; what
 * differs is asked by the flow that began this.
 */
export default flow(
  "known-taker",
  {
    version: 1,
    title: "Cadastro da última nota",
    audience: "nobody",
    // A service that was said already is not proposed.
    input: z.object({ service: z.string().optional() }),
    slots: z.object({
      which: slot.choice(),
      same: slot.yesno(),
      differs: slot.choice(["service", "address", "name", "other"]),
    }),
  },
  (f, $) => [
    f.call("takers.find", {
      id: "find",
      input: { service: $.input.service },
      done: (r) => [
        f.when(r.found.is("none"), [f.end("done", { id: "nobody", output: {} })]),
        f.when(r.found.is("one"), [
          f.ask("same"),
          f.when($.same.is(false), [
            f.choose("differs", {
              service: [
                f.end("done", {
                  id: "done-otherwise",
                  output: { document: r.document, name: r.name, address: r.address },
                }),
              ],
              address: [
                f.end("done", {
                  id: "moved",
                  output: { service: r.service, document: r.document, name: r.name },
                }),
              ],
              name: [
                f.end("done", {
                  id: "renamed",
                  output: { service: r.service, document: r.document, address: r.address },
                }),
              ],
              other: [f.end("done", { id: "another", output: {} })],
            }),
          ]),
          f.end("done", {
            id: "the-same",
            output: {
              service: r.service,
              document: r.document,
              name: r.name,
              address: r.address,
            },
          }),
        ]),
        f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
        f.call("takers.find", {
          id: "open",
          input: { id: $.which },
          done: (one) => [
            f.end("done", {
              id: "chosen",
              output: { document: one.document, name: one.name, address: one.address },
            }),
          ],
        }),
      ],
    }),
    // The books cannot be read now: the questions are asked.
    f.end("done", { output: {} }),
  ],
);
