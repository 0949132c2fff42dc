/** What of the customer's own requests a sentence takes back. */
import { expect, test } from "vitest";
import { givenUpIn } from "../../src/understanding/index.ts";

test.each([
  ["nao quero mais tira o segundo", "tira o segundo"],
  ["nao quero mais pode retirar o primeiro", "pode retirar o primeiro"],
  ["cancela o primeiro", "o primeiro"],
  ["exclui o segundo", "o segundo"],
])("takes back: %s", (said, what) => {
  expect(givenUpIn(said)).toBe(what);
});

test.each([
  "nao quero mais cancelar o segundo",
  "tiraram o segundo da lista",
  "exclusivo para o segundo",
  "dropshipping do segundo",
])("takes nothing back: %s", (said) => {
  expect(givenUpIn(said)).toBeUndefined();
});
