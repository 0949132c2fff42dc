/**
 * Which of our notes a notice is about. `sure`: it names our token, its key, what the gateway called this very note, or our
 * code, none of which a stranger can guess. Else issuer, value and time, if they fit exactly one open note.
 */
import { type Json, textField } from "../../../../plugin.ts";
import type { NoteFacts } from "../invoice-answer.ts";
import type { Invoice } from "../invoice.ts";
import type { Invoices } from "../invoices.ts";

/** A notice without any name of ours counts only for a note sent this close to the emission it tells. */
const NEAR_MS = 10 * 60_000;

/** What of a record a notice can name. */
type Known = Pick<
  Invoice,
  "id" | "state" | "token" | "key" | "names" | "code" | "cents" | "sentAt"
> & { readonly issuer: string };

interface Match {
  readonly id?: string;
  readonly sure: boolean;
  /** It names several notes: this one first, and others besides. A person has to look. */
  readonly torn?: true;
}

export class Matching {
  readonly #invoices: Invoices;
  readonly #running = new Map<string, Promise<readonly Known[]>>();
  readonly #next = new Map<string, Promise<readonly Known[]>>();

  constructor(invoices: Invoices) {
    this.#invoices = invoices;
  }

  async find(account: string, data: Json, facts: NoteFacts): Promise<Match> {
    const issuer = textField(data, "emitente_id");
    const own = (await this.#known(account)).filter(
      (note) => issuer === undefined || note.issuer === issuer,
    );
    const named = namedBy(own, data, facts);
    if (named) return named;
    const cents = centsOf(data);
    const emitted = Date.parse(textField(data, "data_emissao") ?? "");
    const alike = own.filter(
      (note) =>
        (note.state === "incerta" || note.state === "enviando") &&
        note.cents === cents &&
        Math.abs((note.sentAt ?? 0) - emitted) <= NEAR_MS,
    );
    return alike[0] && alike.length === 1 ? { id: alike[0].id, sure: false } : { sure: false };
  }

  /**
   * The account's notes as of now or later. Notices that come while they are read share the next reading: a flood of them
   * reads the records once at a time.
   */
  #known(account: string): Promise<readonly Known[]> {
    const waiting = this.#next.get(account);
    if (waiting) return waiting;
    const running = this.#running.get(account);
    const read = async () => {
      await running?.catch(() => undefined);
      this.#next.delete(account);
      const mine = this.#read(account);
      this.#running.set(account, mine);
      try {
        return await mine;
      } finally {
        if (this.#running.get(account) === mine) this.#running.delete(account);
      }
    };
    const made = read();
    this.#next.set(account, made);
    return made;
  }

  async #read(account: string): Promise<readonly Known[]> {
    const known: Known[] = [];
    await this.#invoices.all(account, (note) => {
      const { id, state, token, names, code, cents } = note;
      known.push({
        id,
        state,
        token,
        names,
        code,
        cents,
        issuer: note.issuer.emitente_id,
        key: note.key,
        sentAt: note.sentAt,
      });
      return false;
    });
    return known;
  }
}

/**
 * By its token before its key, by its key before the gateway's names, which may be no more than a number that something else has,
 * too. A code may be drawn twice, and tells notes apart only while it was not. Null: it names none of them.
 */
function namedBy(own: readonly Known[], data: Json, { key, names }: NoteFacts): Match | null {
  const text = JSON.stringify(data);
  const code = textField(data, "codigo_aleatorio");
  const coded = own.filter((note) => code !== undefined && note.code === code);
  const named = [
    own.filter(({ token }) => token !== "" && text.includes(`"${token}"`)),
    own.filter((note) => key !== undefined && note.key === key),
    own.filter((note) => names.some((name) => note.names.includes(name))),
    coded.length === 1 ? coded : [],
  ].filter((notes) => notes.length > 0);
  const [first = []] = named;
  const agreed = first.filter((note) => named.every((notes) => notes.includes(note)));
  const [meant] = agreed.length > 0 ? agreed : first;
  if (!meant) return null;
  return { id: meant.id, sure: true, torn: agreed.length === 1 ? undefined : true };
}

/** Value of the service a notice or an answer tells; NaN when it tells none. */
export function centsOf(data: Json): number {
  return Math.round(Number(textField(data, "valor_servicos") ?? Number.NaN) * 100);
}
