/** What makes two requests for a note the same sale. */
import type { Issuer } from "../fiscal/index.ts";
import { itemsOf, type IssueInput } from "./issue-input.ts";

/**
 * The sale's key. The business's own id of a sale names it whatever else is said: another sale has an id of its own. Without one a
 * person's "again" makes it a sale of its own, as does an account without a window for similar notes; the effect's id then keeps
 * it from being issued twice all the same.
 */
export function businessKey(
  input: IssueInput,
  issuer: Issuer,
  options: { effect: string; similarHours: number },
): string {
  if (input.sale) return JSON.stringify(["sale", issuer.cnpj, input.sale]);
  const { document, competence } = input;
  const items = itemsOf(input);
  const value = items.reduce((sum, one) => sum + one.value, 0);
  // In whatever order they were told.
  const several = items.map((one) => `${one.service}=${one.value}`).sort();
  const what = items.length === 1 ? items[0]?.service : several.join("+");
  const sale = ["note", issuer.cnpj, document, value, competence.slice(0, 7), what];
  const isOwn = input.again === true || options.similarHours === 0;
  return JSON.stringify(isOwn ? [...sale, options.effect] : sale);
}
