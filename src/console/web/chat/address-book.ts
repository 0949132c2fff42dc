/** The simulated people of the phone pane, kept in the browser. */
import type { Person } from "./contacts.ts";

const KEY = "prosa.people";

export const FIRST_PEOPLE: readonly Person[] = [
  { number: "5511988880001", name: "Ana Souza" },
  { number: "5511900000001", name: "Operador" },
];

export function loadPeople(): Person[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Person[];
    const extra = kept.filter((one) => !FIRST_PEOPLE.some((first) => first.number === one.number));
    return [...FIRST_PEOPLE, ...extra];
  } catch {
    return [...FIRST_PEOPLE];
  }
}

export function keepPeople(people: readonly Person[]): void {
  localStorage.setItem(KEY, JSON.stringify(people));
}
