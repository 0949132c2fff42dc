import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { Tickets } from "../../src/plugins/invoicing/certificates/tickets.ts";
import { fileByCode, openFileLink, fileOf, putFile } from "../../src/worker/context/files.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { bot, HEARING, pass, writes, type Bot } from "./bot.ts";
import { ISSUER, OPERATOR, rig, type Rig } from "./rig.ts";

const { library } = await loadFlows();
/** A person whose words are looked for wherever they might still be. */
const NAME = "Zuleica Abrantes";

/** Somebody new in each test: the stores outlive them. */
let people = 0;
const somebody = () => `55119876600${String(++people).padStart(2, "0")}`;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

interface Scene {
  readonly it: Rig;
  readonly on: Bot;
  /** Copies that were sent. */
  readonly files: readonly string[];
  /** A person writes one line after the other; answers the last bubbles. */
  readonly says: (phone: string, ...texts: string[]) => Promise<readonly string[]>;
}

async function scene(store: "redis" | "embedded"): Promise<Scene> {
  const it = await rig({
    library,
    account: HEARING,
    ...(store === "redis" ? { redisUrl: redis.url } : {}),
  });
  const files: string[] = [];
  // What a file holds is looked at on its way out: the sandbox keeps its beginning only.
  const spied: (...given: Parameters<typeof it.gateway.call>) => unknown = (route, body, given) => {
    const { fileName, media } = (body ?? {}) as { fileName?: string; media?: string };
    if (fileName === "meus-dados.json") files.push(Buffer.from(media ?? "", "base64").toString());
    return it.gateway.call(route, body, given);
  };
  const call: unknown = Object.assign(spied, it.gateway.call);
  const on = bot(it, {
    gatewayFor: () => ({ ...it.gateway, call: call as typeof it.gateway.call }),
  });
  await on.up();
  return {
    ...{ it, on, files },
    async says(phone, ...texts) {
      let before = 0;
      for (const text of texts) {
        before = (await it.received(phone)).length;
        await writes(it, phone, text);
        await on.hear();
        // Free text waits a second for more, and an erasure counts by the second.
        await pass(it, 2 / 3_600);
        await on.hear();
      }
      return (await it.received(phone)).slice(before);
    },
  };
}

async function ends({ it, on }: Scene): Promise<void> {
  await on.down();
  await it.close();
}

const FORM = ["oi", "1", "1", "529.982.247-25", NAME, "150", "corte de cabelo", "hoje"] as const;

