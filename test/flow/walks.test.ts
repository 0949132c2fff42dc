/** What is walked, counted and restored of steps that no shipped flow has: lists, files, places, machines made by hand. */
import { describe, expect, test } from "vitest";
import { against, type Ast, generated, placesOf, Sheet } from "../../src/flow/index.ts";
import { collection, collectionTexts, triage, triageTexts } from "./fixtures/kinds-of-steps.ts";
import { programOf, type Texts } from "./fixtures/small.ts";
import { CONTEXT } from "./fixtures/world.ts";

const RESTS: [string, Ast, Texts, string[]][] = [
  [
    "collection",
    collection,
    collectionTexts,
    ["client", "what", "price", "note", "items-more", "photo", "place", "sum"],
  ],
  [
    "triage",
    triage,
    triageTexts,
    ["document", "look", "symptom", "fever", "nurse", "photo", "right"],
  ],
];

describe.each(RESTS)("the generated tests of %s", (_flow, ast, texts, rests) => {
  const sheet = new Sheet();
  const program = programOf(ast, texts, { probe: () => sheet });
  sheet.reads(program);

  test("find every place of rest, keep every property there, and go through all of it", () => {
    const { whole, broken } = generated(program, CONTEXT);
    expect({ whole, broken }).toEqual({ whole: true, broken: [] });
    const { edges, guards, validators } = sheet.coverage(program);
    const missing = [edges, guards, validators].flatMap((share) => share.missing);
    expect(missing.map(({ text }) => text)).toEqual([]);
    expect(edges.all).toBeGreaterThan(30);
  });

  test("restore every place under the same flow where it was", () => {
    const { places } = placesOf(program, CONTEXT);
    expect([...new Set(places.map(({ at }) => at))].sort()).toEqual([...rests].sort());
    const words = against(program, program, CONTEXT).rows.map(({ word }) => word);
    expect(new Set(words)).toEqual(new Set(["stays"]));
  });
});
