/** A frame of the stack: a flow in progress, with its timers, what it has under way, and for whom it runs. */
import { z } from "zod";
import { isJsonObject } from "../../base/index.ts";
import { Waiter } from "./effect.ts";
import { Timer } from "./mail.ts";

/** Plain data, checked in one pass: as a schema of its own it costs more than the turn. */
export const data = z.custom<Record<string, z.core.util.JSONType>>(isJsonObject);

/** Timers that failed in every attempt, see `turn/timers.ts`. They are kept and are not due. */
export const aside = z.array(Timer).optional();

/** Keeps these timers of an owner, also of those set aside. */
export function keepTimers(
  owner: { timers: Timer[]; aside?: Timer[] | undefined },
  keeps: (timer: Timer) => boolean,
): void {
  owner.timers = owner.timers.filter(keeps);
  const left = owner.aside?.filter(keeps) ?? [];
  if (left.length > 0) owner.aside = left;
  else delete owner.aside;
}

/** What the engine keeps of an open invocation of a step (effect, notify or subflow). */
export const Invocation = z.object({
  step: z.string(),
  kind: z.enum(["effect", "notify", "subflow", "wait"]),
  name: z.string(),
  for: z.string(),
  epoch: z.string(),
  /** Effect class for `effect`; decides pinning and sealing. */
  class: z.string().optional(),
  /** For notify: the request id and to whom it went. */
  request: z.string().optional(),
  to: z.array(z.string()).optional(),
});
export type Invocation = z.output<typeof Invocation>;

/** Another contact that asked. */
const Asker = z.object({
  kind: z.literal("request"),
  waiter: Waiter,
  contact: z.string(),
  request: z.string(),
  code: z.string(),
  /** Its display name. */
  from: z.string().optional(),
  /** The amount it is about, as it is shown. */
  about: z.string().optional(),
  /** The outcomes it has a branch for. */
  heeds: z.array(z.string()).optional(),
});
const Parent = z.object({ kind: z.literal("frame"), waiter: Waiter });

export const Frame = z.object({
  id: z.string(),
  flow: z.string(),
  version: z.number().int(),
  /** Content hash of the flow's AST; a frame stays on its hash while anything is pending. */
  hash: z.string(),
  /** Hashes of the same version number that it was in before, the latest last. */
  left: z.array(z.string()).max(4).optional(),
  /** State of the flow's machine as its program stores it: facts + cached position. Opaque to the engine. */
  state: data,
  invocations: z.array(Invocation),
  timers: z.array(Timer),
  aside,
  /**
   * The person wanted to change something unknown at this step: `shown` again since, ms; and `again`. See
   * `premature-decision.ts`.
   */
  doubt: z
    .object({ step: z.string(), shown: z.number().optional(), again: z.boolean().optional() })
    .optional(),
  /** When the question was first shown, ms. Showing the same question again does not count. */
  asked: z.number().optional(),
  /** A decision that was written before that: by its sender's clock, and when it came, ms. See `premature-decision.ts`. */
  early: z.object({ written: z.number(), at: z.number() }).optional(),
  /** Set when this frame runs for somebody: a parent frame of this session, or another contact. */
  caller: z.discriminatedUnion("kind", [Parent, Asker]).optional(),
});
export type Frame = z.output<typeof Frame>;

/** A frame that answers somebody's request: the business's side of a conversation. */
export const RequestFrame = Frame.extend({ caller: Asker });
export type RequestFrame = z.output<typeof RequestFrame>;

export function isRequest(frame: Frame): frame is RequestFrame {
  return frame.caller?.kind === "request";
}
