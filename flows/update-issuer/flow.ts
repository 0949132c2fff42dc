import { flow, slot, z } from "prosa";

/** One thing of a company's registration changes: what it is today is shown, then what it will be, then it is sent. */
export default flow(
  "update-issuer",
  {
    version: 1,
    title: "Atualizar empresa",
    audience: "anyone",
    outcomes: ["updated"],
    slots: z.object({
      issuer: slot.choice().optional(),
      what: slot.choice([...["address", "phone", "email", "name", "trade", "regime", "im"]]),
      address: slot.address(),
      phone: slot.phone(),
      email: slot.email(),
      name: slot.name({ max: 150 }),
      trade: slot.text({ max: 150 }),
      regime: slot.choice(["mei", "simples", "simples_excesso", "normal", "normal_town"]),
      im: slot.registration(),
    }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [f.say("not-yours"), f.end()]),
    f.when($.account.hasIssuer.is(false), [f.say("none"), f.end()]),
    f.when($.account.issuerCount.atLeast(2), [
      f.ask("issuer", { options: { from: $.account.issuers, value: "id", label: "label" } }),
    ]),
    f.call("issuer.show", {
      id: "today",
      done: (r) => [f.say("today", { id: "as-it-is", with: { card: r.card } })],
      rejected: () => [f.say("unknown"), f.end()],
      failed: () => [f.say("no-look"), f.end()],
    }),
    f.choose("what", {
      address: [f.ask("address", { max: 5 })],
      phone: [f.ask("phone")],
      email: [f.ask("email")],
      name: [f.ask("name")],
      trade: [f.ask("trade")],
      // MEI and Simples have to issue nationally; of the others the town decides, so each is asked for by both.
      regime: [f.ask("regime")],
      im: [f.ask("im")],
    }),
    f.confirm("change", {
      show: ["address", "phone", "email", "name", "trade", "regime", "im"],
    }),
    f.submit("issuer.update", {
      id: "update",
      done: () => [f.say("updated"), f.end("updated")],
      rejected: (r) => [f.say("rejected", { with: { why: r.text } }), f.end()],
      failed: (r) => [f.say("failed", { with: { reason: r.reason } }), f.end()],
    }),
  ],
);
