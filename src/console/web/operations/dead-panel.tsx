/** The list of dead letters: why, since when, whose; released, dropped with a reason, or taken out as a file. */
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { Field } from "./sends-panel.tsx";
import { Icon } from "../icons.tsx";
import { Empty, Entry, SureButton } from "../pieces.tsx";
import { second } from "../data/store.ts";
import { t, told, dayAndTime, span } from "../texts/index.ts";
import { signal } from "@preact/signals";
import { attempt, notify } from "../data/actions.ts";
import { get, post } from "../data/http.ts";

function Decide({ letter }: { letter: DeadLetter }): JSX.Element {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const missing = asked && reason.trim() === "";
  return (
    <div class="stack">
      <div class="row">
        <button type="button" class="button" onClick={() => void releaseLetter(letter.id)}>
          <Icon name="reset" size={16} />
          {t("dead.release")}
        </button>
      </div>
      <Field
        {...{ name: "reason", value: reason, most: 500, put: setReason }}
        label={t("dead.reason")}
        error={missing ? t("dead.reason.missing") : undefined}
      />
      <SureButton
        label={t("dead.drop")}
        sure={t("dead.drop.sure")}
        icon="trash"
        act={() => {
          setAsked(true);
          if (reason.trim() !== "") void dropLetter(letter.id, reason.trim());
        }}
      />
    </div>
  );
}

function Letter({ letter }: { letter: DeadLetter }): JSX.Element {
  const kind = (letter.mail as { kind?: unknown } | null)?.kind;
  const what = typeof kind === "string" ? kind : "other";
  const time = span(Math.max(0, second.value - letter.at));
  return (
    <Entry
      mark={<Icon name="warn" size={16} />}
      title={told(`dead.why.${letter.reason}`, letter.reason)}
      sub={[told(`mail.${what}`, what), t("dead.age", { time }), letter.account].join(" · ")}
    >
      <p class="muted small">{dayAndTime(letter.at)}</p>
      <pre tabIndex={0} aria-label={t("dead.mail")}>
        {JSON.stringify(letter.mail, null, 2)}
      </pre>
      <Decide letter={letter} />
    </Entry>
  );
}

export function DeadPanel(): JSX.Element {
  const { items, next } = dead.value;
  if (items.length === 0)
    return (
      <Empty icon="check" title={t("dead.none.title")}>
        <p>{t("dead.none.body")}</p>
      </Empty>
    );
  return (
    <div class="entries">
      <p class="list-head">
        {t(next === undefined ? "dead.total" : "dead.more", { count: items.length })}
      </p>
      <div class="row">
        <button type="button" class="button" onClick={() => void exportLetters()}>
          <Icon name="file" size={16} />
          {t("dead.export")}
        </button>
      </div>
      {items.map((letter) => (
        <Letter key={letter.id} letter={letter} />
      ))}
    </div>
  );
}

/** People's numbers and documents come masked: nothing here asks to reveal them. */
interface DeadLetter {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly event: string;
  readonly reason: string;
  readonly at: number;
  readonly mail: unknown;
}

interface Page {
  readonly items: readonly DeadLetter[];
  readonly next?: string;
}

/** Letters drawn; with more of them the count ends in a plus. */
const SHOWN = 100;
/** Letters asked for at once by an export. */
const EXPORTED = 500;

export const dead = signal<Page>({ items: [] });

export async function loadDead(): Promise<void> {
  try {
    dead.value = await get<Page>(`/dead?limit=${SHOWN}`);
  } catch {
    // The next poll asks again; the stream says when the server is away.
  }
}

const pathOf = (id: string): string => `/dead/${encodeURIComponent(id)}`;

function releaseLetter(id: string): Promise<boolean> {
  return decide(async () => {
    await post(`${pathOf(id)}/release`);
    notify(t("dead.released"));
  });
}

/** `reason` is kept in the audit. */
function dropLetter(id: string, reason: string): Promise<boolean> {
  return decide(async () => {
    await post(`${pathOf(id)}/drop`, { reason });
    notify(t("dead.dropped"));
  });
}

/** Also after a refusal: somebody else may have decided. */
async function decide(action: () => Promise<void>): Promise<boolean> {
  const done = await attempt(action);
  await loadDead();
  return done;
}

/** All of them as a file, one JSON object a line, as `prosa dead export` writes it. */
function exportLetters(): Promise<boolean> {
  return attempt(async () => {
    const lines: string[] = [];
    let after: string | undefined;
    do {
      const more: string = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
      const page: Page = await get<Page>(`/dead?limit=${EXPORTED}${more}`);
      for (const item of page.items) lines.push(`${JSON.stringify(item)}\n`);
      after = page.next;
    } while (after !== undefined);
    const url = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "dead-letters.jsonl";
    link.click();
    URL.revokeObjectURL(url);
  });
}
