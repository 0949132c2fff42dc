/** Labels of the business app: which there are, and which chats bear them. */

interface Label {
  readonly id: string;
  readonly name: string;
  /** Index of the app's palette. */
  readonly color: string;
  /** Only of those that every account begins with. */
  readonly predefinedId?: string;
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

/** Labels that the business app allows. */
const LABEL_LIMIT = 20;

const NONE: ReadonlySet<string> = new Set();

/** Which labels there are, and which chats bear them. */
export class Labels {
  readonly #made = new Map<string, readonly Label[]>();
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

  all(device: string): readonly Label[] {
    return [...LABELS, ...(this.#made.get(device) ?? [])];
  }

  /** The label of that name, made if there is none; undefined when there are too many. */
  make(device: string, name: string): Label | undefined {
    const all = this.all(device);
    const known = all.find((label) => label.name === name);
    if (known || all.length >= LABEL_LIMIT) return known;
    const label = { id: String(all.length + 1), name, color: String(all.length) };
    this.#made.set(device, [...all.slice(LABELS.length), label]);
    return label;
  }

  forget(device: string): void {
    this.#made.delete(device);
    this.#byDevice.delete(device);
  }
}
