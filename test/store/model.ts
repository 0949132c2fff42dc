/**
 * The store's port as a plain object: what every step must answer and leave behind, without a store. Kept simpler than
 * what it is held against. All of it is data, so that it can be copied and two orders of two steps be tried.
 */
import type {
  Accepted,
  Begun,
  Claimed,
  DeadLettered,
  ContactId,
  SendOutcome,
} from "../../src/store/index.ts";

interface ModelContact {
  mail: string[];
  seen: string[];
  /** Everything the session heard. */
  heard: string[];
  rev: number;
  /** Of the claim whose commit counts; null when nobody's does. */
  epoch: number | null;
  /** `later`: leased, and the lease holds longer than the test. */
  ready: "no" | "now" | "later";
  /** Mail waits for `tick`. */
  waiting: boolean;
  due: number | null;
  failedClaims: number;
  /** Ordered effects that have not left. */
  order: string[];
}

interface ModelEffect {
  contact: ContactId;
  class: string;
  ordered: boolean;
  state: "pending" | "inflight" | "held";
  attempt: number;
  /** Held, and nothing of its contact that stands behind it leaves. */
  inPlace: boolean;
  /** Decisions so far. */
  rev: number;
  token: string | null;
  /** Its lease is over. */
  late: boolean;
}

export interface Model {
  readonly contacts: Record<ContactId, ModelContact>;
  readonly effects: Record<string, ModelEffect>;
  readonly counters: { accepted: number; duplicate: number; applied: number; dead: number };
}

export const newModel = (contacts: readonly ContactId[]): Model => ({
  contacts: Object.fromEntries(
    contacts.map((id): [string, ModelContact] => [
      id,
      {
        ...{ mail: [], seen: [], heard: [], rev: 0, epoch: null, ready: "no" },
        ...{ waiting: false, due: null, failedClaims: 0, order: [] },
      },
    ]),
  ),
  effects: {},
  counters: { accepted: 0, duplicate: 0, applied: 0, dead: 0 },
});

/** What a step asks, with everything decided that chance decides. */
export type Ask =
  | { readonly do: "accept"; readonly contact: ContactId; readonly events: readonly string[] }
  | {
      readonly do: "take";
      readonly contact: ContactId;
      readonly events: readonly string[];
      readonly short: boolean;
    }
  | { readonly do: "claim"; readonly short: boolean }
  | {
      readonly do: "commit";
      readonly claimed: Claimed;
      readonly applied: number;
      readonly effects: readonly {
        readonly id: string;
        readonly class: "message" | "fiscal";
        readonly fused: boolean;
      }[];
      readonly due: number | null;
      readonly again: boolean;
    }
  | {
      readonly do: "park";
      readonly claimed: Claimed;
      /** With another letter for the head, a new session and a new due time. */
      readonly anew: { readonly letter: string; readonly due: number | null } | null;
    }
  | { readonly do: "tick" }
  | { readonly do: "begin"; readonly short: boolean }
  | {
      readonly do: "end";
      readonly begun: Begun;
      readonly how: Exclude<SendOutcome["kind"], "enqueued" | "failed"> | "in-place";
      readonly result: string | null;
    }
  | { readonly do: "reap"; readonly short: boolean }
  | {
      readonly do: "resolve";
      readonly id: string;
      readonly contact: ContactId;
      readonly action: "finish" | "resend" | "hold";
      /** Resent with it. */
      readonly behind: readonly string[];
      /** What was seen; null: whatever stands there. */
      readonly rev: number | null;
    };

/** What the store said to it. */
export type Answer =
  | { readonly of: "accept"; readonly accepted: readonly Accepted[] }
  | {
      readonly of: "take";
      readonly accepted: readonly Accepted[];
      readonly claims: readonly Claimed[];
    }
  | { readonly of: "claim"; readonly claims: readonly Claimed[] }
  | { readonly of: "commit"; readonly committed: DeadLettered }
  | { readonly of: "tick"; readonly moved: number }
  | { readonly of: "begun"; readonly begun: readonly Begun[] }
  | { readonly of: "end"; readonly written: "ok" | "stale" | "unknown" }
  | { readonly of: "resolve"; readonly resolved: boolean };

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

