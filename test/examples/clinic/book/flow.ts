import { flow, result, slot, z } from "prosa";

/** Books a visit, or moves one whose code is known. */
export default flow(
  "book",
  {
    version: 1,
    title: "Visit",
    audience: "anyone",
    outcomes: ["booked"],
    slots: z.object({
      consent: slot.yesno(),
      visit: slot.text({ max: 20 }).optional(),
      specialty: slot.choice(["general", "children", "heart"]),
      name: slot.name(),
      time: slot.choice(),
      document: slot.cpf(),
      comes: slot.yesno(),
    }),
  },
  (f, $) => [
    f.ask("consent"),
    f.when($.consent.is(false), [f.say("no-consent"), f.end("done", { id: "refused" })]),
    f.ask("visit", { optional: true }),
    f.form("who", { specialty: true, name: true }),
    f.call("clinic.free", {
      id: "agenda",
      done: (r) => [
        f.when(r.found.is("none"), [f.say("none-free"), f.end("done", { id: "full" })]),
      ],
      rejected: [f.say("no-agenda"), f.handoff("agenda"), f.end("done", { id: "unseen" })],
      failed: [
        f.say("no-agenda", { id: "no-agenda-now" }),
        f.handoff("agenda", { id: "call-agenda" }),
        f.end("done", { id: "unseen-now" }),
      ],
    }),
    f.ask("time", { options: { from: result("agenda", "rows"), value: "id", label: "label" } }),
    f.ask("document"),
    f.confirm("summary", { show: ["specialty", "time", "name", "document"] }),
    f.call("clinic.book", {
      id: "booking",
      input: { visit: $.visit },
      done: (r) => [
        f.say("booked", { with: { code: r.code, when: r.when } }),
        f.wait("visit.tomorrow", {
          id: "eve",
          where: (event) => event.code.is(r.code),
          within: "30d",
          on: {
            got: [f.ask("comes"), f.when($.comes.is(true), [f.say("see-you")], [f.say("tell-us")])],
            late: [],
          },
        }),
        f.end("booked"),
      ],
      rejected: (no) => [
        f.say("taken", { with: { why: no.text } }),
        f.end("done", { id: "taken-since" }),
      ],
      failed: [f.say("not-now"), f.handoff("booking")],
    }),
    f.end(),
  ],
);
