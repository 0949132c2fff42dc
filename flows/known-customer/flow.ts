import { flow, slot, z } from "prosa";

/** "Nota de 150 pra Maria": Maria is looked for among those notes were issued to; homonyms are asked about. */
export default flow(
  "known-customer",
  {
    version: 1,
    title: "Emitir nota",
    audience: "nobody",
    role: "known-customer",
    outcomes: ["issued"],
    input: z.object({
      service: z.string().optional(),
      document: z.string().optional(),
      name: z.string().optional(),
      address: z.object({}).optional(),
      value: z.number().optional(),
      description: z.string().optional(),
      competence: z.string().optional(),
    }),
    slots: z.object({ which: slot.choice() }),
  },
  (f, $) => [
    f.call("customers.find", {
      id: "find",
      input: { name: $.input.name },
      done: (r) => [
        f.when(r.found.is("many"), [
          f.ask("which", { options: { from: r.rows, value: "id", label: "label" } }),
        ]),
        f.when(r.found.isNot("none"), [
          f.call("customers.find", {
            id: "open",
            input: { id: $.which, document: r.document },
            done: (one) => [
              f.when(one.found.is("one"), [
                f.say("known", { with: { label: one.label } }),
                f.subflow("issue-invoice", {
                  id: "issuing",
                  input: {
                    document: one.document,
                    name: one.name,
                    address: one.address,
                    value: $.input.value,
                    description: $.input.description,
                    competence: $.input.competence,
                    service: $.input.service,
                  },
                  on: { issued: () => [f.end("issued")], cancelled: () => [f.end()] },
                }),
                f.end(),
              ]),
            ],
          }),
        ]),
      ],
    }),

    // Somebody new, or the books cannot be read now: the questions are asked.
    f.subflow("issue-invoice", {
      id: "issuing-new",
      input: {
        name: $.input.name,
        value: $.input.value,
        description: $.input.description,
        competence: $.input.competence,
        service: $.input.service,
      },
      on: { issued: () => [f.end("issued")] },
    }),
    f.end(),
  ],
);
