/** Three lists of what happened: calls of the gateway, invoices, turns. Newest first. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { callRows, type CallRow, wentWell } from "./calls.ts";
import { timeOf } from "./chat.ts";
import { clockTime, dayAndTime, duration, money, preciseTime } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { invoiceRow, maskDocument } from "./invoices.ts";
import type { JournalRecord } from "./model.ts";
import { CopyButton, Empty, Entry } from "./pieces.tsx";
import { detail } from "./screen.ts";
import { sendsCount } from "./sends-panel.tsx";
import { calls, invoices, journal, requests, turns } from "./store.ts";
import { t, told } from "./texts/index.ts";

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

/** An alarm may have sent its reader to the notes; decisions about those without an end are a tab further. */
function ToSends(): JSX.Element | null {
  const count = sendsCount.value;
  if (count === 0) return null;
  return (
    <button type="button" class="button wide" onClick={() => (detail.value = "sends")}>
      <Icon name="warn" size={16} />
      {t("sends.link", { count })}
    </button>
  );
}

export function InvoicesPanel(): JSX.Element {
  const rows = invoices.value.map(invoiceRow).reverse();
  if (rows.length === 0)
    return (
      <Empty icon="invoice" title={t("invoices.none.title")}>
        <p>{t("invoices.none.body")}</p>
        <ToSends />
      </Empty>
    );
  return (
    <div class="stack">
      <ToSends />
      <p class="list-head">{t("invoices.total", { count: rows.length })}</p>
      {rows.slice(0, SHOWN).map((row) => (
        <article key={row.id} class="card invoice">
          <header>
            <h3>
              {row.number === ""
                ? t("invoices.unnumbered")
                : t("invoices.number", { number: row.number })}
            </h3>
            <span class={`pill state-${row.status}`}>
              {told(`status.${row.status}`, row.status)}
            </span>
          </header>
          {row.value !== undefined && <p class="invoice-value">{money(row.value)}</p>}
          <p class="invoice-taker">
            {row.taker}
            {row.document !== "" && <span class="muted"> · {maskDocument(row.document)}</span>}
          </p>
          {row.key !== "" && (
            <p class="invoice-key">
              <span class="sr-only">{t("invoices.key")}</span>
              <code>{row.key}</code>
              <CopyButton text={row.key} />
            </p>
          )}
          {row.at !== undefined && <p class="muted small">{dayAndTime(timeOf(row.at))}</p>}
        </article>
      ))}
    </div>
  );
}

const MAIL_ICONS: Readonly<Record<string, IconName>> = {
  inbound: "chat",
  tick: "clock",
  result: "bolt",
  request: "invoice",
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
