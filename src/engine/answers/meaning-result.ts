/** What a message means, as data: an event of the flow, a command, or nothing. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Command as SaidCommand } from "../../understanding/index.ts";
import type { Choice } from "../session/effect.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";

export type Command = SaidCommand | "why" | "needed" | "moment";

export type Meaning =
  /** `asks`: the person also wants to know why it is asked. */
  | {
      readonly kind: "flow";
      readonly event: FlowEvent;
      readonly asks?: "why";
      /** What is wrong with the new value, of an answer that is thereby asked again. */
      readonly wrong?: Extract<FlowEvent, { type: "BAD" }>;
      /** Values that count beside what is asked again. */
      readonly beside?: JsonObject;
    }
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "none" };

export type MeantFlow = Extract<Meaning, { kind: "flow" }>;

export const NONE: Meaning = { kind: "none" };
/** A choice with a value in its id: a proposal for an answer that had several readings. */
export const PROPOSAL = "=";
/** … for another slot than the one that is asked: `=@value:9500`. */
const ELSEWHERE = "=@";

/**
 * Asks whether a value is meant for a slot other than the current one. A plain yes accepts it; after a plain no the
 * question is asked again.
 */
export function proposal(slot: string, value: Json, label: string): MeantFlow {
  return flow({
    type: "BAD",
    reason: "ambiguous",
    hint: "confirm",
    of: slot,
    nearer: true,
    options: [{ id: `${ELSEWHERE}${slot}:${JSON.stringify(value)}`, label }],
  });
}

/** Whether the choice on offer differs from the options of the current question. */
export function isForOther({ id }: Choice): boolean {
  return id.startsWith(ELSEWHERE);
}
/** A picked choice as an answer: an option of the slot, yes or no, or a proposal's own value. */
export function picked(expectation: Expectation, choice: Choice): Meaning {
  const { slot, rests } = expectation;
  if (isForOther(choice)) {
    const at = choice.id.indexOf(":");
    const other = choice.id.slice(ELSEWHERE.length, at);
    const value = JSON.parse(choice.id.slice(at + 1)) as Json;
    return flow({ type: "CORRECT", values: { [other]: value } });
  }
  if (choice.id.startsWith(PROPOSAL) && slot !== undefined) {
    const value = JSON.parse(choice.id.slice(PROPOSAL.length)) as JsonObject[string];
    return flow({ type: "ANSWER", values: { [slot]: value } });
  }
  if (rests === "confirm") return flow({ type: choice.id === "no" ? "NO" : "YES" });
  if (slot === undefined) return NONE;
  return flow({ type: "ANSWER", values: { [slot]: choice.id } });
}

export function current(expectation: Expectation): ExpectedSlot | undefined {
  if (expectation.slot === undefined) return undefined;
  return expectation.asked ?? expectation.slots.find(({ name }) => name === expectation.slot);
}

export function flow(event: FlowEvent) {
  return { kind: "flow", event } as const;
}

/** What a refused reading adds to the edit it leads to. */
export function wrong(reading: SlotReading | undefined) {
  return reading && !reading.ok ? { wrong: bad(reading).event } : {};
}

/** These are asked again. `reading`: what is wrong with the first. */
export function edits(
  slots: readonly string[],
  more: { anew?: readonly string[]; reading?: SlotReading; beside?: JsonObject },
): MeantFlow {
  const { anew, reading, beside = {} } = more;
  return {
    ...flow({ type: "EDIT", slots, ...(anew ? { anew } : {}) }),
    ...wrong(reading),
    ...(Object.keys(beside).length > 0 ? { beside } : {}),
  };
}

/** Values as an event: a correction where one of another slot than the asked one is known already. */
export function given({ slots, slot: asked }: Expectation, values: JsonObject): FlowEvent {
  const corrects = slots.some(
    ({ name, filled }) => filled && name !== asked && Object.hasOwn(values, name),
  );
  return { type: corrects ? "CORRECT" : "ANSWER", values };
}

/** A failed reading as an event; readings of the asked kind become choices, those of other kinds do not. */
export function bad(reading: Extract<SlotReading, { ok: false }>) {
  const options = (reading.options ?? [])
    .filter((option) => option.kind === undefined)
    .map((option) => ({ id: PROPOSAL + JSON.stringify(option.value), label: option.echo }))
    .filter((option) => option.id.length <= 200);
  const event: Extract<FlowEvent, { type: "BAD" }> = {
    type: "BAD",
    reason: reading.reason,
    ...(reading.hint === undefined ? {} : { hint: reading.hint }),
    ...(options.length > 0 ? { options } : {}),
    ...(reading.piece === undefined ? {} : { piece: reading.piece, nearer: true as const }),
  };
  return { kind: "flow", event } as const;
}
