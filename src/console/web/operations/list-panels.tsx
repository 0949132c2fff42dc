/** Two lists of what happened: calls of the gateway, and turns. Newest first. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { CallRow } from "../../panels.ts";
import { callRows, wentWell, type JournalRecord } from "../data/model.ts";
import { Icon, type IconName } from "../icons.tsx";
import { Guard, partsOf } from "../parts.tsx";
import { Empty, Entry } from "../pieces.tsx";
import { calls, journal, requests, turns } from "../data/store.ts";
import { t, told, clockTime, duration, preciseTime } from "../texts/index.ts";

/** Rows drawn of a list. */
const SHOWN = 100;

function Call({ row }: { row: CallRow }): JSX.Element {
  const good = wentWell(row);
  return (
    <Entry
      isGood={good}
      mark={row.status ?? t("calls.lost")}
      title={row.route}
      sub={
        <>
          {preciseTime(row.at)}
          {row.ms !== undefined && ` · ${duration(row.ms)}`}
          {row.outcome !== undefined && ` · ${row.outcome}`}
          {(row.attempt ?? 1) > 1 && ` · ${t("calls.attempt", { count: row.attempt ?? 1 })}`}
        </>
      }
    >
      {partsOf("Call").map(({ plugin, part: Part }) => (
        <Guard key={plugin} plugin={plugin}>
          <Part call={row} />
        </Guard>
      ))}
      <p class="path">
        <strong>{row.method}</strong> {row.path}
      </p>
      {row.body === undefined || row.body === null ? (
        <p class="muted">{t("calls.nobody")}</p>
      ) : (
        <pre tabIndex={0} aria-label={t("calls.body")}>
          {JSON.stringify(row.body, null, 2)}
        </pre>
      )}
    </Entry>
  );
}

export function CallsPanel(): JSX.Element {
  const rows = callRows(calls.value, requests.value);
  if (rows.length === 0)
    return (
      <Empty icon="bolt" title={t("calls.none.title")}>
        <p>{t("calls.none.body")}</p>
      </Empty>
    );
  return (
    <div class="entries">
      <p class="list-head">{t("calls.total", { count: rows.length })}</p>
      {rows.slice(0, SHOWN).map((row) => (
        <Call key={row.key} row={row} />
      ))}
    </div>
  );
}

const MAIL_ICONS: Readonly<Record<string, IconName>> = {
  inbound: "chat",
  tick: "clock",
  result: "bolt",
  request: "receipt",
  answer: "check",
  withdrawn: "close",
  "send-failed": "warn",
  operator: "user",
  parked: "warn",
};

function Moves({ record }: { record: JournalRecord }): JSX.Element | null {
  if (record.moves.length === 0) return null;
  return (
    <ul class="moves">
      {record.moves.map((move, at) => (
        <li key={at}>
          <span class="muted">{move.flow}</span>
          <code>{move.event}</code>
          {!move.handled && <span class="pill warn">{t("log.unhandled")}</span>}
          {(move.from !== undefined || move.to !== undefined) && (
            <span class="move-steps">
              {move.from ?? "•"} → <strong>{move.to ?? "•"}</strong>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function TurnRow({ record }: { record: JournalRecord }): JSX.Element {
  return (
    <li class="turn">
      <span class="turn-icon">
        <Icon name={MAIL_ICONS[record.mail.kind] ?? "chat"} size={15} />
      </span>
      <div class="turn-main">
        <p class="turn-head">
          <strong>{told(`mail.${record.mail.kind}`, record.mail.kind)}</strong>
          <time dateTime={new Date(record.at).toISOString()}>{clockTime(record.at)}</time>
        </p>
        <Moves record={record} />
        {record.said !== undefined && <blockquote>{record.said}</blockquote>}
        {record.quiet !== undefined && (
          <p class="muted">
            {t("log.quiet", { why: told(`quiet.${record.quiet}`, record.quiet) })}
          </p>
        )}
        <details class="raw">
          <summary>
            {t("log.raw")}
            {record.effects.length > 0 && (
              <span class="muted"> · {t("log.effects", { count: record.effects.length })}</span>
            )}
          </summary>
          <pre tabIndex={0}>{JSON.stringify(record, null, 2)}</pre>
        </details>
      </div>
    </li>
  );
}

export function LogPanel(): JSX.Element {
  const all = useSignal(false);
  const rows = all.value ? turns.value.map((turn) => turn.record) : journal.value;
  return (
    <div class="stack">
      <label class="check">
        <input
          type="checkbox"
          checked={all.value}
          onChange={(event) => (all.value = event.currentTarget.checked)}
        />
        {t("log.all")}
      </label>
      {rows.length === 0 ? (
        <Empty icon="list" title={t("log.none.title")}>
          <p>{t("log.none.body")}</p>
        </Empty>
      ) : (
        <ol class="turns">
          {rows
            .slice(-SHOWN)
            .reverse()
            .map((record) => (
              <TurnRow key={`${record.event} ${record.rev} ${record.at}`} record={record} />
            ))}
        </ol>
      )}
    </div>
  );
}
