/**
 * The table of each step's fields in YAML. The first key of a step is its kind, and the value of that key its main
 * argument. The other keys are the options of the same method in TypeScript, with the same names. One name differs: the
 * prompt of an `ask` is `prompt`, because the key `ask` is taken.
 */
import type { Kit } from "../authoring/kit-types.ts";
import type { AnyRegistry } from "../authoring/registry.ts";
import {
  amount,
  condition,
  data,
  duration,
  either,
  type Field,
  type Fields,
  fields,
  list,
  may,
  must,
  names,
  one,
  path,
  type Shape,
  steps,
  text,
  value,
  whole,
  yes,
} from "./reader.ts";

export interface StepForm {
  /** What stands behind the step's own key. */
  readonly main: Field;
  readonly fields: Fields;
}

const quiet = fields({
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

const limits: Fields = {
  ...policy,
  onMax: may(one("handoff", "skip", "cancel"), "What happens then; handoff."),
};
const id = (doc = "An id of its own, when its text or slot stands in the flow twice."): Field =>
  may(text, doc);
const own = may(repair, "Own answers to cancel, back, help and the like, while it waits.");
const needId = must(text, "Its id: results are read as id.field.");
const prompt = may(text, "The prompt, here instead of in the catalogue.");
const askFields: Fields = {
  id: id(),
  prompt,
  optional: may(yes, "May be skipped."),
  from: may(
    list(text),
    "What this answer depends on: when it changes, the answer must still fit, or it is asked again.",
  ),
  options: may(
    fields({
      from: must(path, "A list: account.services, or a lookup's result."),
      value: must(text, "Field of a row that is the answer."),
      label: must(text, "Field of a row that people read."),
    }),
    "Rows of a choice.",
  ),
  ...limits,
};
const input = may(
  names(value),
  "Values by name; slots of the same name give theirs by themselves.",
);
const branch = (when: string): Field => may(steps, `Steps to run ${when}.`);
const effect: Fields = {
  id: needId,
  input,
  done: branch("when it was done"),
  rejected: branch("on a definite no"),
  held: branch("while nobody knows how it ended; costly and fiscal effects need it"),
  failed: branch("when it was not done"),
  repair: own,
};
const outcomes = must(names(steps), "Steps by outcome; [] goes on.");

/** Methods of the kit: YAML has each of them. */
export type StepName = keyof Kit<string, Record<never, never>, AnyRegistry>;

export const STEP_FORMS: { readonly [S in StepName]: StepForm } = {
  say: {
    main: must(text, "Says a text of the catalogue's say group."),
    fields: {
      id: id(),
      with: may(names(value), "Values for the text."),
      media: may(value, "A file to send with it."),
      location: may(value, "A place to send with it."),
    },
  },
  ask: { main: must(text, "Asks for one slot."), fields: askFields },
  form: {
    main: must(text, "Asks for several slots, one group on the chart."),
    fields: {
      ask: must(
        list(either(text, names(fields(askFields)))),
        "Slots in order: a name, or a map of one name to the options of ask.",
      ),
    },
  },
  choose: {
    main: must(text, "A menu over a slot of kind choice."),
    fields: {
      id: id(),
      prompt,
      branches: must(names(steps), "Steps by option; [] goes on."),
      ...limits,
    },
  },
  confirm: {
    main: must(text, "Shows answers and wants a yes to exactly them."),
    fields: {
      show: must(list(text), "Slots shown."),
      edit: may(list(text), "Slots that may be changed here; all."),
      word: may(text, "The word that means yes, when a plain yes is not enough."),
      no: may(steps, "Steps to run on a no, instead of asking what to change."),
      quiet: may(quiet, "When to remind and when to give up."),
      repair: may(repair, "Own answers to cancel, back, help and the like."),
    },
  },
  repeat: {
    main: must(text, "Asks the same for each item of a slot of kind list, then for another one."),
    fields: {
      id: id("An id of its own."),
      of: must(steps, "The questions of one item."),
      max: may(amount(1), "Most items; 10."),
      more: may(fields({ prompt, ...limits }), "How another one is asked for."),
    },
  },
  submit: { main: must(text, "Has an effect done, once per input."), fields: effect },
  call: { main: must(text, "Calls an effect that only looks something up."), fields: effect },
  when: {
    main: must(condition, "Goes one way or the other, by a condition."),
    fields: {
      then: must(steps, "Steps to run when it holds."),
      else: may(steps, "Steps to run when it does not."),
    },
  },
  goto: {
    main: must(text, "Goes on at another step."),
    fields: {
      clear: may(either(path, list(text)), "Slots to ask again: names, or where names stand."),
    },
  },
  subflow: {
    main: must(text, "Runs another flow with the same person."),
    fields: {
      id: needId,
      input,
      fills: may(list(text), "Slots that take what it ends with under their names."),
      on: may(names(steps), "Steps by outcome; without one it goes on."),
      repair: own,
    },
  },
  notify: {
    main: must(text, "Asks somebody else by another flow."),
    fields: {
      id: needId,
      to: must(value, "One alias or a list: account.operators."),
      input,
      within: must(duration, "How long to wait; then the branch late."),
      remind: may(duration, "When to repeat the question, once."),
      on: outcomes,
      repair: own,
    },
  },
  wait: {
    main: must(text, "Waits for something from outside."),
    fields: {
      id: needId,
      where: may(condition, "Which of such events counts: what it brings is read by the id."),
      within: must(duration, "How long to wait; then the branch late."),
      on: outcomes,
      repair: own,
    },
  },
  handoff: {
    main: must(text, "A person takes over; goes on when given back."),
    fields: { id: id("An id of its own."), repair: own },
  },
  end: {
    main: may(text, "Ends the flow with an outcome; done."),
    fields: {
      id: id("An id of its own."),
      output: may(names(value), "The answer to whoever called; all answers that are not secret."),
    },
  },
};

const slotFields: Shape = fields(
  {
    kind: must(text, "document, money, text, choice, …"),
    optional: may(yes, "May be skipped."),
    secret: may(yes, "Never shown in summaries, texts or the console."),
  },
  // What a kind takes besides is the kind's: `max`, `options`.
  data,
);

export const FLOW_FIELDS: Fields = {
  flow: must(text, "Its id, which is the folder's name."),
  version: must(whole(1), "For people and migrations; the content hash decides."),
  title: may(text, "Its name where a catalogue has none; the id."),
  audience: may(
    one("customer", "operator", "anyone", "nobody"),
    "Who may begin it by writing; customer.",
  ),
  role: may(
    text,
    "What it is to the runtime, which knows no flow by its id: menu, person, my-data, export, erase; or to a plugin.",
  ),
  restarts: may(yes, "Its own start phrase, said in the middle of it, begins it anew."),
  outcomes: may(list(text), "Outcomes besides done, cancelled and expired."),
  input: may(names(one("required", "optional")), "What a caller hands in; read as input.name."),
  takes: may(list(text), "Answers that a caller may hand in, by slot."),
  slots: must(
    names(either(text, slotFields)),
    "The answers it collects: a kind, or a map with one.",
  ),
  ...policy,
  onSendFailed: may(steps, "Steps to run when something it said could not be delivered."),
  budget: may(
    fields({
      calls: may(whole(1), "Calls of the messaging plan."),
      brl: may(whole(0), "Credits in BRL."),
    }),
    "What one conversation may cost before flows check warns.",
  ),
  migrate: may(
    list(
      fields({
        from: must(either(whole(1), text), "A version, or a hash."),
        rename: may(names(text), "Slots: old name to new name."),
        steps: may(names(text), "Steps: old id to new id."),
        drop: may(list(text), "Slots whose answers are forgotten."),
      }),
    ),
    "How conversations of older versions move here.",
  ),
  steps: must(steps, "The conversation, from top to bottom."),
};
