/** Questions answered in passing: the answer is sent, then the current question is asked again. */
import { asksForHours, weekdays } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { enter, wantedBy } from "../stack/entrance.ts";
import { reprompt } from "../stack/frames.ts";
import { current } from "../answers/meaning-result.ts";
import { expects, isMenu } from "../turn/programs.ts";
import { opening } from "../policies/handoff.ts";
import { opensAt } from "../session/business-clock.ts";
import { openingOf, passingIn } from "../turn/readers.ts";

/** A question that a reader of a plugin answers. False when none does, or it may be the answer to what is asked. */
export function tellsAside(draft: TurnDraft, text: string): boolean {
  const { top, session } = draft;
  const passing = passingIn(draft, text, () => top && current(expects(draft, top))?.kind);
  if (!passing) return false;
  draft.word(passing.word);
  const isFree = !top || isMenu(draft, top);
  const wanted = passing.begins && isFree ? wantedBy(draft, text) : undefined;
  if (top && !wanted) reprompt(draft);
  if (wanted) {
    session.frames = session.frames.filter((frame) => frame !== top);
    enter(draft, wanted, text);
  }
  return true;
}

/** "Amanhã eu quero": says that nothing is put off for another day; false when the text is another one, or another question is in progress. */
export function tellsLater(draft: TurnDraft, text: string): boolean {
  const { top, session } = draft;
  // "Pode fazer amanhã" of a request that waits is about that request.
  if ((top && !isMenu(draft, top)) || session.requests.length > 0) return false;
  const word = openingOf(draft, text)?.putOff;
  if (word === undefined) return false;
  draft.word(word);
  if (top) reprompt(draft);
  return true;
}

/** "Vocês estão abertos?": answered from what the account says; false when the text is another one. */
export function tellsHours(draft: TurnDraft, text: string): boolean {
  const asks = asksForHours(text);
  if (!asks) return false;
  if (asks === "perhaps" && draft.top && !isMenu(draft, draft.top)) return false;
  const { account, now } = draft.env;
  const { hours } = account;
  const days = hours ? weekdays(hours.days, draft.context.locale) : "";
  if (!hours || days === "") draft.word("hours-unknown");
  else {
    const opens = opensAt(account, now);
    const vars = { days, from: hours.from, to: hours.to };
    if (opens === undefined) draft.word("hours-open", vars);
    else
      draft.word("hours-closed", {
        ...vars,
        when: opening(account, now, opens, draft.context.locale),
      });
  }
  if (draft.top) reprompt(draft);
  return true;
}
