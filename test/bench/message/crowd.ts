/**
 * The people who fill in forms: each says the next line only after the reply to the last one, as people do. They check every
 * reply, so a contestant that skips a question or keeps a wrong value is found out.
 */
import { endings, lines, numberOf, questions, sent, webhook } from "./form.ts";
import type { Lines } from "./wire.ts";

/** A reply that takes longer is lost, ms: the run is void then. */
const LOST_MS = 15_000;

interface Person {
  readonly index: number;
  /** Which line comes next. */
  place: number;
  heard: ((text: string) => void) | undefined;
}

/** Times of one message, ms from the moment the webhook was written. */
export interface Times {
  readonly ack: number;
  readonly reply: number;
}

export interface Heard {
  readonly times: readonly Times[];
  /** Forms that ended with the right summary. */
  readonly forms: number;
  /** Replies that were not what the form says next; any makes a run void. */
  readonly wrong: readonly string[];
  readonly ms: number;
}

export class Crowd {
  readonly #length: number;
  readonly #prompts: readonly string[];
  readonly #byNumber = new Map<string, Person>();
  readonly #lines = new Map<number, readonly string[]>();
  #messages = 0;

  constructor(length: number) {
    this.#length = length;
    this.#prompts = questions(length).map(({ prompt }) => prompt);
  }

  /** The server of the replies: hands each to whoever waits for it. */
  readonly take = (body: Buffer): string => {
    const { number, text } = JSON.parse(body.toString()) as { number: string; text: string };
    const person = this.#byNumber.get(number);
    const heard = person?.heard;
    if (person) person.heard = undefined;
    heard?.(text);
    return sent(`3EB0${String(++this.#messages).padStart(16, "0")}`);
  };

  /** People `from` to `from + count`, each at the beginning. */
  people(from: number, count: number): Person[] {
    return Array.from({ length: count }, (_, offset) => {
      const index = from + offset;
      const person: Person = { index, place: 0, heard: undefined };
      this.#byNumber.set(numberOf(index), person);
      return person;
    });
  }

  /** `messages` lines said by these people in turn, at most `abreast` on the way. */
  async press(to: Lines, people: Person[], messages: number, abreast: number): Promise<Heard> {
    const notes = new Notes();
    const idle = [...people];
    let left = messages;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        const person = idle.shift();
        if (!person) return;
        left--;
        await this.#say(to, person, notes);
        idle.push(person);
      }
    };
    await Promise.all(Array.from({ length: Math.min(abreast, people.length) }, worker));
    return notes.done();
  }

  /** Lines said at a steady rate for a while: arrivals do not wait for replies. */
  async pace(to: Lines, people: Person[], perSecond: number, ms: number): Promise<Heard> {
    const notes = new Notes();
    const idle = [...people];
    const under: Promise<void>[] = [];
    const count = Math.floor((perSecond * ms) / 1_000);
    const begin = performance.now();
    for (let said = 0; said < count;) {
      const due = Math.floor(((performance.now() - begin) * perSecond) / 1_000);
      for (; said < Math.min(due, count); said++) {
        const person = idle.shift();
        // Everybody waits for a reply: the machine stood still. What is due is said as soon as somebody may.
        if (!person) break;
        under.push(this.#say(to, person, notes).then(() => void idle.push(person)));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(under);
    return notes.done();
  }

  async #say(to: Lines, person: Person, notes: Notes): Promise<void> {
    const script = this.#script(person.index);
    const text = script[person.place] ?? "";
    const id = `3A${person.index.toString(16)}X${(++this.#messages).toString(16)}`.toUpperCase();
    const body = webhook(person.index, id, text);
    const from = performance.now();
    let ack = 0;
    const heard = new Promise<string>((resolve) => {
      const lost = setTimeout(() => resolve("no reply"), LOST_MS);
      person.heard = (said) => {
        clearTimeout(lost);
        resolve(said);
      };
    });
    const [said, reply] = await Promise.all([
      heard.then((said) => [said, performance.now() - from] as const),
      to.post(body).then((status) => {
        ack = performance.now() - from;
        if (status !== 200) person.heard?.(`the webhook was answered ${status}`);
      }),
    ]).then(([heardAt]) => heardAt);
    notes.times.push({ ack, reply });
    const last = person.place === script.length - 1;
    const right = last
      ? endings(this.#length, person.index).some((ending) => said.includes(ending))
      : said.includes(this.#prompts[person.place] ?? "");
    if (!right) notes.wrong.push(`after “${text}”: ${said.slice(0, 200)}`);
    else if (last) notes.forms++;
    person.place = last ? 0 : person.place + 1;
  }

  #script(index: number): readonly string[] {
    const known = this.#lines.get(index);
    if (known) return known;
    const made = lines(this.#length, index);
    this.#lines.set(index, made);
    return made;
  }
}

class Notes {
  readonly times: Times[] = [];
  readonly wrong: string[] = [];
  forms = 0;
  readonly #begin = performance.now();

  done(): Heard {
    const { times, wrong, forms } = this;
    return { times, wrong, forms, ms: performance.now() - this.#begin };
  }
}
