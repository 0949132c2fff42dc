/** The pen of the book: the store, and a line for each effect begun, each end the store confirmed, each step of a contact's mail. */
import { openSync, writeSync } from "node:fs";
import type { Json } from "../../src/base/index.ts";
import type { Begun, Claimed, Store } from "../../src/store/index.ts";
import { saying, type Step, type Turned } from "./book.ts";
import { type Steps, withSteps } from "../../src/store/port/with-steps.ts";

/** The store, and a line in the book for each effect begun and each end that the store confirmed. */
export function booked(store: Store, file: string): Store {
  const out = openSync(file, "a");
  const write = (lines: readonly object[]): void => {
    if (lines.length === 0) return;
    writeSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  const begun = (from: number, all: readonly Begun[]): void =>
    write(
      all.map(({ id, token, payload }) => {
        const { address, message } = payload as Record<string, { text?: string } | undefined>;
        const said = typeof address === "string" ? saying(address, message?.text ?? "") : "";
        return { id, token, pid: process.pid, from, to: Date.now(), saying: said };
      }),
    );
  const stepped = (step: Step["step"], contact: string, ...told: readonly unknown[]): Step => ({
    ...{ step, contact, at: Date.now(), pid: process.pid, told },
  });
  const handed = (step: "claim" | "take", one: Claimed): Step => ({
    ...stepped(step, one.contact, one.epoch, one.rev, ...one.mail.map(({ event }) => event)),
    failedClaims: one.failedClaims,
  });
  const own: Steps = {
    async "mail.accept"(items, take) {
      const answers = await store.mail.accept(
        items,
        take && {
          ...take,
          claimed(one) {
            write([handed("take", one)]);
            take.claimed(one);
          },
        },
      );
      write(items.map(({ contact, event }, at) => stepped("accept", contact, event, answers[at])));
      return answers;
    },
    async "mail.claim"(options) {
      const all = await store.mail.claim(options);
      write(all.map((one) => handed("claim", one)));
      return all;
    },
    async "mail.commit"(commits) {
      const from = Date.now();
      write(
        commits.flatMap(({ contact, epoch, rev, journal }) =>
          journal.map((record) => ({ ...madeOf(record), contact, epoch, rev })),
        ),
      );
      const answers = await store.mail.commit(commits);
      write(
        commits.map(({ contact, epoch, rev, applied }, at) =>
          stepped("commit", contact, epoch, rev, applied, answers[at]?.ok),
        ),
      );
      begun(
        from,
        answers.flatMap((answer) => (answer.ok ? answer.begun : [])),
      );
      return answers;
    },
    async "deadLetters.add"(input) {
      const { contact, epoch, rev, reason, letter } = input;
      write([stepped("park", contact, epoch, rev, reason, letter?.event ?? "")]);
      return store.deadLetters.add(input);
    },
    async "effects.begin"(options) {
      const from = Date.now();
      const all = await store.effects.begin(options);
      begun(from, all);
      return all;
    },
    async "effects.reap"(options) {
      const from = Date.now();
      const all = await store.effects.reap(options);
      begun(from, all);
      return all;
    },
    async "effects.end"(ends) {
      const from = Date.now();
      const answers = await store.effects.end(ends);
      const stamp = { pid: process.pid, from, to: Date.now() };
      const ok = ends.filter((_, at) => answers[at] === "ok");
      write(ok.map(({ id, token, outcome }) => ({ id, token, ...stamp, kind: outcome.kind })));
      return answers;
    },
  };
  return withSteps(store, own);
}

/** A turn's record as far as anybody asks for it. */
function madeOf(record: Json): Pick<Turned, "turned" | "kind" | "wrote" | "said" | "effect"> {
  const { event, mail, said } = record as unknown as {
    readonly event: string;
    readonly mail: {
      readonly kind: string;
      readonly effect?: string;
      readonly event?: { readonly content?: { readonly text?: string } };
    };
    readonly said?: string;
  };
  const { kind, effect } = mail;
  const wrote = mail.event?.content?.text;
  return {
    ...{ turned: event, kind },
    ...(wrote === undefined ? {} : { wrote }),
    ...(said === undefined ? {} : { said }),
    ...(effect === undefined ? {} : { effect }),
  };
}
