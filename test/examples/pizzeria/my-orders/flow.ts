import { flow, slot, z } from "prosa";

/** How far an order is, by its number. */
export default flow(
  "my-orders",
  {
    version: 1,
    title: "My orders",
    audience: "anyone",
    slots: z.object({ number: slot.text({ max: 20 }) }),
  },
  (f) => [
    f.ask("number"),
    f.call("pizzeria.status", {
      id: "look",
      done: (r) => [f.say("state", { with: { state: r.state } })],
      rejected: [f.say("unknown")],
      failed: [f.say("not-now")],
    }),
    f.end(),
  ],
);
