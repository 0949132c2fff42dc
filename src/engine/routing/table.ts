/** The whole routing table, in order: which row handles a message. `prosa flows routing` prints it. */
import type { Reader } from "../turn/reader.ts";
import { CONVERSATION } from "./conversation.ts";
import { FORM } from "./inside-flow.ts";
import { MESSAGE } from "./message.ts";
import { OUTSIDE } from "./outside-flow.ts";
import type { Row } from "./row.ts";

export interface RoutingLine {
  /**
   * The part of the table. `message` comes first; its last row leads to `conversation`, which leads to `form` or
   * `outside`.
   */
  readonly part: "message" | "conversation" | "form" | "outside";
  readonly name: string;
  readonly what: string;
  /** Passed over where a message is an option of the question in progress, or a start phrase, word for word. */
  readonly yields: boolean;
  /** Names of the readers that are asked here, in order. */
  readonly readers: readonly string[];
}

/** The rows in order, with the readers that each asks. */
export function routing(readers: readonly Reader[]): readonly RoutingLine[] {
  const lines = (
    part: RoutingLine["part"],
    rows: readonly Pick<Row<never>, "name" | "what" | "yields" | "asks">[],
  ): readonly RoutingLine[] =>
    rows.map(({ name, what, yields = false, asks }) => ({
      part,
      name,
      what,
      yields,
      readers: readers.filter((one) => asks && one[asks] !== undefined).map((one) => one.name),
    }));
  return [
    ...lines("message", MESSAGE),
    ...lines("conversation", CONVERSATION),
    ...lines("form", FORM),
    ...lines("outside", OUTSIDE),
  ];
}
