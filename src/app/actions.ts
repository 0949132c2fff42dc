/** What operators can do that is more than a store call, put together from worker, flows, clock and layouter. */
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../base/index.ts";
import { aliases } from "../channels/index.ts";
import type { Layouter } from "../console/index.ts";
import { chartOf, type FlowLibrary } from "../flow/index.ts";
import type { Actions } from "../server/index.ts";
import { heldClass, holdOf } from "../store/index.ts";
import type { Store } from "../store/port.ts";
import { ABSENT, decideEffect, refused, stale } from "./decide-effect.ts";
import { occupiedVersions } from "./flow-history.ts";
import { quietStore } from "./quiet.ts";
import { isOfReplay } from "./replay-account.ts";
import { noteOf, withoutNotes, writeNote } from "./seeded-notes.ts";
import type { SharedClock } from "./shared-clock.ts";
import { servicesOf } from "../plugins/invoicing/services.ts";
import { EXPORT_LIMIT, sheetParts } from "../plugins/invoicing/book/index.ts";
import { forgetPerson, type VirtualClock, type Worker } from "../worker/index.ts";
import { type Invoice, revOf } from "../plugins/invoicing/note/invoice.ts";
import { openNotes } from "../plugins/invoicing/note/open-notes.ts";

export interface ActionParts {
  readonly store: Store;
  readonly worker: Worker;
  readonly library: FlowLibrary;
  readonly clock: VirtualClock;
  readonly layouter: Layouter;
  /** Whether the worker of this process runs turns; else others do. */
  readonly works: boolean;
  /** Whether the gateway is a sandbox: businesses of chat files are there alone. */
  readonly isSandboxed?: boolean;
  /** The clock of all processes; absent where there is one alone. */
  readonly shared?: SharedClock;
}

/** Invoices shown at once. */
const INVOICES_SHOWN = 500;
/** Sessions looked at for a burst that is still being written; more than this never chat in a sandbox. */
const BURST_SESSIONS = 500;
const BURST_ROUNDS = 8;
/** Classes whose results may be told in place of the world. */
const ANSWERED: readonly string[] = ["read", "replace"];
/** A note with what names the state it is in. */
const shown = (note: Invoice): JsonObject => ({ ...note, rev: revOf(note) });

