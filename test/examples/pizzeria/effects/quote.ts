import { effect, z } from "prosa";
import { EXTRAS, PIZZAS, SIZES, totalOf } from "../prices.ts";

const names = <T extends object>(table: T) => Object.keys(table) as [keyof T & string];
/** An item of the order: answers of `order`. */
const Item = z.object({
  pizza: z.enum(names(PIZZAS)),
  size: z.enum(names(SIZES)),
  extra: z.enum(names(EXTRAS)),
  quantity: z.number().int().min(1),
});

/** What an order comes to, in cents. */
export default effect("pizzeria.quote", {
  class: "read",
  input: z.object({ items: z.array(z.looseObject({})).readonly(), coupon: z.string().optional() }),
  output: z.object({ discount: z.number(), total: z.number() }),
  run: ({ items, coupon }) => Promise.resolve(totalOf(z.array(Item).parse(items), coupon)),
});
