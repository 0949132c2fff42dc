/** Sections that plugins add to an account, and the account together with them. */
import type { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import { Account } from "./account.ts";

/** What a path of `account.*` holds: a sort of value, or all texts it can be. */
export type PathValue = "text" | "number" | "yesno" | "list" | "object" | readonly string[];

/**
 * The hook `account` of a plugin: its section of an account's settings.
 *
 *     const deliveries: AccountSection = {
 *       fields: { depots: z.array(z.string()).default([]), deliveryToken: z.string().min(24).optional() },
 *       tokens: { deliveries: "deliveryToken" },
 *       view: (account) => ({ hasDepot: (account as Account & Depots).depots.length > 0 }),
 *       paths: { hasDepot: "yesno" },
 *     };
 *
 * Every field has a default or is optional, so that accounts made before the plugin can be read.
 */
export interface AccountSection {
  /** Fields of the account itself. They are stored, shown and changed like the runtime's own. */
  readonly fields?: z.ZodRawShape;
  /** Fields of `policy`. Flows read them as `$.account.policy.*`. */
  readonly policy?: z.ZodRawShape;
  /** Fields of `retention`. Flows read them as `$.account.retention.*`. */
  readonly retention?: z.ZodRawShape;
  /**
   * Path tokens of the plugin's webhooks: the webhook's name, and the field of `fields` that holds its token. A token leads
   * to its account, is unique, can be renewed, and is never shown but in the webhook's address.
   */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Fields of `fields` that are written and never shown: the operator API says only whether one is set. */
  readonly secrets?: readonly string[];
  /** What flows read as `$.account.*` beside `policy` and `retention`: plain JSON, no secret. */
  readonly view?: (account: Account) => JsonObject;
  /** The paths below `account` that flows may read of this section, for the checks of flows. */
  readonly paths?: Readonly<Record<string, PathValue>>;
  /** The zone of the days people speak of ("hoje", a month), where it is another than the account's own. */
  readonly zone?: (account: Account) => string | undefined;
  /** What this account changes of the gateway's profile. */
  readonly profile?: (account: Account) => JsonObject;
  /** Why an account must not be stored so: a sentence that says what to do. `change` holds what somebody wrote. */
  readonly refusal?: (account: Account, change: JsonObject) => string | undefined;
  /** What the demo account has of these fields; the whole account is parsed with them. */
  readonly demo?: JsonObject;
}

/** Accounts as they are with the sections of all plugins: made once, at the start. */
export interface AccountModel {
  /** Knows every field. Its type tells of the runtime's alone: a plugin reads its own through an accessor of its own. */
  readonly schema: typeof Account;
  /** Path tokens of plugins' webhooks: the webhook's name, and the field of the account. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Top fields that are never shown, those of tokens among them. */
  readonly secrets: ReadonlySet<string>;
  readonly paths: Readonly<Record<string, PathValue>>;
  readonly demo: JsonObject;
  /** What flows may read as `account.*`: no token, no alias of anybody but the operators a notice goes to. */
  view(account: Account): JsonObject;
  /** Where the day begins and ends for what people say. Business hours and reports go by the account's own zone. */
  dayZone(account: Account): string;
  profile(account: Account): JsonObject;
  refusal(account: Account, change: JsonObject): string | undefined;
  /** A top field that holds text, whoever's it is. */
  text(account: Account, field: string): string | undefined;
}

/** Throws where two plugins, or a plugin and the runtime, claim one name; the sentence names both. */
export function accountModel(
  plugins: readonly { readonly name: string; readonly account?: AccountSection }[],
): AccountModel {
  const claims = new Claims();
  const sections = plugins.flatMap(({ name, account }) => (account ? [{ name, account }] : []));
  const { policy, retention } = Account.shape;
  claims.take("the runtime", "", Object.keys(Account.shape));
  claims.take("the runtime", "policy.", Object.keys(policy.unwrap().shape));
  claims.take("the runtime", "retention.", Object.keys(retention.unwrap().shape));
  for (const { name, account } of sections) {
    claims.take(name, "", Object.keys(account.fields ?? {}));
    claims.take(name, "policy.", Object.keys(account.policy ?? {}));
    claims.take(name, "retention.", Object.keys(account.retention ?? {}));
    claims.take(name, "webhook ", Object.keys(account.tokens ?? {}));
  }
  const all = sections.map(({ account }) => account);
  const schema = Account.extend({
    ...joined(all.map(({ fields }) => fields)),
    policy: policy
      .unwrap()
      .extend(joined(all.map((one) => one.policy)))
      .prefault({}),
    retention: retention
      .unwrap()
      .extend(joined(all.map((one) => one.retention)))
      .prefault({}),
  });
  const tokens = new Map(all.flatMap((one) => Object.entries(one.tokens ?? {})));
  return {
    // The composed one takes and gives all that the runtime's own does.
    schema: schema as unknown as typeof Account,
    tokens,
    secrets: new Set([...tokens.values(), ...all.flatMap(({ secrets = [] }) => secrets)]),
    paths: joined(all.map(({ paths }) => paths)),
    demo: joined(all.map(({ demo }) => demo)),
    view: (account) => ({ ...ownView(account), ...joined(all.map(({ view }) => view?.(account))) }),
    dayZone: (account) => firstOf(all, ({ zone }) => zone?.(account)) ?? account.zone,
    profile: (account) => joined(all.map(({ profile }) => profile?.(account))),
    refusal: (account, change) => firstOf(all, ({ refusal }) => refusal?.(account, change)),
    text(account, field) {
      const value: unknown = Object.entries(account).find(([name]) => name === field)?.[1];
      return typeof value === "string" ? value : undefined;
    },
  };
}

/** Who has which name. */
class Claims {
  readonly #owners = new Map<string, string>();

  take(owner: string, place: string, names: readonly string[]): void {
    for (const name of names) {
      const known = this.#owners.get(place + name);
      if (known !== undefined)
        throw new Error(
          `The plugin ${owner} adds ${place}${name} to accounts, as ${known} does: rename it in one of them.`,
        );
      this.#owners.set(place + name, owner);
    }
  }
}

/** Their names are apart. */
function joined<T>(
  parts: readonly (Readonly<Record<string, T>> | undefined)[],
): Readonly<Record<string, T>> {
  return Object.assign({}, ...parts) as Readonly<Record<string, T>>;
}

function firstOf<T>(
  sections: readonly AccountSection[],
  ask: (section: AccountSection) => T | undefined,
): T | undefined {
  for (const section of sections) {
    const answer = ask(section);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function ownView(account: Account): JsonObject {
  return {
    id: account.id,
    name: account.name,
    zone: account.zone,
    policy: { ...account.policy },
    retention: { ...account.retention },
    operators: account.operators.map((operator) => operator.alias),
    ...(account.hours ? { hours: { ...account.hours } } : {}),
  };
}
