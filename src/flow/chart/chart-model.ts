/**
 * The folded chart of a flow as data: the console draws it, `flows graph` prints it, and coverage colours it. `chart.ts`
 * makes it. Its ids are step ids, so the current step of a conversation is found by its id.
 */

export interface ChartNode {
  /** Step id; `start`, `ended-<outcome>` for the ends. */
  readonly id: string;
  readonly label: string;
  readonly kind:
    | "start"
    | "ask"
    | "choose"
    | "confirm"
    | "effect"
    | "notify"
    | "subflow"
    | "wait"
    | "handoff"
    | "end";
  /** Group (form) this node is drawn in. */
  readonly group?: string;
  /** Machine states that rest here (the step itself and its `-held-rest`). */
  readonly states: readonly string[];
  /** Small chips on the node: overrides of repair, limits, timers. */
  readonly chips: readonly string[];
}

export interface ChartEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Pill lines: condition, outcome, and the words said on the way (“hello”). Empty for an ordinary answer. */
  readonly label: readonly string[];
  readonly kind: "answer" | "condition" | "outcome" | "timer" | "goto";
}

export interface Chart {
  readonly flow: string;
  readonly title: string;
  readonly hash: string;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
  readonly groups: readonly { readonly id: string; readonly label: string }[];
  /** Root events that work in every step: one row of chips under the title. */
  readonly anywhere: readonly string[];
}
