/** The chart as a nested list: the same facts for keyboards, screen readers and small screens. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { nodeOf, type Marks } from "../../layout/drawing.ts";
import { NODE_GLYPHS } from "../../layout/glyphs.ts";
import type { LaidNode, LaidOut } from "../../layout/laid-out.ts";
import { t } from "../texts/index.ts";

function jump(id: string): void {
  document.getElementById(`step-${id}`)?.focus();
}

function Step(props: {
  laid: LaidOut;
  node: LaidNode;
  live: boolean;
  visited: boolean;
}): JSX.Element {
  const { laid, node, live, visited } = props;
  const labels = new Map(laid.nodes.map((one) => [one.id, one.label]));
  const out = laid.edges.filter((edge) => edge.from === node.id);
  return (
    <li
      id={`step-${node.id}`}
      class={`step${live ? " live" : ""}${visited ? " visited" : ""}`}
      tabIndex={-1}
      aria-current={live ? "step" : undefined}
    >
      <div class="step-head">
        <svg class="step-glyph" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d={NODE_GLYPHS[node.kind]} />
        </svg>
        <span class="step-label">{node.label}</span>
        {live && <span class="pill accent">{t("flow.live")}</span>}
        {visited && !live && <span class="pill">{t("flow.visited")}</span>}
        {node.chips.map((chip) => (
          <span key={chip} class="pill">
            {chip}
          </span>
        ))}
      </div>
      {out.length > 0 && (
        <ul class="step-out" aria-label={t("flow.leads")}>
          {out.map((edge) => (
            <li key={edge.id}>
              <button type="button" class="link" onClick={() => jump(edge.to)}>
                {labels.get(edge.to) ?? edge.to}
              </button>
              {edge.words.length > 0 && (
                <span class="step-why" title={edge.words.join(" · ")}>
                  {edge.words.join(" · ")}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

export function ChartOutline({ laid, marks }: { laid: LaidOut; marks: Marks }): JSX.Element {
  const live = nodeOf(laid, marks.live)?.id;
  const stops = [...(marks.visited ?? []), ...(marks.passed ?? [])];
  const seen = new Set(stops.flatMap((step) => nodeOf(laid, step)?.id ?? []));
  const shown = laid.nodes.filter((node) => node.kind !== "start");
  const step = (node: LaidNode) => (
    <Step
      key={node.id}
      laid={laid}
      node={node}
      live={node.id === live}
      visited={seen.has(node.id)}
    />
  );
  useEffect(() => {
    if (live !== undefined)
      document.getElementById(`step-${live}`)?.scrollIntoView({ block: "nearest" });
  }, [live]);
  const done = new Set<string>();
  return (
    <div class="outline" tabIndex={0} role="region" aria-label={t("flow.outline")}>
      <ol>
        {shown.map((node) => {
          const group = laid.groups.find((one) => one.id === node.group);
          if (!group) return step(node);
          if (done.has(group.id)) return null;
          done.add(group.id);
          return (
            <li key={`group-${group.id}`} class="step-group">
              <p class="step-group-label">{group.label}</p>
              <ol>{shown.filter((one) => one.group === group.id).map(step)}</ol>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
