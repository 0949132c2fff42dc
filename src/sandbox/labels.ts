/** Labels of the business app: those every account begins with, put on chats and taken off. No route makes one. */
import { isOnMessenger, jidOfPerson } from "./address.ts";
import { textAt } from "./bounded.ts";
import { done } from "./outcome.ts";
import { engineError, onInstance, onOpenPhone } from "./refusals.ts";
import { unknownRecipient } from "./sends.ts";

interface Label {
  readonly id: string;
  readonly name: string;
  /** Index of the app's palette. */
  readonly color: string;
  readonly predefinedId: string;
}

/** What the business app offers in Portuguese. */
const LABELS: readonly Label[] = [
  "Novo cliente",
  "Novo pedido",
  "Pagamento pendente",
  "Pago",
  "Pedido finalizado",
].map((name, index) => {
  const id = String(index + 1);
  return { id, name, color: String(index), predefinedId: id };
});

/** Chats of a device that bear labels; the oldest lose theirs first. */
const LABELLED_LIMIT = 10_000;

const NONE: ReadonlySet<string> = new Set();

/** Which chats bear which labels. */
export class Labels {
  readonly #byDevice = new Map<string, Map<string, Set<string>>>();

  of(device: string, person: string): ReadonlySet<string> {
    return this.#byDevice.get(device)?.get(person) ?? NONE;
  }

  change(device: string, person: string, label: string, add: boolean): void {
    const chats = this.#byDevice.get(device) ?? new Map<string, Set<string>>();
    this.#byDevice.set(device, chats);
    const worn = chats.get(person) ?? new Set<string>();
    if (add) worn.add(label);
    else worn.delete(label);
    chats.delete(person);
    if (worn.size > 0) chats.set(person, worn);
    if (chats.size > LABELLED_LIMIT) chats.delete(chats.keys().next().value ?? "");
  }

  forget(device: string): void {
    this.#byDevice.delete(device);
  }
}

export const handleLabel = onOpenPhone(({ world, device, call }) => {
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  const labelId = textAt(call.body, "labelId") ?? "";
  if (!person.includes("@") && !isOnMessenger(person)) return unknownRecipient(person);
  if (!LABELS.some((label) => label.id === labelId)) return engineError(404, "Label not found");
  const add = call.body["action"] === "add";
  world.labels.change(device, person, labelId, add);
  const numberJid = jidOfPerson(person);
  return done(add ? { numberJid, labelId, add } : { numberJid, labelId, remove: true });
});

export const findLabels = onInstance(() => done(LABELS.map((label) => ({ ...label }))));
