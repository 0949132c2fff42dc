import { flow, slot, z } from "prosa";

/** What everybody meets first: a greeting, and what the bot can do for this person. */
export default flow(
  "menu",
  {
    version: 1,
    title: "Menu",
    audience: "anyone",
    slots: z.object({
      wish: slot.choice(["invoice", "human"]),
      task: slot.choice(["issue", "human"]),
    }),
  },
  (f, $) => [
    f.say("hello"),
    f.when(
      $.contact.role.is("operator"),
      [
        f.choose("task", {
          issue: [
            f.subflow("issue-invoice", {
              id: "issuing",
              on: { issued: () => [], done: () => [], cancelled: () => [], expired: () => [] },
            }),
          ],
          human: [
            f.subflow("talk-to-human", {
              id: "calling",
              on: { done: () => [], cancelled: () => [], expired: () => [] },
            }),
          ],
        }),
      ],
      [
        f.choose("wish", {
          invoice: [
            f.subflow("request-invoice", {
              id: "requesting",
              on: {
                issued: () => [],
                refused: () => [],
                done: () => [],
                cancelled: () => [],
                expired: () => [],
              },
            }),
          ],
          human: [
            f.subflow("talk-to-human", {
              id: "talking",
              on: { done: () => [], cancelled: () => [], expired: () => [] },
            }),
          ],
        }),
      ],
    ),
  ],
);
