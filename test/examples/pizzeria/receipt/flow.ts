import { flow, z } from "prosa";

/** Where the receipt is. */
export default flow(
  "receipt",
  { version: 1, title: "Receipt", audience: "anyone", slots: z.object({}) },
  (f) => [f.say("told"), f.end()],
);
