/** Fields that several kinds of step have in `flow.yaml`, or a step and the whole flow. */
import {
  amount,
  either,
  type Field,
  type Fields,
  fields,
  may,
  must,
  names,
  one,
  steps,
  text,
  value,
} from "./shape.ts";

export const quiet = fields({
  nudge: may(text, "When to remind: a duration, or off."),
  expire: may(text, "When to give up: a duration, or off."),
});
/** `off`, the key of another text, or steps. */
const rule = either(text, steps);
export const repair = fields({
  cancel: may(rule, "In place of ending the flow."),
  back: may(rule, "In place of the question before."),
  skip: may(rule, "In place of skipping."),
  repeat: may(rule, "In place of asking again."),
  help: may(rule, "In place of the common help."),
  why: may(rule, "In place of the common reason."),
  human: may(rule, "In place of calling a person; cannot be off."),
  nudge: may(rule, "In place of the reminder."),
  expire: may(rule, "In place of giving up."),
});
export const policy: Fields = {
  quiet: may(quiet, "When to remind and when to give up; 15m and 24h."),
  max: may(amount(1), "Answers not understood in a row before a person is called; 3."),
  repair: may(repair, "Own answers to cancel, back, help and the like."),
};

export const limitFields: Fields = {
  ...policy,
  onMax: may(one("handoff", "skip", "cancel"), "What happens then; handoff."),
};
export const id = (
  doc = "An id of its own, when its text or slot stands in the flow twice.",
): Field => may(text, doc);
export const waitingRepair = may(
  repair,
  "Own answers to cancel, back, help and the like, while it waits.",
);
export const needId = must(text, "Its id: results are read as id.field.");
export const prompt = may(text, "The prompt, here instead of in the catalogue.");
export const input = may(
  names(value),
  "Values by name; slots of the same name give theirs by themselves.",
);
export const outcomes = must(names(steps), "Steps by outcome; [] goes on.");
