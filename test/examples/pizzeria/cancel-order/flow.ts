import { flow, z } from "prosa";

/** Somebody wants an order back: a person looks at the oven. */
export default flow(
  "cancel-order",
  { version: 1, title: "Cancel an order", audience: "anyone", slots: z.object({}) },
  (f) => [f.say("told"), f.handoff("cancel-order"), f.end()],
);
