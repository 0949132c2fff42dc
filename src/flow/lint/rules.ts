/**
 * The table of lint rules: why each exists and how its findings are mended. `flows check` prints it. The message
 * of a finding names the case; this table describes the rule.
 */
import type { Finding } from "../ast/finding.ts";

export interface RuleText {
  readonly why: string;
  readonly how: string;
}

const say = (why: string, how: string): RuleText => ({ why, how });

export const RULE_TEXTS: { readonly [rule: string]: RuleText } = {
  "flow/file": say("The file cannot be read as a flow.", "Mend the place named."),
  "flow/unreadable": say(
    "What is written here, or what it imports, does not compile, is not there, or throws while it is read.",
    "Go to the file and line named: mend the syntax, the path of the import, or what throws.",
  ),
  "bot/file": say(
    "A file of the bot's own does not compile, throws while it is read, or names what is taken.",
    "Mend the file named; the rest of the bot runs without it.",
  ),
  "bot/text": say(
    "A text of the bot's own stands in place of none of the runtime's, or reads what that one is not given.",
    "Correct the key, or the name between the braces; `prosa flows texts` lists them all.",
  ),
  "flow/folder": say("A flow is looked for by the name of its folder.", "Give both the same name."),
  "flow/twice": say("An id names one flow.", "Give one of the two another id and folder."),
  "flow/role": say(
    "The runtime and its plugins find a flow by its role.",
    "Correct the role, leave it out, or load the plugin that knows it in `config.ts`.",
  ),
  "flow/role-taken": say(
    "The runtime finds a flow by its role, among those its reader may begin.",
    "Take the role from one of the two, or give them different audiences.",
  ),
  "id/bad-name": say(
    "Names stand in stored state, texts and URLs.",
    "Use a-z, 0-9 and hyphens (slots: underscores).",
  ),
  "id/reserved": say("The kit has a state or a name of its own with this id.", "Take another id."),
  "id/duplicate": say(
    "Two steps with one id are one state to a conversation in progress.",
    "Give the second its own id.",
  ),
  "id/unstable": say(
    "The second use of a slot or text would take the first one's place.",
    "Give the second its own id.",
  ),
  "graph/unreachable": say("Nobody ever gets there.", "Take the step out, or lead to it."),
  "graph/dead-end": say(
    "A person who gets there never gets away.",
    "Give it the branch that is missing.",
  ),
  "graph/loop-without-rest": say(
    "Steps that come back without a question turn for ever.",
    "Put a question or an end into the circle; a jump back asks anew only what it clears.",
  ),
  "graph/goto-unknown": say("There is no such step.", "Name a step by its id."),
  "graph/goto-into-branch": say(
    "A jump into a branch would skip its condition.",
    "Jump to a step outside it.",
  ),
  "graph/unknown-outcome": say(
    "Callers know only declared outcomes.",
    "Add it to the flow's outcomes.",
  ),
  "graph/falls-off-end": say(
    "A flow with outcomes of its own ends as plain done here.",
    "Write the end that is meant.",
  ),
  "slot/unknown": say("There is no such slot.", "Name a slot of this flow."),
  "slot/unknown-kind": say(
    "Nobody can read an answer of an unknown kind.",
    "Take a kind of the table of slots.",
  ),
  "slot/bad-parameter": say(
    "What a kind does not take it leaves out without a word.",
    "Take a parameter of the table of slots, in its form.",
  ),
  "slot/never-asked": say(
    "A required answer that nobody asks for never comes.",
    "Ask for it, or take the slot out.",
  ),
  "slot/unused": say("An answer that nobody asks for never comes.", "Take the slot out."),
  "slot/asked-after-use": say("What is asked later has no value yet.", "Ask before it is read."),
  "slot/secret-in-text": say("Secrets stay out of texts.", "Take it out of the text."),
  "slot/hidden-in-input": say(
    "An answer that may be hidden or skipped is missing when the call is made.",
    "Ask for it always, or make the call under the same condition.",
  ),
  "expr/unknown-name": say(
    "The name means nothing here.",
    "Name a slot, a facet, an earlier step's result, account, contact or input.",
  ),
  "expr/unknown-rule": say("There is no such rule.", "Define it with defineRule."),
  "expr/wrong-type": say(
    "Nothing is converted: values of different types are never equal and in no order.",
    "Compare with a value of the same type.",
  ),
  "expr/always": say("A condition that cannot change is no condition.", "Take it out, or mend it."),
  "expr/circular": say(
    "Whether the slot is there would depend on itself.",
    "Let its condition read only what is asked before.",
  ),
  "ask/no-prompt": say(
    "A question needs words.",
    "Add the prompt to the catalogues, or to the ask.",
  ),
  "ask/no-bad-text": say(
    "An answer that is not taken must be told why.",
    "Add the reason, or default, to the bad texts.",
  ),
  "ask/no-limit": say(
    "Nobody should be asked the same thing for ever.",
    "Take a max of 20 or less.",
  ),
  "ask/no-quiet": say(
    "A conversation that silence never ends stays open for ever.",
    "Give expire a duration.",
  ),
  "ask/ambiguous-options": say(
    "One answer would mean two options.",
    "Give each option labels and names of its own.",
  ),
  "ask/too-many-options": say("A channel shows fewer options than these.", "Ask in two steps."),
  "effect/unknown": say("There is no such effect.", "See gateway routes."),
  "effect/fiscal-route": say(
    "A fiscal request without a record could be submitted twice.",
    "Call the effect of the plugin that files it.",
  ),
  "effect/input-missing": say(
    "The call would be refused.",
    "Ask for a slot of that name, or give it in input.",
  ),
  "effect/input-unknown": say("The call would be refused.", "Take it out, or mend its name."),
  "effect/input-wrong": say("The call would be refused.", "Mend the value."),
  "effect/input-type": say("The call would be refused.", "Give a value of the type it takes."),
  "effect/no-failure-branch": say("Calls fail.", "Write the branch; [] goes on."),
  "effect/no-held": say(
    "An answer that was lost says nothing: the call may have been carried out.",
    "Write held.",
  ),
  "effect/not-confirmed": say(
    "What costs or counts is sent only after a yes to exactly that.",
    "Put a confirm that shows it before.",
  ),
  "effect/no-goes-on": say("A no is a no.", "End the branch, or go back."),
  "effect/same-id-as-slot": say("A name means one thing.", "Take another id."),
  "notify/unknown-flow": say("There is no such flow.", "Name a flow of this folder."),
  "notify/flow-needs-input": say(
    "The other flow would begin without what it needs.",
    "Give it in input.",
  ),
  "notify/input-unknown": say("The other flow does not read it.", "Take it out, or mend its name."),
  "notify/outcome-unhandled": say("Each answer leads somewhere.", "Write the branch; [] goes on."),
  "notify/no-late": say("People do not always answer.", "Write late."),
  "notify/late-goes-on": say("Silence is no yes.", "End the branch, or go back."),
  "notify/loop": say("Two flows that ask each other never end.", "Take one of the two out."),
  "notify/bad-duration": say("It is no duration.", "Write 90s, 15m, 2h or 3d."),
  "notify/within-too-long": say("Nobody waits that long.", "Take 30 days or less."),
  "repair/human-off": say("Everybody may ask for a person.", "Take it out."),
  "repair/no-way-out": say(
    "Cancel is off and silence ends nothing: nobody could leave.",
    "Allow cancel, or give expire a duration.",
  ),
  "repair/never-returns": say(
    "Who asks for help wants to go on afterwards.",
    "Let the steps fall through to the question.",
  ),
  "text/file": say("The file cannot be read as a catalogue.", "Mend the place named."),
  "text/start-taken": say(
    "Two flows would answer to one phrase.",
    "Give one of them another phrase.",
  ),
  "text/missing": say("The bot would say nothing.", "Add the text to the catalogues."),
  "text/missing-translation": say(
    "Who reads the other language would read this one.",
    "Translate it.",
  ),
  "text/inline-and-catalogue": say("A text stands in one place.", "Take one of the two out."),
  "text/unknown-name": say(
    "Nothing would stand there.",
    "Name a slot, a result, a variable of with, account, contact or input.",
  ),
  "text/unknown-pipe": say("The value would stay as it is.", "Take a pipe of the table of texts."),
  "text/pipe-kind": say(
    "The pipe is for values of another kind.",
    "Take the pipe of this kind, or none.",
  ),
  "text/variables-differ": say(
    "One language tells less than the other.",
    "Let both read the same.",
  ),
  "text/no-other": say(
    "For a value without a form the bot would say nothing.",
    "Add the form other.",
  ),
  "text/too-long": say("The channel would cut it.", "Shorten it, or show less."),
  "text/rows": say("The channel would cut the option.", "Shorten its label."),
  "text/braces": say(
    "Braces that hold no reference are shown as they are.",
    "Write {{name}} or {{name | pipe}}, with two braces on both sides.",
  ),
  "text/bold": say(
    "A star alone is shown as a star.",
    "Write *bold* with two stars around words in one line.",
  ),
  "text/gendered": say("Half of the readers are not meant.", "Write it without gender."),
  "text/unused": say("Nobody ever says it.", "Take it out, or mend its key."),
  "raw/invoke": say(
    "What is awaited inside a machine is lost at a restart.",
    'Make the call a step in steps (f.call, f.submit), begin it by entry "begin" in the state of its id, and take its outcomes in on.',
  ),
  "raw/after": say(
    "Timers inside a machine are lost at a restart.",
    "Give the question quiet: { nudge, expire }, or the step within, and take quiet.expire or the step's late in on.",
  ),
  "raw/spawn": say(
    "Actors inside a machine are lost at a restart.",
    'Make the other flow a subflow step with a state of its id, begun by entry "begin".',
  ),
  "raw/history": say(
    "Where it was must be readable from its state.",
    "Take the type out: guards read facts (filled, settled, is), so the way back is found by going from the beginning.",
  ),
  "raw/parallel": say(
    "A conversation is at one place.",
    "Ask one after the other: an answer that comes early is kept and its question passed over by the guard filled.",
  ),
  "raw/nested": say(
    "A conversation is at one place.",
    "Lift the inner states to the top, with names of their own, and lead to them by targets.",
  ),
  "raw/context": say(
    "Answers live in facts, not in a context of its own.",
    'Keep answers in slots and results in steps; read them in a guard is, as { ref: "slot" }.',
  ),
  "raw/initial": say(
    "It must be known where it begins.",
    "Write initial with the name of one of its states.",
  ),
  "raw/final": say(
    "It must be known how it ends.",
    "Call it ended-done, or ended- and one of the flow's outcomes.",
  ),
  "raw/unregistered-action": say(
    "Nobody would do it.",
    "Take one of the actions and guards that prosaSetup() knows; calls and words are steps.",
  ),
  "raw/silent-rest": say(
    "A person would wait for a question.",
    "Add the state to asks, or a step of its id to steps; or lead on by an always without guard.",
  ),
  "raw/not-passed": say(
    "Coming past again, it would ask again.",
    'Add always: { guard: "filled", target: … }, so that an answer that is there is passed over.',
  ),
  "raw/no-step": say(
    "It works on a step, and there is none.",
    "Give the state a step of its id in steps or asks, or name one by params.step.",
  ),
  "raw/unknown-event": say(
    "The edge would never be taken.",
    "Take an event of every flow, YES, NO, RESUME, send.failed, or step.outcome of a step.",
  ),
  "raw/unknown-target": say(
    "The edge leads nowhere.",
    "Name one of the machine's states, or ended- and an outcome of the flow.",
  ),
  "raw/outcome-unhandled": say(
    "A conversation whose call ends so would wait for ever.",
    "Take step.outcome in on of its state: guard fresh, action settle, and an always that reads it.",
  ),
  "repeat/once-only": say(
    "What leaves something behind in the world is done once.",
    "Put it after the list.",
  ),
  "repeat/no-list": say("Only a list holds items.", "Make it a slot of kind list."),
  "repeat/nothing-asked": say("An item is what is asked for it.", "Ask for something inside."),
  "slot/one-of-many": say("Of a list's items there is no single answer.", "Read the list itself."),
  "expr/not-there": say(
    "What a call brings hangs on how it ended: read elsewhere it is nothing, and a text has a hole.",
    "Read it in the branch of that end, or another field here.",
  ),
  "notify/circle": say(
    "Flows that begin each other without a rest turn until they are cut off, and the person waits.",
    "Ask something in one of them, or end there instead of beginning the next.",
  ),
  "notify/unknown-event": say(
    "Nobody would ever tell it: the wait ends late, each time.",
    "Write the event's name as it is posted, and declare your own in events.yaml, one a line.",
  ),
  "notify/events-file": say(
    "What may happen outside is known by this file.",
    "One event a line: parcel.ready: [item, shelf].",
  ),
  "version/rename-unknown": say(
    "Answers would be moved to nowhere.",
    "Name a slot or step of this version.",
  ),
  "version/map-unknown": say("Answers would be changed by nothing.", "Define it with defineRule."),
  "cost/calls": say(
    "Every message is a call of the plan.",
    "Ask for several answers at once, or say less; or raise the flow's budget.",
  ),
  "cost/price": say(
    "The calls of one conversation cost more than its budget.",
    "Call less; or raise the flow's budget.",
  ),
  "cost/walk-too-long": say(
    "A correction walks over all steps again.",
    "Take a part into a flow of its own.",
  ),
  "cost/too-big": say(
    "Flow or answers take more room than a conversation has.",
    "Take a part into a flow of its own, or limit texts by max.",
  ),
};

export interface Explained extends Finding {
  readonly why: string;
  readonly how: string;
}

/** The finding with the reason of its rule and the way to mend it. */
export function explained(finding: Finding): Explained {
  const text = RULE_TEXTS[finding.rule] ?? { why: finding.message, how: "See flows/README.md." };
  return { ...finding, ...text };
}