describe.each(["embedded", "redis"] as const)("a person's rights on the %s store", (store) => {
  test("everything is erased in the middle of a form, the request taken back, and who writes again is new", async () => {
    const customer = somebody();
    const town = await scene(store);
    const { it, says } = town;
    try {
      await says(customer, ...FORM, "EMITIR");
      const before = await it.contact(customer);
      expect((await it.received(OPERATOR)).at(-1)).toContain(NAME);

      const [asked = ""] = await says(customer, "apagar meus dados");
      expect(asked).toContain("pelo menos 5 anos");
      expect(await it.store.views.session("demo", before)).not.toBeNull();
      await says(customer, "1");
      expect((await it.received(customer)).at(-1)).toContain("do zero");
      expect((await it.received(OPERATOR)).at(-1)).toContain("cancelado");

      expect(await it.store.views.session("demo", before)).toBeNull();
      expect(await it.store.views.journal("demo", before, 100)).toEqual([]);
      expect(await it.store.views.effects({ account: "demo", contact: before, limit: 10 })).toEqual(
        [],
      );
      expect(await it.store.contacts.lookup("demo", `phone:${customer}`)).toBeNull();

      const [hello = ""] = await says(customer, "oi");
      expect(hello).toContain("atendimento automático");
      expect(hello).not.toContain(NAME);
      expect(await it.contact(customer)).not.toBe(before);
    } finally {
      await ends(town);
    }
  });

  test("an issued note stays when its person is erased, and a copy of everything is one file before", async () => {
    const customer = somebody();
    const town = await scene(store);
    const { it, on, files, says } = town;
    try {
      await says(customer, ...FORM, "EMITIR");
      // By its code: another request was withdrawn a moment ago, where both tests share a store.
      const [, named] =
        /Pedido \*([A-Z]\d)\*/.exec((await it.received(OPERATOR)).at(-1) ?? "") ?? [];
      await says(OPERATOR, `aprovar ${named}`);
      expect((await it.received(customer)).at(-1)).toContain("emitida");
      const [note] = (await on.worker.invoices.list("demo", { limit: 5 })).items;
      expect(note).toMatchObject({ state: "autorizada", issuer: { emitente_id: ISSUER } });

      const kept = await says(customer, "meus dados");
      expect(kept.at(-1)).toMatch(/11\/2026 · R\$ 150,00/);
      expect(kept.at(-1)).not.toContain(customer);
      await says(customer, "1");
      const sent = (await it.list("messages")).filter(
        ({ route }) => (route as unknown as string) === "message.sendMedia",
      );
      expect(sent).toHaveLength(1);
      const file = files.at(-1) ?? "";
      expect(file).toContain(NAME);
      expect(JSON.parse(file)).toMatchObject({
        pessoa: { idioma: "pt-BR" },
        notas: [{ situacao: "autorizada", valor_centavos: 15_000 }],
      });

      const contact = await it.contact(customer);
      const { store } = it;
      const bytes = Buffer.from("a");
      const sheet = { mimetype: "text/csv", fileName: "a.csv", bytes };
      const file2 = await putFile(
        { store, clock: it.clock },
        { ...sheet, account: "demo", contact },
      );
      const tickets = new Tickets(store);
      const brought = {
        issuer: ISSUER,
        certificado: "x",
        senha: "x",
        holder: "x",
        until: "2027-01-01",
      };
      // Addresses that somebody may still have open in a browser.
      const until = it.clock.now() + 60_000;
      const hashed = (text: string) => createHash("sha256").update(text).digest("hex");
      const code = await openFileLink(
        { store, clock: it.clock, keys: { hash: hashed } },
        { account: "demo", contact, file: file2?.file ?? "", until },
      );
      expect(await fileByCode(it, code, "look")).not.toBeNull();
      const page = { account: "demo", contact, issuer: ISSUER, locale: "pt-BR" } as const;
      const upload = await on.worker.certificates.link(page);
      expect(await on.worker.certificates.page(upload.code)).not.toBeNull();
      await tickets.keep("t", { ...brought, account: "demo", contact, at: it.clock.now() });
      expect(await on.worker.invoices.customers.ofDocument("demo", "52998224725")).not.toBeNull();

      await says(customer, "apagar meus dados", "sim");
      expect(await on.worker.invoices.customers.ofDocument("demo", "52998224725")).toBeNull();
      expect(await tickets.get("t")).toBeNull();
      expect(await fileOf(it, "demo", file2?.file ?? "")).toBeNull();
      expect(await fileByCode(it, code, "look")).toBeNull();
      expect(JSON.stringify(await it.store.documents.list("file-links"))).not.toContain(contact);
      expect(await on.worker.certificates.page(upload.code)).toBeNull();
      const { items } = await on.worker.invoices.list("demo", { limit: 5 });
      expect(items).toEqual([note]);
    } finally {
      await ends(town);
    }
  });
});

test("nothing is erased while a note is on its way", async () => {
  const customer = somebody();
  const town = await scene("embedded");
  const { it, says } = town;
  try {
    await says(customer, ...FORM, "EMITIR");
    const lost = { kind: "accepted_then_lost" };
    await it.fault({ route: "invoicing.nfseEnvio", effect: lost, times: 1 });
    await says(OPERATOR, "aprovar");
    const [answer = ""] = await says(customer, "apagar meus dados", "1");
    expect(answer).toContain("sendo emitida");
    expect(await it.store.views.session("demo", await it.contact(customer))).not.toBeNull();
  } finally {
    await ends(town);
  }
});