function push(model: Model, contact: ModelContact, event: string): void {
  model.counters.accepted += 1;
  contact.mail.push(event);
  if (contact.ready === "no") contact.ready = "now";
}

function mayLeave(model: Model, id: string): boolean {
  const effect = model.effects[id];
  if (effect?.state !== "pending") return false;
  if (!effect.ordered) return true;
  const order = model.contacts[effect.contact]?.order ?? [];
  return order[0] === id && order.every((other) => model.effects[other]?.state !== "inflight");
}

/** Follows a step and answers what is wrong with what the store said, or null. */
export function follow(model: Model, ask: Ask, answer: Answer): string | null {
  switch (ask.do) {
    case "accept":
      return answer.of === "accept" ? accepted(model, ask, answer.accepted) : "no answer";
    case "take":
      return answer.of === "take" ? taken(model, ask, answer) : "no answer";
    case "claim":
      return answer.of === "claim" ? claimed(model, ask, answer.claims) : "no answer";
    case "commit":
      return answer.of === "commit" ? committed(model, ask, answer.committed) : "no answer";
    case "park":
      return answer.of === "commit" ? parked(model, ask, answer.committed) : "no answer";
    case "tick":
      return answer.of === "tick" ? ticked(model, answer.moved) : "no answer";
    case "begin":
    case "reap":
      return answer.of === "begun" ? begun(model, ask, answer.begun) : "no answer";
    case "end":
      return answer.of === "end" ? ended(model, ask, answer.written) : "no answer";
    case "resolve":
      return answer.of === "resolve" ? resolved(model, ask, answer.resolved) : "no answer";
  }
}

type AskOf<D extends Ask["do"]> = Extract<Ask, { do: D }>;

/** Claims without progress after which the fused form leaves a contact to `claim`. */
const SOLO_AFTER = 2;

function taken(
  model: Model,
  ask: AskOf<"take">,
  { accepted: said, claims }: Extract<Answer, { of: "take" }>,
): string | null {
  const contact = model.contacts[ask.contact];
  if (!contact) return "nobody";
  const others = Object.values(model.contacts).some(
    (other) => other !== contact && other.ready === "now",
  );
  const free = contact.ready !== "later" && contact.failedClaims < SOLO_AFTER && !others;
  const wrong = accepted(model, ask, said);
  if (wrong !== null) return wrong;
  // The last one takes it, with all that came before.
  const last = said.at(-1);
  const [one] = claims;
  if (!one) return last === "new" && free ? "a free contact was not leased" : null;
  if (last !== "new") return "leased for what was not accepted";
  if (!free) return "leased out of turn";
  if (one.contact !== ask.contact) return "somebody else was leased";
  return claimed(model, ask, claims);
}

/** Of one body: as if they had come one after the other. */
function accepted(
  model: Model,
  ask: AskOf<"accept" | "take">,
  said: readonly Accepted[],
): string | null {
  const contact = model.contacts[ask.contact];
  if (!contact) return "nobody";
  for (const [at, event] of ask.events.entries()) {
    const isKnown = contact.seen.includes(event);
    if (isKnown) model.counters.duplicate += 1;
    else {
      contact.seen.push(event);
      push(model, contact, event);
    }
    const want = isKnown ? "duplicate" : "new";
    if (said[at] !== want) return `${event} was called ${said[at]} instead of ${want}`;
  }
  return said.length === ask.events.length ? null : `${said.length} words`;
}

