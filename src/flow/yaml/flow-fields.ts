/** The keys of a whole `flow.yaml`. */
import { policy } from "./common-fields.ts";
import {
  data,
  either,
  type Fields,
  fields,
  list,
  may,
  must,
  names,
  one,
  type Shape,
  steps,
  text,
  whole,
  yes,
} from "./shape.ts";

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
