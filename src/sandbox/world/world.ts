/** Everything one run of the sandbox knows, from one reset to the next. */
import { AddressBook } from "../http/address.ts";
import { Billing } from "./billing.ts";
import { DEMO_DEVICE } from "../http/callers.ts";
import type { VirtualClock } from "./clock.ts";
import type { Courier } from "../http/loopback.ts";
import { Subscriptions, subscriptionsAsNew } from "../webhooks/subscriptions.ts";
import { Faults } from "../controls/faults.ts";
import { type Feed, Requests } from "../controls/feed.ts";
import { Groups } from "../groups/groups.ts";
import { Ids } from "./ids.ts";
import { Instances } from "../phone/instances.ts";
import { Invoices } from "../invoicing/invoices.ts";
import { Issuers, demoIssuer } from "../invoicing/issuers.ts";
import { Jobs } from "./jobs.ts";
import { Labels } from "../chats/chat-book.ts";
import { Messages } from "../messages/messages.ts";
import { Pictures, Profiles } from "../phone/profiles.ts";
import { SETTINGS_AS_NEW, type Settings } from "../controls/settings.ts";
import { Webhooks } from "../webhooks/webhooks.ts";

/** Path token of the demo account, on every channel. Public: it opens nothing outside this machine. */
export const DEMO_TOKEN = "demo0000000000000000000000000000";

/** Key of engine A's signature in the demo account. Public, as the token. */
export const DEMO_SECRET = "demo-secret";

/** What a world is made with. */
interface WorldParts {
  readonly seed: string;
  readonly epoch: number;
  readonly clock: VirtualClock;
  readonly feed: Feed;
  readonly courier: Courier;
  /** The bot's address. */
  readonly botUrl: string;
  /** Own address, as links in answers name it. */
  readonly origin: string;
  /** Told of faults of our own. */
  readonly onError: (error: unknown) => void;
}

export interface World extends WorldParts {
  readonly ids: Ids;
  readonly settings: Settings;
  readonly book: AddressBook;
  readonly billing: Billing;
  readonly faults: Faults;
  readonly subscriptions: Subscriptions;
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
}

/** A new world: demo issuer with a valid certificate, open instances, the demo's subscriptions, no faults. */
export function createWorld(parts: WorldParts): World {
  const { seed, epoch, clock, feed, botUrl } = parts;
  const ids = new Ids(seed, epoch);
  const settings = structuredClone(SETTINGS_AS_NEW);
  const subscriptions = new Subscriptions(
    subscriptionsAsNew(botUrl, DEMO_DEVICE, DEMO_TOKEN, DEMO_SECRET),
  );
  return {
    ...parts,
    ids,
    settings,
    book: new AddressBook(seed),
    billing: new Billing(),
    faults: new Faults(seed),
    subscriptions,
    webhooks: new Webhooks({ ...parts, ids, settings, subscriptions }),
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
  };
}
