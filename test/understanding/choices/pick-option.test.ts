/** Which of the business's services a sentence's own words name. Tax codes hang on it: better asked than wrong. */
import { describe, expect, test } from "vitest";
import { namedService } from "../../../src/understanding/index.ts";

const SHOP = ["Corte de cabelo", "Consultoria", "Fotografia"];
const services = (names: readonly string[]) =>
  names.map((label, index) => ({ id: String(index), label }));
const named = (text: string, names: readonly string[] = SHOP) =>
  names[Number(namedService(text, services(names)) ?? "-1")] ?? null;

describe("a service is named", () => {
  test.each([
    ["corte de cabelo", "Corte de cabelo"],
    ["CORTES DE CABELO", "Corte de cabelo"],
    ["Corte cabelo", "Corte de cabelo"],
    ["corte de cabelo masculino", "Corte de cabelo"],
    ["corte", "Corte de cabelo"],
    ["consultoria em marketing", "Consultoria"],
    ["consultorias", "Consultoria"],
    ["fotografias do casamento", "Fotografia"],
  ])("%j is %s", (text, name) => expect(named(text)).toBe(name));

  test.each([
    ["Instalação elétrica", "instalações elétricas"],
    ["Sessão de fotos", "sessoes de foto"],
    ["Aula", "aulas de inglês"],
    ["Aula particular", "aula particular"],
  ])("%s by %j", (name, text) => expect(named(text, [name, "Banho e tosa"])).toBe(name));

  test("a whole name before the beginning of another", () =>
    expect(named("corte", ["Corte", "Corte de cabelo"])).toBe("Corte"));
});

describe("no service is named, so that it is asked", () => {
  test.each([
    ["nothing of the kind", "barba"],
    ["another one of the same head", "corte de grama"],
    ["two things done", "corte de cabelo e barba"],
    ["two services", "consultoria e fotografia"],
    ["two services without a word between", "consultoria, fotografia"],
    ["something added", "corte de cabelo + hidratação"],
    ["a head with something else", "corte e escova"],
    ["the name in the middle", "livro de fotografia"],
    ["something else for it", "material pra consultoria"],
    ["a denial", "consultoria não"],
    ["a part of a word", "cort"],
    ["nothing", ""],
    ["nothing but small words", "de"],
  ])("%s: %j", (_why, text) => expect(named(text)).toBeNull());

  test("two that begin alike", () => {
    expect(named("corte", ["Corte de cabelo", "Corte de grama"])).toBeNull();
    expect(named("aula de inglês", ["Aula", "Aula de inglês", "Aula de inglês online"])).toBe(
      "Aula de inglês",
    );
    expect(named("aula de inglês avançado", ["Aula", "Aula de inglês"])).toBeNull();
    expect(named("Consultoria", ["Consultoria", "consultoria"])).toBeNull();
  });

  test("a story", () => expect(named("consultoria ".repeat(40))).toBeNull());
});
