import { flow, slot, z } from "prosa";

/** The business answers a customer's request: approve, or refuse with a reason the customer reads. */
export default flow(
  "approve-invoice",
  {
    version: 1,
    title: "Aprovar nota",
    audience: "nobody",
    outcomes: ["approved", "refused"],
    input: z.object({
      code: z.string().optional(),
      summary: z.string().optional(),
      from: z.string().optional(),
      // A note like this one exists, which the customer was told of and wants another nevertheless.
      again: z.boolean().optional(),
      similar: z.string().optional(),
    }),
    slots: z.object({
      decision: slot.choice(["approve", "refuse"], { whole: ["approve"] }),
      reason: slot.text({ max: 300 }).optional(),
    }),
  },
  (f) => [
    f.choose("decision", {
      approve: [f.say("approved"), f.end("approved")],
      refuse: [f.ask("reason"), f.say("refused"), f.end("refused")],
    }),
  ],
);
