/**
 * The table of lint rules: how grave a finding is, why the rule exists and how its findings are mended. `flows check` prints
 * it. The message of a finding names the case; this table describes the rule.
 */
import type { Finding } from "../ast/finding.ts";
import { RAW_RULE_TEXTS } from "../machine/raw-problems.ts";

interface RuleText {
  /** What a finding of it is, unless the check says otherwise. */
  readonly severity: Finding["severity"];
  readonly why: string;
  readonly how: string;
}

const error = (why: string, how: string): RuleText => ({ severity: "error", why, how });
const warning = (why: string, how: string): RuleText => ({ severity: "warning", why, how });

const ROWS = {
  "flow/file": error("The file cannot be read as a flow.", "Mend the place named."),
  "flow/unreadable": error(
    "What is written here, or what it imports, does not compile, is not there, or throws while it is read.",
    "Go to the file and line named: mend the syntax, the path of the import, or what throws.",
  ),
  "bot/file": error(
    "A file of the bot's own does not compile, throws while it is read, or names what is taken.",
    "Mend the file named; the rest of the bot runs without it.",
  ),
  "bot/text": error(
    "A text of the bot's own stands in place of none of the runtime's, or reads what that one is not given.",
    "Correct the key, or the name between the braces; `prosa flows texts` lists them all.",
  ),
  "flow/folder": warning(
    "A flow is looked for by the name of its folder.",
    "Give both the same name.",
  ),
  "flow/twice": error("An id names one flow.", "Give one of the two another id and folder."),
  "flow/role": error(
    "The runtime and its plugins find a flow by its role.",
    "Correct the role, leave it out, or load the plugin that knows it in `config.ts`.",
  ),
  "flow/role-taken": error(
    "The runtime finds a flow by its role, among those its reader may begin.",
    "Take the role from one of the two, or give them different audiences.",
  ),
  "id/bad-name": error(
    "Names stand in stored state, texts and URLs.",
    "Use a-z, 0-9 and hyphens (slots: underscores).",
  ),
  "id/reserved": error(
    "The kit has a state or a name of its own with this id.",
    "Take another id.",
  ),
  "id/duplicate": error(
    "Two steps with one id are one state to a conversation in progress.",
    "Give the second its own id.",
  ),
  "id/unstable": error(
    "The second use of a slot or text would take the first one's place.",
    "Give the second its own id.",
  ),
  "graph/unreachable": error("Nobody ever gets there.", "Take the step out, or lead to it."),
  "graph/dead-end": error(
    "A person who gets there never gets away.",
    "Give it the branch that is missing.",
  ),
  "graph/loop-without-rest": error(
    "Steps that come back without a question turn for ever.",
    "Put a question or an end into the circle; a jump back asks anew only what it clears.",
  ),
  "graph/goto-unknown": error("There is no such step.", "Name a step by its id."),
  "graph/goto-into-branch": error(
    "A jump into a branch would skip its condition.",
    "Jump to a step outside it.",
  ),
  "graph/unknown-outcome": error(
    "Callers know only declared outcomes.",
    "Add it to the flow's outcomes.",
  ),
  "graph/falls-off-end": warning(
    "A flow with outcomes of its own ends as plain done here.",
    "Write the end that is meant.",
  ),
  "slot/unknown": error("There is no such slot.", "Name a slot of this flow."),
  "slot/unknown-kind": error(
    "Nobody can read an answer of an unknown kind.",
    "Take a kind of the table of slots.",
  ),
  "slot/bad-parameter": error(
    "What a kind does not take it leaves out without a word.",
    "Take a parameter of the table of slots, in its form.",
  ),
  "slot/never-asked": error(
    "A required answer that nobody asks for never comes.",
    "Ask for it, or take the slot out.",
  ),
  "slot/unused": warning("An answer that nobody asks for never comes.", "Take the slot out."),
  "slot/asked-after-use": error("What is asked later has no value yet.", "Ask before it is read."),
  "slot/secret-in-text": error("Secrets stay out of texts.", "Take it out of the text."),
  "slot/hidden-in-input": error(
    "An answer that may be hidden or skipped is missing when the call is made.",
    "Ask for it always, or make the call under the same condition.",
  ),
  "expr/unknown-name": error(
    "The name means nothing here.",
    "Name a slot, a facet, an earlier step's result, account, contact or input.",
  ),
  "expr/unknown-rule": error("There is no such rule.", "Define it with defineRule."),
  "expr/wrong-type": error(
    "Nothing is converted: values of different types are never equal and in no order.",
    "Compare with a value of the same type.",
  ),
  "expr/always": error(
    "A condition that cannot change is no condition.",
    "Take it out, or mend it.",
  ),
  "expr/circular": error(
    "Whether the slot is there would depend on itself.",
    "Let its condition read only what is asked before.",
  ),
  "ask/no-prompt": error(
    "A question needs words.",
    "Add the prompt to the catalogues, or to the ask.",
  ),
  "ask/no-bad-text": error(
    "An answer that is not taken must be told why.",
    "Add the reason, or default, to the bad texts.",
  ),
  "ask/no-limit": error(
    "Nobody should be asked the same thing for ever.",
    "Take a max of 20 or less.",
  ),
  "ask/no-quiet": error(
    "A conversation that silence never ends stays open for ever.",
    "Give expire a duration.",
  ),
  "ask/ambiguous-options": error(
    "One answer would mean two options.",
    "Give each option labels and names of its own.",
  ),
  "ask/too-many-options": warning("A channel shows fewer options than these.", "Ask in two steps."),
  "effect/unknown": error("There is no such effect.", "See gateway routes."),
  "effect/fiscal-route": error(
    "A fiscal request without a record could be submitted twice.",
    "Call the effect of the plugin that files it.",
  ),
  "effect/input-missing": error(
    "The call would be refused.",
    "Ask for a slot of that name, or give it in input.",
  ),
  "effect/input-unknown": error("The call would be refused.", "Take it out, or mend its name."),
  "effect/input-wrong": error("The call would be refused.", "Mend the value."),
  "effect/input-type": error("The call would be refused.", "Give a value of the type it takes."),
  "effect/no-failure-branch": error("Calls fail.", "Write the branch; [] goes on."),
  "effect/no-held": error(
    "An answer that was lost says nothing: the call may have been carried out.",
    "Write held.",
  ),
  "effect/not-confirmed": error(
    "What costs or counts is sent only after a yes to exactly that.",
    "Put a confirm that shows it before.",
  ),
  "effect/no-goes-on": error("A no is a no.", "End the branch, or go back."),
  "effect/same-id-as-slot": error("A name means one thing.", "Take another id."),
  "notify/unknown-flow": error("There is no such flow.", "Name a flow of this folder."),
  "notify/flow-needs-input": error(
    "The other flow would begin without what it needs.",
    "Give it in input.",
  ),
  "notify/input-unknown": error(
    "The other flow does not read it.",
    "Take it out, or mend its name.",
  ),
  "notify/outcome-unhandled": error(
    "Each answer leads somewhere.",
    "Write the branch; [] goes on.",
  ),
  "notify/no-late": error("People do not always answer.", "Write late."),
  "notify/late-goes-on": error("Silence is no yes.", "End the branch, or go back."),
  "notify/loop": error("Two flows that ask each other never end.", "Take one of the two out."),
  "notify/bad-duration": error("It is no duration.", "Write 90s, 15m, 2h or 3d."),
  "notify/within-too-long": error("Nobody waits that long.", "Take 30 days or less."),
  "repair/human-off": error("Everybody may ask for a person.", "Take it out."),
  "repair/no-way-out": error(
    "Cancel is off and silence ends nothing: nobody could leave.",
    "Allow cancel, or give expire a duration.",
  ),
  "repair/never-returns": warning(
    "Who asks for help wants to go on afterwards.",
    "Let the steps fall through to the question.",
  ),
  "text/file": error("The file cannot be read as a catalogue.", "Mend the place named."),
  "text/start-taken": warning(
    "Two flows would answer to one phrase.",
    "Give one of them another phrase.",
  ),
  "text/missing": error("The bot would say nothing.", "Add the text to the catalogues."),
  "text/missing-translation": warning(
    "Who reads the other language would read this one.",
    "Translate it.",
  ),
  "text/inline-and-catalogue": error("A text stands in one place.", "Take one of the two out."),
  "text/unknown-name": error(
    "Nothing would stand there.",
    "Name a slot, a result, a variable of with, account, contact or input.",
  ),
  "text/unknown-pipe": error(
    "The value would stay as it is.",
    "Take a pipe of the table of texts.",
  ),
  "text/pipe-kind": error(
    "The pipe is for values of another kind.",
    "Take the pipe of this kind, or none.",
  ),
  "text/variables-differ": error(
    "One language tells less than the other.",
    "Let both read the same.",
  ),
  "text/no-other": error(
    "For a value without a form the bot would say nothing.",
    "Add the form other.",
  ),
  "text/too-long": error("The channel would cut it.", "Shorten it, or show less."),
  "text/rows": error("The channel would cut the option.", "Shorten its label."),
  "text/braces": error(
    "Braces that hold no reference are shown as they are.",
    "Write {{name}} or {{name | pipe}}, with two braces on both sides.",
  ),
  "text/bold": error(
    "A star alone is shown as a star.",
    "Write *bold* with two stars around words in one line.",
  ),
  "text/gendered": warning("Half of the readers are not meant.", "Write it without gender."),
  "text/unused": warning("Nobody ever says it.", "Take it out, or mend its key."),
  "repeat/once-only": error(
    "What leaves something behind in the world is done once.",
    "Put it after the list.",
  ),
  "repeat/no-list": error("Only a list holds items.", "Make it a slot of kind list."),
  "repeat/nothing-asked": error("An item is what is asked for it.", "Ask for something inside."),
  "slot/one-of-many": error(
    "Of a list's items there is no single answer.",
    "Read the list itself.",
  ),
  "expr/not-there": error(
    "What a call brings hangs on how it ended: read elsewhere it is nothing, and a text has a hole.",
    "Read it in the branch of that end, or another field here.",
  ),
  "notify/circle": error(
    "Flows that begin each other without a rest turn until they are cut off, and the person waits.",
    "Ask something in one of them, or end there instead of beginning the next.",
  ),
  "notify/unknown-event": error(
    "Nobody would ever tell it: the wait ends late, each time.",
    "Write the event's name as it is posted, and declare your own in events.yaml, one a line.",
  ),
  "notify/events-file": error(
    "What may happen outside is known by this file.",
    "One event a line: parcel.ready: [item, shelf].",
  ),
  "version/rename-unknown": error(
    "Answers would be moved to nowhere.",
    "Name a slot or step of this version.",
  ),
  "version/map-unknown": error(
    "Answers would be changed by nothing.",
    "Define it with defineRule.",
  ),
  "cost/calls": warning(
    "Every message is a call of the plan.",
    "Ask for several answers at once, or say less; or raise the flow's budget.",
  ),
  "cost/price": warning(
    "The calls of one conversation cost more than its budget.",
    "Call less; or raise the flow's budget.",
  ),
  "cost/walk-too-long": error(
    "A correction walks over all steps again.",
    "Take a part into a flow of its own.",
  ),
  "cost/too-big": error(
    "Flow or answers take more room than a conversation has.",
    "Take a part into a flow of its own, or limit texts by max.",
  ),
  ...RAW_RULE_TEXTS,
};

export type RuleName = keyof typeof ROWS;

export const RULE_TEXTS: { readonly [rule: string]: RuleText } = ROWS;

export interface Explained extends Finding {
  readonly why: string;
  readonly how: string;
}

/** The finding with the reason of its rule and the way to mend it. */
export function explained(finding: Finding): Explained {
  const { why = finding.message, how = "See flows/README.md." } = RULE_TEXTS[finding.rule] ?? {};
  return { ...finding, why, how };
}