function claimed(
  model: Model,
  ask: AskOf<"claim" | "take">,
  claims: readonly Claimed[],
): string | null {
  const due = Object.values(model.contacts).some(({ ready }) => ready === "now");
  const [one] = claims;
  if (!one) return due ? "a ready contact was not handed out" : null;
  const contact = model.contacts[one.contact];
  if (contact?.ready !== "now") return "a contact was handed out that is not ready";
  const { failedClaims } = contact;
  contact.failedClaims += 1;
  contact.epoch = one.epoch;
  // A short lease is over before anything else happens.
  contact.ready = ask.short ? "now" : "later";
  if (one.rev !== contact.rev) return `revision ${one.rev} instead of ${contact.rev}`;
  if (one.failedClaims !== failedClaims)
    return `failedClaims ${one.failedClaims} instead of ${failedClaims}`;
  const heard = (one.session as { heard?: string[] } | null)?.heard ?? [];
  if (!same(heard, contact.heard)) return `the session heard ${heard.join()}`;
  const mail = one.mail.map((item) => item.event);
  const want = contact.mail.map((event) => event.replace(/^tick:.*/, "tick"));
  const have = mail.map((event) => event.replace(/^tick:.*/, "tick"));
  return same(have, want) ? null : `mail ${have.join()} instead of ${want.join()}`;
}

function isCurrent(model: Model, { contact, epoch, rev }: Claimed): boolean {
  const known = model.contacts[contact];
  return known?.epoch === epoch && known.rev === rev;
}

function committed(model: Model, ask: AskOf<"commit">, said: DeadLettered): string | null {
  const contact = model.contacts[ask.claimed.contact];
  if (!contact) return "nobody";
  if (!isCurrent(model, ask.claimed)) return said.ok ? "a late commit was taken" : null;
  if (!said.ok) return "a good commit was refused";
  contact.rev += 1;
  contact.heard.push(...contact.mail.splice(0, ask.applied));
  model.counters.applied += ask.applied;
  contact.epoch = null;
  contact.due = ask.due;
  if (ask.applied > 0) contact.failedClaims = 0;
  else if (!ask.again) contact.failedClaims = Math.max(0, contact.failedClaims - 1);
  const left = contact.mail.length;
  if (left === 0) contact.waiting = false;
  else if (ask.again) contact.waiting = true;
  contact.ready = left > 0 && !ask.again ? "now" : "no";
  const born: string[] = [];
  for (const { id, class: name, fused } of ask.effects) {
    if (model.effects[id]) continue;
    const ordered = name === "message";
    const flies = fused && (!ordered || contact.order.length === 0);
    model.effects[id] = {
      ...{
        contact: ask.claimed.contact,
        class: name,
        ordered,
        late: false,
        rev: 0,
        inPlace: false,
      },
      ...(flies
        ? { state: "inflight" as const, attempt: 1, token: said.begun[born.length]?.token ?? "" }
        : { state: "pending" as const, attempt: 0, token: null }),
    };
    if (flies) born.push(id);
    if (ordered) contact.order.push(id);
  }
  if (said.left !== left) return `${said.left} left instead of ${left}`;
  if (said.rev !== contact.rev) return `revision ${said.rev} instead of ${contact.rev}`;
  const flying = said.begun.map(({ id }) => id);
  return same(flying, born) ? null : `born in flight ${flying.join()} instead of ${born.join()}`;
}

function parked(model: Model, ask: AskOf<"park">, said: DeadLettered): string | null {
  const contact = model.contacts[ask.claimed.contact];
  if (!contact) return "nobody";
  const fits = isCurrent(model, ask.claimed) && contact.mail.length > 0;
  if (!fits) return said.ok ? "a late park was taken" : null;
  if (!said.ok) return "a good park was refused";
  contact.mail.shift();
  model.counters.dead += 1;
  contact.epoch = null;
  contact.failedClaims = 0;
  if (contact.mail.length === 0) contact.waiting = false;
  contact.ready = contact.mail.length > 0 ? "now" : "no";
  if (ask.anew) {
    contact.rev += 1;
    contact.due = ask.anew.due;
  }
  return said.rev === contact.rev ? null : `revision ${said.rev} instead of ${contact.rev}`;
}

