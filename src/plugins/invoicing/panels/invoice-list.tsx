/** The list of invoices: the sandbox's, or the bot's own records against a real gateway. Newest first. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { ConsoleKit, Panel } from "prosa/plugin";
import { type InvoiceRow, invoiceRow, maskDocument } from "./invoices.ts";

/** Rows drawn of the list. */
const SHOWN = 100;

/** How a status is coloured; others are grey. */
const TONES: Readonly<Record<string, "good" | "warn" | "bad">> = {
  enviando: "warn",
  incerta: "warn",
  processando: "warn",
  autorizada: "good",
  rejeitada: "bad",
  cancelada: "bad",
};

export function invoiceList(kit: ConsoleKit): Panel {
  const { t, told, get, sandbox } = kit;
  const { dayAndTime, money } = kit.format;
  const { CopyButton, Empty, ToWaiting } = kit.pieces;
  const invoices = signal<readonly unknown[]>([]);

  function Card({ row }: { row: InvoiceRow }): JSX.Element {
    return (
      <article class="card invoice">
        <header>
          <h3>
            {row.number === ""
              ? t("invoices.unnumbered")
              : t("invoices.number", { number: row.number })}
          </h3>
          <span class={`pill ${TONES[row.status] ?? ""}`}>
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
        {row.at !== undefined && (
          <p class="muted small">{dayAndTime(new Date(row.at).getTime())}</p>
        )}
      </article>
    );
  }

  function View(): JSX.Element {
    const rows = invoices.value.map(invoiceRow).reverse();
    if (rows.length === 0)
      return (
        <Empty icon="receipt" title={t("invoices.none.title")}>
          <p>{t("invoices.none.body")}</p>
          <ToWaiting />
        </Empty>
      );
    return (
      <div class="stack">
        <ToWaiting />
        <p class="list-head">{t("invoices.total", { count: rows.length })}</p>
        {rows.slice(0, SHOWN).map((row) => (
          <Card key={row.id} row={row} />
        ))}
      </div>
    );
  }

  return {
    id: "invoices",
    title: "invoices.title",
    count: () => invoices.value.length,
    load: async () => {
      invoices.value = sandbox.value
        ? await get<unknown[]>("/sandbox/invoices")
        : (await get<{ items: unknown[] }>("/invoices")).items;
    },
    View,
  };
}
