/**
 * What this process counts. The registry is given, so that other modules count into the same page. Labels are fixed words,
 * never a token, a phone or an id.
 */
import { Counter, Histogram, type Registry } from "prom-client";

export interface ServerMetrics {
  readonly registry: Registry;
  /** Webhook bodies by channel and answer (`stored`, `refused`, `unavailable`). */
  readonly webhooks: Counter<"channel" | "outcome">;
  /** Webhooks that were not taken, by channel (`unknown` where the request names none) and reason. */
  readonly refused: Counter<"channel" | "reason">;
  /** Events by channel, kind and what became of them (`new`, `duplicate`, `dead`, `ours`, `signal`). */
  readonly events: Counter<"channel" | "kind" | "outcome">;
  /** Events of channels that mean nothing to the bot, by reason. */
  readonly ignored: Counter<"channel" | "reason">;
  /** Counts a message of an unknown form, by the name that its engine gives it. */
  readonly form: (channel: string, name: string) => void;
  /** Webhook received → answered, seconds. */
  readonly ingest: Histogram<"channel">;
  readonly requests: Counter<"route" | "method" | "status">;
}

/** Names of forms that are told apart; each is a line of the page for ever. */
const FORMS = 100;

/**
 * A counter by names that strangers write: letters, digits and dashes of the first {@link FORMS} names, "other" after them.
 * A name with a longer number in it may be a phone.
 */
function formCounter(registers: Registry[]): ServerMetrics["form"] {
  const known = new Set<string>();
  const counter = new Counter({
    name: "prosa_unknown_forms_total",
    help: "Messages of forms the bot does not read, by the engine's name of the form",
    labelNames: ["channel", "form"],
    registers,
  });
  return (channel, name) => {
    const isName = /^[A-Za-z][\w-]{0,59}$/.test(name) && !/\d{4}/.test(name);
    if (isName && known.size < FORMS) known.add(name);
    counter.inc({ channel, form: known.has(name) ? name : "other" });
  };
}

/** Fine below 25 ms, where the promise of a webhook's answer lies. Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createServerMetrics(registry: Registry): ServerMetrics {
  const registers = [registry];
  return {
    registry,
    webhooks: new Counter({
      name: "prosa_webhooks_total",
      help: "Webhook bodies received",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    refused: new Counter({
      name: "prosa_webhooks_refused_total",
      help: "Webhooks that were not taken",
      labelNames: ["channel", "reason"],
      registers,
    }),
    events: new Counter({
      name: "prosa_events_total",
      help: "Events read from webhooks",
      labelNames: ["channel", "kind", "outcome"],
      registers,
    }),
    ignored: new Counter({
      name: "prosa_events_ignored_total",
      help: "Events that hold nothing for us",
      labelNames: ["channel", "reason"],
      registers,
    }),
    form: formCounter(registers),
    ingest: new Histogram({
      name: "prosa_webhook_seconds",
      help: "From a webhook's arrival to its answer",
      labelNames: ["channel"],
      buckets: BUCKETS,
      registers,
    }),
    requests: new Counter({
      name: "prosa_http_requests_total",
      help: "HTTP requests answered",
      labelNames: ["route", "method", "status"],
      registers,
    }),
  };
}
