/**
 * Bugs put in on purpose. Each is a change of one or two lines of the sources, made on their way into the bundle; a scene
 * that is clean without it must have an oracle that speaks up with it.
 */
import { type Edit } from "../support/bundle.ts";
import type { Scene } from "./scenes.ts";

export interface Plant {
  readonly name: string;
  readonly scene: Scene;
  readonly edits: readonly Edit[];
}

const COMMIT = "src/store/redis/lua/mail/commit.lua";
const ACCEPT = "src/store/redis/lua/mail/accept.lua";
const PRELUDE = "src/store/redis/lua/prelude.lua";
const SQL_FILE = "src/store/embedded/file/sql-file.ts";
const VERDICT = "src/worker/outbox/verdict.ts";

export const PLANTS: readonly Plant[] = [
  {
    name: "skip dedupe",
    scene: "repeats",
    edits: [
      {
        file: ACCEPT,
        find: "if tonumber(redis.call('ZSCORE', known_ids, event)) > NOW - window then return false end",
        replace: "",
      },
    ],
  },
  {
    name: "skip fencing",
    scene: "late worker",
    edits: [
      {
        file: COMMIT,
        find: "if f[1] ~= account or epoch ~= ARGV[3] or rev ~= tonumber(ARGV[4]) then return {0} end",
        replace: "rev, epoch = tonumber(ARGV[4]), epoch or ARGV[3]",
      },
      {
        file: COMMIT,
        find: "if #mail < applied or applied > 0 and ARGV[6] ~= '' and seq_of(mail[1]) ~= ARGV[6] then",
        replace: "if #mail < applied then",
      },
    ],
  },
  {
    name: "answer before the write",
    scene: "dying ingress",
    edits: [
      {
        file: "src/server/webhooks/webhooks.ts",
        find: "await deps.ingest(account, channel.name, parsed.events);",
        replace: "void deps.ingest(account, channel.name, parsed.events).catch(() => undefined);",
      },
    ],
  },
  {
    name: "retry on 4xx",
    scene: "refusal",
    edits: [
      {
        file: VERDICT,
        find: 'if (callClass === "message") return failedSend(outcome);',
        replace:
          'if (callClass === "message") return of.attempt < 3 ? { kind: "retry", counts: true } : failedSend(outcome);',
      },
    ],
  },
  {
    name: "retry on 4xx while processes die",
    scene: "refusal amid deaths",
    edits: [
      {
        file: VERDICT,
        find: 'if (callClass === "message") return failedSend(outcome);',
        replace:
          'if (callClass === "message") return of.attempt < 3 ? { kind: "retry", counts: true } : failedSend(outcome);',
      },
    ],
  },
  {
    name: "end an effect without its token",
    scene: "frozen sender",
    edits: [
      {
        file: "src/store/redis/lua/effects/end.lua",
        find: "if not mine then return 0 end",
        replace: "if not alone and redis.call('EXISTS', effect(id)) == 0 then return 0 end",
      },
    ],
  },
  {
    name: "send a fiscal call again",
    scene: "lost note",
    edits: [
      {
        file: VERDICT,
        find: 'return { kind: "held", reason: decision.reason, known: false };',
        replace: 'return { kind: "retry", counts: true };',
      },
    ],
  },
  {
    name: "forget a timer",
    scene: "repeats",
    edits: [
      {
        file: PRELUDE,
        find: "elseif due ~= 'same' then redis.call('ZADD', TIMERS, due, contact) end",
        replace: "end",
      },
    ],
  },
  {
    name: "spend attempts while offline",
    scene: "outage",
    edits: [
      {
        file: VERDICT,
        find: 'if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };',
        replace:
          'if (decision.entry === "keep") return again(of, { kind: "retry", attempt: true, limit: 2 } as never, outcome, false);',
      },
    ],
  },
  {
    name: "lose a turn's last effect",
    scene: "repeats",
    edits: [
      { file: COMMIT, find: "for n = 0, effects - 1 do", replace: "for n = 0, effects - 2 do" },
    ],
  },
  {
    name: "remember only the last eight ids",
    scene: "repeats",
    edits: [
      {
        file: ACCEPT,
        find: "if redis.call('ZADD', known_ids, 'NX', NOW_TEXT, event) == 1 then return true end",
        replace:
          "if redis.call('ZADD', known_ids, 'NX', NOW_TEXT, event) == 1 then\n    redis.call('ZREMRANGEBYRANK', known_ids, 0, -9)\n    return true\n  end",
      },
    ],
  },
  {
    name: "fire a timer that was set anew",
    scene: "late worker",
    edits: [
      {
        file: "src/engine/turn/timers.ts",
        find: "const due = firstDue(draft.timers(), draft.env.now);",
        replace: "const due = fired === 0 ? firstDue(draft.timers(), Infinity) : undefined;",
      },
    ],
  },
  {
    name: "let a message overtake",
    scene: "hiccups",
    edits: [
      {
        file: COMMIT,
        find: "local first = not ordered or redis.call('RPUSH', of('o', contact), id) == 1",
        replace: "local first = not ordered or redis.call('RPUSH', of('o', contact), id) > 0",
      },
    ],
  },
  {
    name: "skip dedupe where a contact is taken at once",
    scene: "dying all",
    edits: [
      {
        file: ACCEPT,
        find: "if not is_new(event) then",
        replace: "if not is_new(event) and not ms then",
      },
    ],
  },
  {
    name: "take a contact at once with the session as it was",
    scene: "two doors",
    edits: [
      {
        file: ACCEPT,
        find: "if ARGV[11] ~= '' and string.sub(session, -#ARGV[11]) == ARGV[11] then session = 1 end",
        replace: "if ARGV[11] ~= '' then session = 1 end",
      },
    ],
  },
  {
    name: "renew no lease of a call on its way",
    scene: "slow calls",
    edits: [
      {
        file: "src/worker/fleet/effect-lease.ts",
        find: "    this.#held.add(begun);\n",
        replace: "",
      },
    ],
  },
  {
    name: "call again while refused",
    scene: "refused until resumed",
    edits: [
      {
        file: VERDICT,
        find: 'if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };',
        replace: 'if (decision.entry === "keep") return { kind: "retry", counts: false };',
      },
    ],
  },
  {
    name: "resume by itself after 402",
    scene: "refused until resumed",
    edits: [
      {
        file: "src/worker/outbox/pacing/probes.ts",
        find: "    default:\n      return null;",
        replace: '    default:\n      return { ...free, route: "jobs.list" };',
      },
    ],
  },
  {
    name: "free the sale of an uncertain note",
    scene: "same sale again",
    edits: [
      {
        file: "src/plugins/invoicing/note/issue/answer.ts",
        find: "  const lost = await step(context, invoice, type, facts, why);",
        replace:
          "  const lost = await step(context, invoice, type, facts, why);\n  await context.store.keys.free(invoice.account, invoice.businessKey, invoice.effect);",
      },
      // The second line of defence alone would still keep it.
      {
        file: "src/plugins/invoicing/note/invoices.ts",
        find: "if (note && isListed(note) && note.businessKey === businessKey) return note;",
        replace: "void note;\n      void businessKey;",
      },
    ],
  },
  {
    name: "tell a colleague twice",
    scene: "torn request",
    edits: [
      {
        file: "src/worker/outbox/sending/peer.ts",
        find: "{ account, contact, event: id, mail }",
        replace: "{ account, contact, event: `${id}:${begun.token}`, mail }",
      },
    ],
  },
  {
    name: "take a body's messages backwards",
    scene: "repeats",
    edits: [
      {
        file: "src/server/webhooks/ingest.ts",
        find: "...(await deps.mail.accept(letters.map((letter) => letter.acceptance))),",
        replace:
          "...(await deps.mail.accept(letters.map((letter) => letter.acceptance).toReversed())).toReversed(),",
      },
    ],
  },
  {
    name: "ask anew again and again after a failed send",
    scene: "refusal",
    edits: [
      {
        file: "src/engine/routing/message.ts",
        find: "      delete session.unsaid;\n      if (draft.top) reprompt(draft);\n",
        replace: "      if (draft.top) reprompt(draft);\n",
      },
    ],
  },
  {
    name: "tell of a message as given up that is tried again",
    scene: "hiccups",
    edits: [
      {
        file: "src/worker/outbox/sending/send.ts",
        find: "if (waits) return waits;",
        replace:
          'if (waits) return { ...waits, mail: { kind: "send-failed", effect: begun.id, reason: "retry" } };',
      },
    ],
  },
  {
    name: "give up what an empty balance turned away",
    scene: "refused until resumed",
    edits: [
      {
        file: VERDICT,
        find: 'if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };',
        replace:
          'if (decision.reason === "no_balance") return failedSend(outcome);\n      if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };',
      },
    ],
  },
  {
    name: "put aside mail for which there is room",
    scene: "repeats",
    edits: [
      {
        file: ACCEPT,
        find: "waiting > most_mail)",
        replace: "waiting > 2)",
      },
    ],
  },
  {
    name: "send a lost cancellation again",
    scene: "dying canceller",
    edits: [
      {
        file: "src/plugins/invoicing/effects/index.ts",
        find: "lostCancel(invoicingContext(context), begun, entry, await judge()),",
        replace:
          '(void lostCancel, void invoicingContext, void begun, void entry, void judge, { outcome: { kind: "retry", at: context.clock.now() } }),',
      },
    ],
  },
  {
    name: "put aside what a process held when it died",
    scene: "dying all",
    edits: [
      {
        file: "src/worker/turns/turn.ts",
        find: 'if (claimed.failedClaims >= FAILED_CLAIMS_LIMIT)\n      return failedClaims.deadLetter(claimed, "no_commit", account);',
        replace:
          'if (claimed.failedClaims > 0) return failedClaims.deadLetter(claimed, "no_commit", account);',
      },
    ],
  },
  {
    name: "give up what a dead process had to send",
    scene: "dying sender",
    edits: [
      {
        file: "src/worker/outbox/reaper.ts",
        find: "if (waits) return waits;",
        replace: "if (waits === null) return waits;",
      },
    ],
  },
  {
    name: "stop without waiting for calls on their way",
    scene: "graceful stops",
    edits: [
      {
        file: "src/worker/worker.ts",
        find: "      await Promise.race([outbox.settled(), over]);\n",
        replace: "",
      },
    ],
  },
  {
    name: "say all twice where a contact was taken over",
    scene: "taken over",
    edits: [
      {
        file: "src/worker/turns/turn-commit.ts",
        find: "    effects,\n    due: result.due,",
        replace:
          "    effects: claimed.failedClaims > 0 ? effects.flatMap((one) => one.ordered ? [one, { ...one, id: `${one.id}9` }] : [one]) : effects,\n    due: result.due,",
      },
    ],
  },
  {
    name: "end when Redis goes away",
    scene: "redis goes",
    edits: [
      {
        file: "src/store/redis/connection/client.ts",
        find: 'this.raw.on("error", heard);',
        replace:
          'this.raw.on("error", () => setTimeout(() => { throw new Error("planted: the process ends by itself"); }, 5));',
      },
    ],
  },
  {
    name: "try for ever",
    scene: "stubborn route",
    edits: [
      {
        file: VERDICT,
        find: "if (of.attempt <= decision.limit)",
        replace: "if (of.attempt <= 60)",
      },
    ],
  },
  {
    name: "send every message twice",
    scene: "dying sender",
    edits: [
      {
        file: "src/worker/outbox/sending/send.ts",
        find: "const outcome = await callGateway(context, account, route, call.body, { mayLeave }, by);",
        replace:
          "const once = (): Promise<CallOutcome> => callGateway(context, account, route, call.body, { mayLeave }, by);\n  await once();\n  const outcome = await once();",
      },
    ],
  },
  {
    name: "fire a timer again that has fired",
    scene: "repeats",
    edits: [
      {
        file: "src/engine/turn/timers.ts",
        find: "due.owner.timers = due.owner.timers.filter((timer) => timer.name !== due.name);",
        // Whose it is by its generation nobody asks when it comes a second time.
        replace:
          "due.owner.timers = due.owner.timers.flatMap((timer) => timer.name !== due.name ? [timer] : timer.gen > 0 ? [{ ...timer, gen: 0, due: draft.env.now + 1 }] : []);",
      },
    ],
  },
  {
    name: "answer before the file has it",
    scene: "dying file",
    edits: [
      {
        file: SQL_FILE,
        find: '      this.#database.exec("BEGIN IMMEDIATE");\n      const values',
        replace:
          '      if (!this.#database.inTransaction) this.#database.exec("BEGIN IMMEDIATE");\n      const values',
      },
      {
        file: SQL_FILE,
        find: '      this.#database.exec("COMMIT");\n      return',
        replace:
          '      setTimeout(() => this.#database.inTransaction && this.#database.exec("COMMIT"), 100);\n      return',
      },
    ],
  },
  {
    name: "forget what a dead process had in flight",
    scene: "dying sender in a file",
    edits: [
      {
        file: "src/store/embedded/effects/in-flight.ts",
        find: "UPDATE effect SET lease = 0 WHERE state = 'i'",
        replace: "DELETE FROM effect WHERE state = 'i'",
      },
    ],
  },
  {
    name: "skip dedupe in the file",
    scene: "repeats in a file",
    edits: [
      {
        file: "src/store/embedded/contacts/mailbox.ts",
        find: 'if (this.#rows.isKnown(row, event, now)) {\n      base.add("duplicate");',
        replace: 'if (row.id === "") {\n      base.add("duplicate");',
      },
    ],
  },
  {
    name: "let a message overtake in the file",
    scene: "hiccups in a file",
    edits: [
      {
        file: "src/store/embedded/effects/queues.ts",
        find: "const wanted = id === first ? 1 : 0;",
        replace: 'void first;\n      const wanted = state === "p" ? 1 : 0;',
      },
    ],
  },
];
