import { flow, result, slot, z } from "prosa";

/** Pizzas, where they go, how they are paid for, and an order for the kitchen. */
export default flow(
  "order",
  {
    version: 1,
    title: "Order",
    audience: "anyone",
    outcomes: ["ordered"],
    slots: z.object({
      pizzas: slot.list(),
      pizza: slot.choice(["margherita", "calabresa", "four-cheeses", "portuguese"]),
      size: slot.choice(["small", "medium", "large"]),
      extra: slot.choice(["none", "cheese", "crust"]),
      quantity: slot.number({ min: 1, max: 10 }),
      address: slot.text({ min: 8, max: 200 }),
      payment: slot.choice(["pix", "card", "cash"]),
      coupon: slot.of<string>("coupon").optional(),
    }),
  },
  (f, $) => [
    f.say("hello"),
    f.repeat("pizzas", [f.form("one", { pizza: true, size: true, extra: true, quantity: true })], {
      max: 5,
    }),
    f.form("delivery", { address: true, payment: true, coupon: { optional: true } }),
    f.call("pizzeria.quote", {
      id: "quote",
      input: { items: $.pizzas, coupon: $.coupon },
      rejected: [f.say("no-price"), f.handoff("quote"), f.end("done", { id: "unpriced" })],
      failed: [
        f.say("no-price", { id: "no-price-now" }),
        f.handoff("quote", { id: "call-for-price" }),
        f.end("done", { id: "unpriced-now" }),
      ],
    }),
    f.say("total", {
      with: { total: result("quote", "total"), discount: result("quote", "discount") },
    }),
    f.confirm("summary", { show: ["pizzas", "address", "payment", "coupon"], word: "PEDIR" }),
    f.submit("pizzeria.order", {
      id: "send",
      input: { items: $.pizzas, total: result("quote", "total") },
      done: (r) => [
        f.say("ordered", { with: { number: r.number } }),
        f.wait("order.sent", {
          id: "oven",
          where: (event) => event.number.is(r.number),
          within: "2h",
          on: { got: [f.say("sent")], late: [] },
        }),
        f.end("ordered"),
      ],
      rejected: (no) => [f.say("refused", { with: { why: no.text } })],
      failed: [f.say("failed"), f.handoff("order-failed")],
    }),
    f.end(),
  ],
);