function ticked(model: Model, moved: number): string | null {
  let due = 0;
  for (const contact of Object.values(model.contacts)) {
    if (contact.due !== null) {
      due += 1;
      push(model, contact, `tick:${contact.due}`);
      contact.due = null;
    }
    if (!contact.waiting) continue;
    due += 1;
    contact.waiting = false;
    if (contact.ready === "no") contact.ready = "now";
  }
  return moved === due ? null : `${moved} moved instead of ${due}`;
}

function begun(model: Model, ask: AskOf<"begin" | "reap">, got: readonly Begun[]): string | null {
  const want = Object.entries(model.effects)
    .filter(([id, effect]) =>
      ask.do === "begin" ? mayLeave(model, id) : effect.state === "inflight" && effect.late,
    )
    .map(([id]) => id)
    .sort();
  const have = got.map(({ id }) => id).sort();
  if (!same(have, want)) return `${ask.do} gave ${have.join()} instead of ${want.join()}`;
  for (const one of got) {
    const effect = model.effects[one.id];
    if (!effect) return "an effect nobody made";
    if (ask.do === "begin") effect.attempt += 1;
    effect.state = "inflight";
    effect.token = one.token;
    effect.late = ask.short;
    if (one.attempt !== effect.attempt) return `attempt ${one.attempt} of ${one.id}`;
  }
  return null;
}

function ended(model: Model, ask: AskOf<"end">, said: "ok" | "stale" | "unknown"): string | null {
  const effect = model.effects[ask.begun.id];
  const fits = effect?.state === "inflight" && effect.token === ask.begun.token;
  if (!effect || !fits) return said === "stale" ? null : "a stale end was taken";
  if (said !== "ok") return "a good end was called stale";
  const contact = model.contacts[effect.contact];
  if (!contact) return "nobody";
  effect.token = null;
  switch (ask.how) {
    case "done":
      delete model.effects[ask.begun.id];
      contact.order = contact.order.filter((id) => id !== ask.begun.id);
      break;
    case "retry":
    case "not_sent":
      effect.state = "pending";
      if (ask.how === "not_sent") effect.attempt -= 1;
      break;
    case "held":
    case "in-place":
      effect.state = "held";
      effect.inPlace = ask.how === "in-place" && effect.ordered;
      if (!effect.inPlace) contact.order = contact.order.filter((id) => id !== ask.begun.id);
  }
  if (ask.result === null) return null;
  if (contact.seen.includes(ask.result)) model.counters.duplicate += 1;
  else {
    contact.seen.push(ask.result);
    push(model, contact, ask.result);
  }
  return null;
}

function resolved(model: Model, ask: AskOf<"resolve">, said: boolean): string | null {
  const effect = model.effects[ask.id];
  if (effect?.state !== "held") return said ? "a decision about nothing was taken" : null;
  if (ask.rev !== null && ask.rev !== effect.rev)
    return said ? "a decision about what was seen before was taken" : null;
  if (ask.action === "hold" && !effect.inPlace)
    return said ? "a place was given up that nobody kept" : null;
  if (!said) return "a decision was refused";
  const contact = model.contacts[effect.contact];
  if (!contact) return "nobody";
  const rest = contact.order.filter((id) => id !== ask.id);
  if (ask.action === "finish") {
    delete model.effects[ask.id];
    contact.order = rest;
    return null;
  }
  if (ask.action === "hold") {
    effect.rev += 1;
    effect.inPlace = false;
    contact.order = rest;
    return null;
  }
  for (const id of [ask.id, ...(effect.ordered ? ask.behind : [])]) {
    const one = model.effects[id];
    if (one?.state !== "held" || one.contact !== ask.contact) continue;
    if (id !== ask.id && !one.ordered) continue;
    Object.assign(one, { state: "pending", attempt: 0, inPlace: false, rev: one.rev + 1 });
    // Where it was asked for, whatever became of the others meanwhile.
    const stands = new Set(one.ordered ? [...contact.order, id] : contact.order);
    contact.order = Object.keys(model.effects).filter((other) => stands.has(other));
  }
  return null;
}
