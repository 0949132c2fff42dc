import { flow, z } from "prosa";

/** Whether and where we deliver. */
export default flow(
  "delivery",
  { version: 1, title: "Delivery", audience: "anyone", slots: z.object({}) },
  (f) => [f.say("told"), f.end()],
);
