import { flow, z } from "prosa";

/** What the pizzas cost. */
export default flow(
  "prices",
  { version: 1, title: "Menu of pizzas", audience: "anyone", slots: z.object({}) },
  (f) => [f.say("told"), f.end()],
);
