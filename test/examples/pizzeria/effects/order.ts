import { effect, z } from "prosa";

/** Hands an order to the kitchen, which knows the key of a call: it may be told twice and bakes once. */
export default effect("pizzeria.order", {
  class: "replace",
  input: z.object({
    items: z.array(z.looseObject({})).readonly(),
    address: z.string(),
    payment: z.string(),
    coupon: z.string().optional(),
    total: z.number(),
  }),
  output: z.object({ number: z.string() }),
  timeoutMs: 5_000,
  http: {
    method: "POST",
    url: "$ORDERS_URL/orders",
    headers: { authorization: "Bearer $ORDERS_TOKEN" },
  },
});
