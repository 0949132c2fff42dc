/** A second plugin: parcels, told of by a carrier's webhook and asked about in the chat. It uses every hook. */
import {
  type Account,
  type Context,
  defineKind,
  definePipe,
  defineRule,
  type Documents,
  done,
  type LocalSpec,
  type Plugin,
  type Reader,
  refused,
  route,
  z,
} from "prosa/plugin";

const CODE = /\bPX\d{6}\b/i;
const DAY_MS = 86_400_000;

const Parcel = z.object({
  account: z.string(),
  code: z.string(),
  state: z.enum(["stored", "out", "delivered", "lost"]),
  /** Virtual ms. */
  at: z.number(),
  /** Who asked about it. */
  contact: z.string().optional(),
});
type Parcel = z.output<typeof Parcel>;

/** The parcels of one worker. */
class Parcels {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async find(account: string, code: string): Promise<Parcel | undefined> {
    const kept = await this.#context.store.documents.get("parcels", `${account}.${code}`);
    return kept ? Parcel.parse(kept.value) : undefined;
  }

  async keep(parcel: Parcel): Promise<void> {
    await this.#context.store.documents.put("parcels", `${parcel.account}.${parcel.code}`, parcel);
  }

  async drop({ account, code }: Parcel): Promise<void> {
    await this.#context.store.documents.remove("parcels", `${account}.${code}`);
  }

  async all(account: string): Promise<readonly Parcel[]> {
    const page = await this.#context.store.documents.list("parcels", { limit: 1_000 });
    return page.items
      .map(({ value }) => Parcel.parse(value))
      .filter((one) => one.account === account);
  }

  async of(account: string, contacts: ReadonlySet<string>): Promise<readonly Parcel[]> {
    return (await this.all(account)).filter(({ contact = "" }) => contacts.has(contact));
  }
}
const parcelsOf = (context: Context): Parcels => context.use((one) => new Parcels(one));

type Settings = Account & { readonly carrier: string; readonly policy: { lateDays: number } };
const settingsOf = (account: Account): Settings => account as Settings;

const parcel = defineKind("parcel", {
  version: 1,
  schema: () => z.string().regex(CODE),
  read(text) {
    const code = CODE.exec(text)?.[0].toUpperCase();
    return code === undefined
      ? { ok: false, reason: "absent" }
      : { ok: true, value: code, echo: code };
  },
  names: ["pacote", "parcel"],
  samples: ["PX123456"],
});

const reader: Reader = {
  name: "deliveries",
  roles: { "track-parcel": { fills: true } },
  words: { "pt-BR": { things: ["pacote", "pacotes"] }, en: { things: ["parcel", "parcels"] } },
  opens(text, { flows }) {
    const flow = flows.get("track-parcel");
    const code = CODE.exec(text)?.[0].toUpperCase();
    if (flow === undefined || code === undefined) return undefined;
    return { begins: true, wanted: { flow, prefill: { parcel: code }, isAsked: true } };
  },
};

const Asked = z.object({ code: z.string() });
const track: LocalSpec<typeof Asked> = {
  name: "deliveries.track",
  class: "replace",
  version: 1,
  input: Asked,
  result: ["state", "carrier"],
  async perform({ context, account, begun }, { code }) {
    const found = await parcelsOf(context).find(account.id, code);
    if (!found) return refused("unknown", code);
    await parcelsOf(context).keep({ ...found, contact: begun.contact });
    context.counted?.("deliveries_asked_total", { state: found.state });
    return done({ state: found.state, carrier: settingsOf(account).carrier });
  },
};

const documents: Documents = {
  name: "parcels",
  async forgetOld(context, account) {
    const end = context.clock.now() - 90 * DAY_MS;
    const old = (await parcelsOf(context).all(account.id)).filter(({ at }) => at < end);
    for (const one of old) await parcelsOf(context).drop(one);
    return { count: old.length };
  },
  async forgetPerson(context, account, { contacts }) {
    for (const { contact: _contact, ...rest } of await parcelsOf(context).of(account, contacts))
      await parcelsOf(context).keep(rest);
  },
  exported: async (context, account, contacts) => ({
    parcels: (await parcelsOf(context).of(account.id, contacts)).map(({ code }) => code),
  }),
  overview: {
    names: ["parcels"],
    of: async (context, account, { contacts }) => ({
      parcels: (await parcelsOf(context).of(account.id, contacts)).length,
    }),
  },
};

