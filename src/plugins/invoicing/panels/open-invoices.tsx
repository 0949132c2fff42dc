/** Rows of invoices without an end in the list of what waits for a person. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import type { ConsoleKit, PanelIcon, WaitingPart } from "prosa/plugin";
import {
  accessKey,
  covers,
  decisionsOf,
  invoiceCall,
  type InvoiceDecision,
  isDue,
  type OpenInvoice,
  sinceOf,
} from "./invoices.ts";

const ICONS: Readonly<Record<InvoiceDecision, PanelIcon>> = {
  issued: "check",
  not_issued: "reset",
  abandon: "trash",
};

export function openInvoices(kit: ConsoleKit): WaitingPart {
  const { t, told, now, get, decide } = kit;
  const { dayAndTime, money, span } = kit.format;
  const { Icon, Entry, Field, Decision } = kit.pieces;
  const invoices = signal<readonly OpenInvoice[]>([]);

  function Form({ invoice }: { invoice: OpenInvoice }): JSX.Element {
    const [reason, setReason] = useState("");
    const [chave, setChave] = useState("");
    const [missing, setMissing] = useState<"reason" | "key" | undefined>(undefined);
    const decisions = decisionsOf(invoice);
    const isReasonMissing = missing === "reason" && reason.trim() === "";
    const isKeyMissing = missing === "key" && accessKey(chave) === undefined;
    return (
      <div class="stack">
        <Field
          {...{ name: "reason", value: reason, most: 500, put: setReason }}
          label={t("sends.reason")}
          error={isReasonMissing ? t("sends.reason.missing") : undefined}
        />
        {decisions.includes("issued") && (
          <Field
            {...{ name: "chave", value: chave, most: 80, put: setChave }}
            label={t("sends.key")}
            error={isKeyMissing ? t("sends.key.missing") : undefined}
          />
        )}
        {decisions.map((decision) => (
          <Decision
            key={decision}
            name={decision}
            hint={t(`sends.hint.${decision}`)}
            icon={ICONS[decision]}
            act={() => {
              const key = decision === "issued" ? accessKey(chave) : undefined;
              if (reason.trim() === "") setMissing("reason");
              else if (decision === "issued" && key === undefined) setMissing("key");
              else void decide(invoiceCall(invoice, decision, reason.trim(), key));
            }}
          />
        ))}
      </div>
    );
  }

  function Row({ invoice }: { invoice: OpenInvoice }): JSX.Element {
    const { state, taker, account, cents } = invoice;
    const since = sinceOf(invoice);
    const time = span(Math.max(0, now.value - since));
    return (
      <Entry
        mark={<Icon name="receipt" size={16} />}
        title={t("sends.note", { value: money(cents / 100), name: taker.name })}
        sub={[told(`status.${state}`, state), t("dead.age", { time }), account].join(" · ")}
      >
        <p>{told(`sends.state.${state}`, state)}</p>
        <p class="muted small">
          {taker.document} · {dayAndTime(since)}
        </p>
        <Form invoice={invoice} />
      </Entry>
    );
  }

  return {
    load: async () => {
      invoices.value = (await get<{ items: readonly OpenInvoice[] }>("/invoices?open=1")).items;
    },
    rows: () =>
      invoices.value
        .filter((invoice) => isDue(invoice, now.value))
        .map((invoice) => ({
          key: `${invoice.account} ${invoice.id} ${invoice.rev}`,
          view: <Row invoice={invoice} />,
        })),
    covers: (effect) => covers(invoices.value, effect),
  };
}
