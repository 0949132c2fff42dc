/** Everything one run of the sandbox knows, from one reset to the next. */
import { AddressBook } from "../http/address.ts";
import { Billing } from "../billing/billing.ts";
import { DEMO_DEVICE } from "../http/callers.ts";
import type { VirtualClock } from "./clock.ts";
import type { Courier } from "../webhooks/courier.ts";
import { DELIVERY_AS_NEW, subscriptionsAsNew } from "../webhooks/delivery-settings.ts";
import { Faults } from "../controls/faults.ts";
import type { Feed } from "../controls/feed.ts";
import { Groups } from "../groups/groups.ts";
import { Ids } from "./ids.ts";
import { Instances } from "../phone/instances.ts";
import { Invoices } from "../invoicing/invoices.ts";
import { Issuers, demoIssuer } from "../invoicing/issuers.ts";
import { Jobs } from "../queue/jobs.ts";
import { Labels } from "../chats/label-book.ts";
import { Messages } from "../messages/messages.ts";
import { Pictures } from "../phone/pictures.ts";
import { Profiles } from "../phone/profiles.ts";
import { Requests } from "../http/requests.ts";
import {
  ANSWERS_AS_NEW,
  type AnswerSettings,
  INVOICING_AS_NEW,
  type InvoicingSettings,
  QUEUE_AS_NEW,
  type QueueSettings,
} from "../controls/settings.ts";
import { Webhooks } from "../webhooks/webhooks.ts";

/** Path token of the demo account, on every channel. Public: it opens nothing outside this machine. */
export const DEMO_TOKEN = "demo0000000000000000000000000000";

/** Key of engine A's signature in the demo account. Public, as the token. */
export const DEMO_SECRET = "demo-secret";

export interface World {
  readonly epoch: number;
  readonly ids: Ids;
  readonly clock: VirtualClock;
  readonly feed: Feed;
  readonly courier: Courier;
  readonly book: AddressBook;
  readonly billing: Billing;
  readonly faults: Faults;
  readonly webhooks: Webhooks;
  readonly requests: Requests;
  readonly messages: Messages;
  readonly instances: Instances;
  readonly profiles: Profiles;
  readonly groups: Groups;
  readonly labels: Labels;
  readonly pictures: Pictures;
  readonly jobs: Jobs;
  readonly issuers: Issuers;
  readonly invoices: Invoices;
  invoicing: InvoicingSettings;
  queue: QueueSettings;
  answers: AnswerSettings;
  /** Told of faults of our own. */
  readonly onError: (error: unknown) => void;
  /** Own address, as links in answers name it. */
  readonly origin: string;
  /** The bot's address. */
  readonly botUrl: string;
}

export interface WorldParts {
  readonly seed: string;
  readonly epoch: number;
  readonly clock: VirtualClock;
  readonly feed: Feed;
  readonly courier: Courier;
  readonly botUrl: string;
  readonly origin: string;
  readonly onError: (error: unknown) => void;
}

/** A new world: demo issuer with a valid certificate, open instances, the demo's subscriptions, no faults. */
export function createWorld(parts: WorldParts): World {
  const { seed, epoch, clock, feed, courier, botUrl, origin, onError } = parts;
  const ids = new Ids(seed, epoch);
  const webhooks = new Webhooks(
    {
      ids,
      courier,
      iso: () => clock.iso(),
      now: () => clock.now(),
      onChange: (row) =>
        feed.tell("webhook", () => ({ ...row, attempts: row.attempts.map((one) => ({ ...one })) })),
    },
    DELIVERY_AS_NEW,
    subscriptionsAsNew(botUrl, DEMO_DEVICE, DEMO_TOKEN, DEMO_SECRET),
  );
  return {
    epoch,
    ids,
    clock,
    feed,
    courier,
    book: new AddressBook(seed),
    billing: new Billing(),
    faults: new Faults(seed),
    webhooks,
    requests: new Requests(feed),
    messages: new Messages(),
    instances: new Instances(ids),
    profiles: new Profiles(),
    groups: new Groups(ids),
    labels: new Labels(),
    pictures: new Pictures(ids),
    jobs: new Jobs(),
    issuers: new Issuers([demoIssuer(`${botUrl}/webhooks/invoicing/${DEMO_TOKEN}`, clock.now())]),
    invoices: new Invoices(epoch),
    invoicing: INVOICING_AS_NEW,
    queue: QUEUE_AS_NEW,
    answers: ANSWERS_AS_NEW,
    onError,
    origin,
    botUrl,
  };
}
