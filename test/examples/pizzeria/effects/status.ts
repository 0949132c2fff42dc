import { effect, z } from "prosa";

/** How far an order is. */
export default effect("pizzeria.status", {
  class: "read",
  input: z.object({ number: z.string() }),
  output: z.object({ state: z.enum(["baking", "sent", "delivered"]) }),
  http: {
    method: "GET",
    url: "$ORDERS_URL/orders/{number}",
    headers: { authorization: "Bearer $ORDERS_TOKEN" },
  },
});
