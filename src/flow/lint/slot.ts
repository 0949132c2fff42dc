/** `slot/`: kinds exist, required slots are asked, nothing is read before it is asked. */
import { type Expr, refs } from "../ast/expression.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { expressionsOf, isAsk } from "../machine/steps.ts";
import { placeholders } from "../texts/template.ts";
import { textsOf } from "../texts/text-refs.ts";
import { found, foundText, type LintContext, type LintRule } from "./context.ts";

export const slotRules: LintRule = (context) => [
  ...kinds(context),
  ...asked(context),
  ...order(context),
  ...secrets(context),
  ...parts(context),
];

/** What is asked for each item of a list is many values: outside only the list can be read. */
function parts(context: LintContext): Finding[] {
  const { items } = context.model.repeats;
  return context.places.flatMap(({ step, repeat }) =>
    expressionsOf(step)
      .flatMap(refs)
      .flatMap((path) => {
        const many = items.get(path.split(".")[0] ?? "");
        return !many || many.step === repeat
          ? []
          : [
              found(
                context,
                "slot/one-of-many",
                `"${path}" is asked for each item of "${many.step.slot}": read the list.`,
                step.id,
              ),
            ];
      }),
  );
}

function kinds(context: LintContext): Finding[] {
  const { ast, words } = context;
  return Object.entries(ast.slots).flatMap(([slot, { kind }]) =>
    words.kinds.has(kind)
      ? []
      : [
          found(
            context,
            "slot/unknown-kind",
            `Unknown kind "${kind}" of slot "${slot}".${didYouMean(kind, words.kinds.keys())}`,
          ),
        ],
  );
}

function asked(context: LintContext): Finding[] {
  const { ast, model, places } = context;
  const never = Object.entries(ast.slots).flatMap(([slot, def]) =>
    model.asks.has(slot) || model.repeats.lists.has(slot)
      ? []
      : [
          found(
            context,
            def.optional ? "slot/unused" : "slot/never-asked",
            `Slot "${slot}" is never asked.`,
            undefined,
            def.optional ? "warning" : "error",
          ),
        ],
  );
  const unknown = places.flatMap(({ step }) => {
    const named =
      isAsk(step) || step.t === "repeat"
        ? [step.slot]
        : step.t === "confirm"
          ? [...step.show, ...(step.edit ?? [])]
          : step.t === "subflow"
            ? (step.fills ?? [])
            : [];
    return named.flatMap((slot) =>
      Object.hasOwn(ast.slots, slot)
        ? []
        : [
            found(
              context,
              "slot/unknown",
              `No slot "${slot}".${didYouMean(slot, Object.keys(ast.slots))}`,
              step.id,
            ),
          ],
    );
  });
  return [...never, ...unknown];
}

/** A condition, an input or a `with` may only read slots that are asked before it. */
function order(context: LintContext): Finding[] {
  const { places, ast } = context;
  const known = new Set<string>();
  const brought = new Set(
    places.flatMap(({ step }) => (step.t === "subflow" ? (step.fills ?? []) : [])),
  );
  const findings: Finding[] = [];
  for (const { step } of places) {
    // What another flow may fill is handed to it as far as it was said.
    const own = step.t === "subflow" ? (step.fills ?? []) : [];
    for (const expr of expressionsOf(step))
      for (const path of read(expr, brought)) {
        const head = path.split(".")[0] ?? "";
        if (own.includes(head)) continue;
        if (Object.hasOwn(ast.slots, head) && !known.has(head) && context.model.asks.has(head))
          findings.push(
            found(
              context,
              "slot/asked-after-use",
              `"${head}" is read here but asked only later.`,
              step.id,
            ),
          );
      }
    if (isAsk(step)) known.add(step.slot);
  }
  return findings;
}

/**
 * What an expression reads. Whether somebody said already what another flow would bring is a question before it is asked for:
 * then that flow need not begin.
 */
function read(expr: Expr, brought: ReadonlySet<string>): string[] {
  if ("has" in expr && brought.has(expr.has)) return [];
  if ("and" in expr) return expr.and.flatMap((part) => read(part, brought));
  if ("first" in expr)
    return expr.first.flatMap((part, at) => {
      const isAsked = at < expr.first.length - 1 && "ref" in part && brought.has(part.ref);
      return isAsked ? [] : read(part, brought);
    });
  return "not" in expr ? read(expr.not, brought) : refs(expr);
}

function secrets(context: LintContext): Finding[] {
  const { ast, texts } = context;
  return Object.values(texts).flatMap((catalogue) =>
    textsOf(catalogue).flatMap(({ key, text }) =>
      placeholders(text).flatMap(({ ref }) =>
        ast.slots[ref.split(".")[0] ?? ""]?.secret
          ? [
              foundText(
                context,
                "slot/secret-in-text",
                key,
                catalogue.locale,
                `it would show the secret slot "${ref}".`,
              ),
            ]
          : [],
      ),
    ),
  );
}