export function createActions(parts: ActionParts): Actions {
  const { store, worker, library, clock, layouter, works, shared } = parts;
  const services = servicesOf(worker.context);
  const { effects } = worker.context;
  const chart = (flow: string) => {
    const program = library.get(flow);
    return program ? chartOf(program) : null;
  };

  /** Free text waits a moment for more; a conversation is quiet only when nobody waits like that. */
  async function drain(): Promise<void> {
    for (let round = 0; round < BURST_ROUNDS; round++) {
      if (works) await worker.drain();
      if (!works || (await shared?.others())) await quietStore(store, clock);
      const { items } = await store.sessions({ limit: BURST_SESSIONS });
      const dues = items.flatMap(({ session }) => {
        const { burst } = session as { burst?: { due: number } };
        return burst ? [burst.due] : [];
      });
      if (dues.length === 0) return;
      await pause(Math.max(5, Math.min(...dues) - clock.now() + 5));
    }
  }

  return {
    async forget(account, contact) {
      // What waits in a chat file's business must not be done after all: it goes with its person.
      if (parts.isSandboxed === true && isOfReplay(account))
        return (await store.erase(account, contact)) ? { ok: true } : ABSENT;
      const forgotten = await forgetPerson(worker.context, account, contact);
      if (forgotten === "fiscal-open")
        return refused("A fiscal call of this person may be on its way: resolve it first.");
      return forgotten === "done" ? { ok: true } : ABSENT;
    },
    async answerEffect(ref, result) {
      const effect = await store.effect(ref);
      if (!effect) return ABSENT;
      const { name, waiter } = effect.payload as { name?: string; waiter?: JsonObject };
      if (name === undefined || !effects.locals.has(name) || waiter === undefined)
        return refused("Only an effect of the house itself that a step waits for is answered.");
      // No local effect is of these; were one made so, its answer would still be the world's alone.
      if (!ANSWERED.includes(effect.class))
        return refused(`What is ${effect.class} is answered by the gateway alone.`);
      if (effect.state !== "pending" || !(await store.pauses()).has(effect.scope))
        return refused(`It is not held back: pause ${effect.scope} before it is asked for.`);
      const { account, contact, id } = ref;
      const mail = { kind: "result", effect: id, waiter, result };
      await store.accept([{ account, contact, event: `r:${id}:answered`, mail }]);
      worker.wake();
      return { ok: true };
    },
    async setNotes(account, notes) {
      if (!isOfReplay(account.id))
        return refused(
          `Books are written from outside for a chat file's own business alone, and ${account.id} is none.`,
        );
      const { invoices } = services;
      await withoutNotes(invoices, store, account.id);
      for (const [index, seed] of notes.entries()) {
        const names = aliases({ address: seed.by, phone: seed.by }, "engine-b");
        const contact = await store.identify(account.id, names);
        await writeNote(invoices, noteOf(seed, index, account, contact));
      }
      return { ok: true };
    },
    decideEffect: (ref, decision, by) => decideEffect(parts, ref, decision, by),
    async invoices(account, query = {}) {
      if (query.open === true) {
        const desk = { store, invoices: services.invoices };
        return (await openNotes(desk, account, INVOICES_SHOWN)).map(shown);
      }
      const accounts = account === undefined ? await accountIds(store) : [account];
      const pages = await Promise.all(
        accounts.map((id) =>
          services.invoices.book.find(id, "all", query, { limit: INVOICES_SHOWN }),
        ),
      );
      return pages.flatMap((page) => page.notes.map(shown));
    },
    async invoice(ref) {
      const note = await services.invoices.get(ref.account, ref.id);
      return note && shown(note);
    },
    async sheet(account, month) {
      const { book } = services.invoices;
      const { parts, whole } = await book.parts(account, "all", { month }, EXPORT_LIMIT);
      return whole ? sheetParts(parts) : null;
    },
    async resolveInvoice(ref, decision, by) {
      const decided = await services.settling.decide(ref.account, ref.id, {
        decision,
        actor: by.actor,
        reason: by.reason,
        rev: by.rev,
        ...(by.chave === undefined ? {} : { key: by.chave }),
      });
      if (decided.ok) return { ok: true, detail: { state: decided.invoice.state } };
      if (decided.why === "unknown") return ABSENT;
      if (decided.why === "stale") {
        const { invoice } = decided;
        return stale(`The note is ${invoice.state} with`, revOf(invoice));
      }
      const why = {
        "not-open": "The note is settled already.",
        gone: "What asked for this note is erased with its person, so it cannot be sent again: close it as given up (abandon). Once it was looked up and does not exist, decide not_issued of it as it is then: its sale is free, and may be issued anew.",
        "under-way":
          "The request of this note is on its way still, also if it was given up: look it up once it is back.",
        answered:
          "The gateway said that this note was issued, and only its key was lost: look it up there and decide issued with its key. It is not sent again.",
        "key-missing": "An issued note needs its access key.",
        "key-mismatch": "That key is not of this issuer, month or form.",
        "key-unknown": "The authority knows no note of that key; look at it again.",
        "key-other": "That key is of another note: its value or its name is not this one's.",
        "key-refused":
          "The authority refused the note of that key, so it proves none. The note stays open: give the key of the one that was issued, or decide that none was.",
        "key-cancelled":
          "The note of that key was issued and cancelled since. The note stays open: close it as given up, or decide that none stands.",
        "key-processing": "The authority still works on the note of that key; look again later.",
        "lookup-failed": "Nobody answered about that key; nothing changed. Try again later.",
      }[decided.why];
      return refused(why, decided.why);
    },
    usage: async (account) => ({ ...(await worker.usage(account)) }),
    reconciliation: async (account, day) => ({ ...(await services.reports.of(account, day)) }),
    async alarms(account) {
      const { codes, day, sent } = await worker.pager.of(account);
      return { codes: JSON.parse(JSON.stringify(codes)) as JsonObject, day, sent };
    },
    async holds() {
      return [...(await store.pauses())].flatMap(([scope, why]) => {
        const held = heldClass(scope);
        return held === null ? [] : [{ class: held, ...why }];
      });
    },
    async releaseHold(effectClass) {
      const released = await store.resume(holdOf(effectClass));
      worker.wake();
      return released;
    },
    resumeScope: (scope) => worker.scopes.resume(scope),
    flows: async () =>
      library.list().map((program) => ({
        flow: program.flow,
        title: program.title,
        version: program.version,
        hash: program.hash,
        audience: program.audience,
        steps: program.model.places.length,
        lint: library.findings
          .filter((finding) => finding.flow === program.flow)
          .map((finding) => ({ ...finding })),
      })),
    occupied: async () =>
      JSON.parse(JSON.stringify(await occupiedVersions(store))) as readonly JsonObject[],
    chart: async (flow) => chart(flow),
    async layout(flow) {
      const drawn = chart(flow);
      return drawn ? ((await layouter.layout(drawn)) as unknown as JsonObject) : null;
    },
    async setClock(now, back) {
      if (shared) await shared.move(now, back);
      else clock.moveTo(now, back);
      await drain();
      return clock.now();
    },
    drain,
  };
}

async function accountIds(store: Store): Promise<readonly string[]> {
  return (await store.ids("accounts", { limit: 1_000 })).items;
}
