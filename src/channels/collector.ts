/**
 * Gathers what one webhook body held. Bounded, so that no body can make more events than a batch should hold.
 */
import type { InboundEvent, Parsed } from "../engine/index.ts";

/** Most events of one body; a contacts sync sends up to some thousand people in pieces. */
export const EVENTS_LIMIT = 2_000;

export interface Collector {
  take(event: InboundEvent): void;
  /** `reason` is a short fixed word, because it becomes the label of a counter. `form`: the name of an unknown form. */
  ignore(reason: string, form?: string): void;
  done(): Parsed;
}

export function createCollector(): Collector {
  const events: InboundEvent[] = [];
  const ignored: string[] = [];
  const forms: string[] = [];
  return {
    take(event) {
      if (events.length < EVENTS_LIMIT) events.push(event);
      else if (ignored.length < EVENTS_LIMIT) ignored.push("too-many");
    },
    ignore(reason, form) {
      if (ignored.length >= EVENTS_LIMIT) return;
      ignored.push(reason);
      if (form) forms.push(form);
    },
    done: () => ({ ok: true, events, ignored, ...(forms.length > 0 ? { forms } : {}) }),
  };
}

/** Whether the account takes events of this name. Names are compared without case, dots and underscores. */
export function wanted(
  filter: readonly string[] | undefined,
  ...names: readonly string[]
): boolean {
  if (!filter || filter.length === 0) return true;
  const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const taken = new Set(filter.map(fold));
  return taken.has("all") || names.some((name) => taken.has(fold(name)));
}