async function tellLate(context: Context): Promise<number> {
  let count = 0;
  for (const id of await context.accounts.ids()) {
    const account = await context.accounts.get(id);
    if (!account) continue;
    const { lateDays } = settingsOf(account).policy;
    for (const one of await parcelsOf(context).all(id)) {
      if (one.state !== "out" || context.clock.now() - one.at < lateDays * DAY_MS) continue;
      const message = `The parcel ${one.code} is out for more than ${lateDays} days.`;
      const about = { account: id, subject: one.code };
      context.alarms.raise({ code: "parcel.late", message, ...about, vars: { code: one.code } });
      count++;
    }
  }
  return count;
}

const Told = Parcel.pick({ code: true, state: true });

export function deliveries(): Plugin {
  return {
    name: "deliveries",
    kinds: [parcel],
    rules: [defineRule("isOnItsWay", { version: 1, run: (state) => state === "out" })],
    pipes: [
      definePipe("spaced", (value) =>
        (typeof value === "string" ? value : "").replace(/(\d{3})(?=\d)/g, "$1 "),
      ),
    ],
    texts: {
      "pt-BR": {
        say: { "parcel-late": "O pacote {{code}} está atrasado." },
        bad: { parcel: { default: "Qual o código? Ex.: PX123456" } },
      },
      en: {
        say: { "parcel-late": "The parcel {{code}} is late." },
        bad: { parcel: { default: "Which code? E.g. PX123456" } },
      },
    },
    readers: [reader],
    account: {
      fields: {
        carrier: z.string().default("Rápido"),
        deliveriesToken: z.string().min(24).optional(),
      },
      policy: { lateDays: z.number().int().positive().default(3) },
      tokens: { deliveries: "deliveriesToken" },
      view: (account) => ({ carrier: settingsOf(account).carrier }),
      paths: { carrier: "text", "policy.lateDays": "number" },
    },
    effects: [track],
    events: [{ name: "parcel.moved", data: ["code", "state"] }],
    decisions: {
      obstacle: async (_context, { reason }) =>
        reason === "customs" ? "Customs has it: decide once it is back." : undefined,
    },
    documents: [documents],
    metrics: [
      { name: "deliveries_asked_total", help: "Parcels asked about, by state", labels: ["state"] },
    ],
    panels: new URL("./panels.tsx", import.meta.url),
    commands: [
      {
        name: "parcels",
        usage: "parcels list",
        summary: "Parcels of the demo business.",
        run: ({ api }) => api.get("/api/parcels/demo"),
      },
    ],
    rehearsal: {
      headers: {
        async parcel(rest, { context, account }) {
          const [code, state] = rest.split(" ");
          const at = context.clock.now();
          await parcelsOf(context).keep(Parcel.parse({ account: account.id, code, state, at }));
        },
      },
      does: ["deliveries.track"],
    },
    chores: [{ name: "parcels that are late", run: tellLate }],
    alarms: { "parcel.late": { key: "parcel-late" } },
    routes: (context) => [
      route({
        method: "GET",
        path: "/parcels/:account",
        summary: "Parcels of a business.",
        params: z.object({ account: z.string() }),
        handle: async ({ params }) => ({
          items: (await parcelsOf(context).all(params.account)).map(({ code, state, contact }) => ({
            code,
            state,
            isAsked: contact !== undefined,
          })),
        }),
      }),
    ],
    pages: (context) => async (app) => {
      app.get<{ Params: { account: string; code: string } }>(
        "/parcels/:account/:code",
        async ({ params }, reply) => {
          const found = await parcelsOf(context).find(params.account, params.code);
          return reply.code(found ? 200 : 404).send(found?.state ?? "unknown");
        },
      );
    },
    webhooks: (context) => ({
      async deliveries(account, body) {
        const { code, state } = Told.parse(body);
        const known = await parcelsOf(context).find(account.id, code);
        const now = { account: account.id, code, state, at: context.clock.now() };
        await parcelsOf(context).keep({ ...known, ...now });
      },
    }),
  };
}
