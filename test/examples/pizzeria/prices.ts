/** What a pizza costs, in cents. */
export const PIZZAS = { margherita: 4200, calabresa: 4500, "four-cheeses": 5200, portuguese: 4900 };
/** Part of that price, in percent. */
export const SIZES = { small: 70, medium: 100, large: 130 };
export const EXTRAS = { none: 0, cheese: 600, crust: 900 };
export const DELIVERY = 800;
/** What a coupon takes off the pizzas, in percent. */
export const COUPONS: Readonly<Record<string, number>> = { VOLTEI10: 10, TERCA20: 20 };

export interface Item {
  readonly pizza: keyof typeof PIZZAS;
  readonly size: keyof typeof SIZES;
  readonly extra: keyof typeof EXTRAS;
  readonly quantity: number;
}

export function totalOf(
  items: readonly Item[],
  coupon?: string,
): { discount: number; total: number } {
  const pizzas = items
    .map(({ pizza, size, extra, quantity }) => {
      const one = Math.round((PIZZAS[pizza] * SIZES[size]) / 100) + EXTRAS[extra];
      return one * quantity;
    })
    .reduce((sum, one) => sum + one, 0);
  const discount = Math.round((pizzas * (COUPONS[coupon ?? ""] ?? 0)) / 100);
  return { discount, total: pizzas - discount + DELIVERY };
}
