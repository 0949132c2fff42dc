/** Repair events that every flow handles in every state. A step overrides one by declaring the event itself. */
import { BAD, guard, move, type EdgeConfig } from "./config.ts";
import type { MoveName } from "../moves/moves.ts";

/** The events every flow takes in every state. */
export const ROOT_EVENTS = [
  "ANSWER",
  "CORRECT",
  "EDIT",
  "BACK",
  "SKIP",
  "CANCEL",
  "BAD",
  "REPEAT",
  "HELP",
  "WHY",
  "HUMAN",
  "quiet.nudge",
  "quiet.expire",
] as const;

/** Candidates of each root event. `to` makes a target of a state's id. */
export function rootEdges(
  to: (id: string) => string,
): Record<(typeof ROOT_EVENTS)[number], readonly EdgeConfig[]> {
  const open = guard("open", {});
  const tooLate: EdgeConfig = { actions: [move("tooLate", { word: "too-late" })] };
  const restart = (name: MoveName): EdgeConfig => ({
    guard: open,
    target: to("start"),
    actions: [move(name, {})],
  });
  const says = (name: string): EdgeConfig => ({ actions: [move("wordThenAsk", { word: name })] });
  return {
    ANSWER: [
      { guard: guard("atAsk", {}), actions: [move("answer", {})] },
      restart("correct"),
      tooLate,
    ],
    CORRECT: [restart("correct"), tooLate],
    EDIT: [restart("edit"), tooLate],
    BACK: [
      { ...restart("back"), guard: guard("canBack", {}) },
      { guard: open, actions: [move("noBack", { word: "nothing-before" })] },
      tooLate,
    ],
    SKIP: [{ guard: guard("optional", {}), actions: [move("skip", {})] }, says("no-skip")],
    CANCEL: [{ guard: open, target: to("ended-cancelled") }, tooLate],
    BAD: [{ guard: guard("exhausted", {}), actions: [move("exhausted", {})] }, BAD],
    REPEAT: [{ actions: [move("repeat", {})] }],
    HELP: [says("help")],
    WHY: [says("why")],
    HUMAN: [{ actions: [move("human", {})] }],
    "quiet.nudge": [{ guard: open, actions: [move("nudge", {})] }],
    "quiet.expire": [{ guard: open, target: to("ended-expired") }],
  };
}
