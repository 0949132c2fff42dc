import { flow, slot, z } from "prosa";

/** The companies of the business, until when their certificates are valid, and all of one registration. Looking is free. */
export default flow(
  "list-issuers",
  {
    version: 1,
    title: "Minhas empresas",
    audience: "anyone",
    slots: z.object({ full: slot.yesno(), issuer: slot.choice().optional() }),
  },
  (f, $) => [
    f.when($.contact.role.isNot("operator"), [f.say("not-yours"), f.end()]),
    f.when($.account.hasIssuer.is(false), [f.say("none"), f.end()]),
    f.call("issuer.list", {
      id: "list",
      done: (r) => [
        f.say("companies", { with: { lines: r.lines } }),
        f.when(r.more.atLeast(1), [f.say("more", { with: { count: r.more } })]),
      ],
      rejected: () => [f.say("failed"), f.end()],
      failed: () => [f.say("failed", { id: "failed-too" }), f.end()],
    }),
    f.ask("full"),
    f.when($.full.is(false), [f.say("all-right"), f.end()]),
    f.when($.account.issuerCount.atLeast(2), [
      f.ask("issuer", { options: { from: $.account.issuers, value: "id", label: "label" } }),
    ]),
    f.call("issuer.show", {
      id: "card",
      done: (r) => [f.say("card", { id: "registration", with: { card: r.card } })],
      rejected: () => [f.say("unknown")],
      failed: () => [f.say("failed", { id: "no-card" })],
    }),
    f.end(),
  ],
);
