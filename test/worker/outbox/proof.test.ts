/** What is proof enough to end an open note, when the gateway's answer, the issuer's notice or their match is poor. */
import { afterEach, expect, test } from "vitest";
import type { CallOutcome } from "../../../src/gateway/index.ts";
import { revOf } from "../../../src/plugins/invoicing/note/invoice.ts";
import { answering } from "../bot.ts";
import {
  CUSTOMER,
  issue,
  ISSUER,
  OTHER,
  rig,
  textOf,
  type Rig,
  type RigWorker as Worker,
} from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const LOOKUP = "invoicing.nfseConsulta";
const records = async () => (await it.worker.invoices.list("demo", { limit: 9 })).items;
const states = async () => (await records()).map(({ state }) => state);
const notSent: CallOutcome = { kind: "not_sent", reason: "unreachable", ms: 1 };
const noAnswer: CallOutcome = { kind: "unknown", reason: "timeout", ms: 1 };
const says = (data: object): CallOutcome => ({ kind: "ok", data, ms: 1, status: 200 }) as never;
const WITH_VALUE = { valor_servicos: 150 };

/** One note more whose answer was lost. */
async function lost(phone = CUSTOMER, input: object = {}): Promise<void> {
  it ??= await rig();
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
  await it.asks(phone, issue(input));
  await it.worker.drain();
}

/** The one open note; `claim` names it by issuer, value and time only. */
async function one() {
  it = await rig();
  await lost();
  const [record] = await records();
  const key = textOf((await it.list("invoices"))[0]?.["chave"]);
  if (!record) throw new Error("there is no record");
  return { ...record, key, seen: { rev: revOf(record) }, claim: claimOf(record.sentAt ?? 0, key) };
}

function claimOf(sentAt: number, chave: string) {
  return {
    ...{ status: "autorizada", emitente_id: ISSUER, chave, valor_servicos: 150 },
    data_emissao: new Date(sentAt).toISOString(),
  };
}

/** A worker whose lookups of a key the test answers; without an answer they go to the sandbox. */
function asking(answer: () => CallOutcome | undefined) {
  let lookups = 0;
  const gateway = answering(it, (route) => {
    if (route !== LOOKUP) return undefined;
    lookups++;
    return answer();
  });
  const worker = it.again({ gatewayFor: () => gateway });
  return { tell: telling(worker), worker, lookups: () => lookups };
}

const telling = (worker: Worker) => (body: object) =>
  worker.settling.fromWebhook("demo", body as never);

test("a lookup that never left is none of the few a note has, however often that happens", async () => {
  const { key, claim } = await one();
  let answer: CallOutcome | undefined = notSent;
  const { tell, lookups } = asking(() => answer);

  for (let n = 0; n < 7; n++)
    await expect(tell(claim)).rejects.toMatchObject({ code: "GATEWAY_NOT_SENT" });
  expect(lookups()).toBe(7);
  expect((await records())[0]?.checks).toEqual([]);

  answer = undefined;
  expect(await tell(claim)).toBe("settled");
  expect((await records())[0]).toMatchObject({ state: "autorizada", key });
});

test("a lookup that may have left counts, and past the bound a person decides", async () => {
  const { claim } = await one();
  const { tell, lookups } = asking(() => noAnswer);

  for (let n = 0; n < 2; n++)
    await expect(tell(claim)).rejects.toMatchObject({ code: "GATEWAY_NOT_SENT" });
  expect(await tell(claim)).toBe("unproven");

  expect(lookups()).toBe(2);
  expect(await states()).toEqual(["incerta"]);
});

test("a refusal whose notice names no note of ours by a name rejects none", async () => {
  const { key, token, claim, businessKey } = await one();
  const { chave: _chave, ...keyless } = claim;
  const told = telling(it.worker);

  expect(await told({ ...keyless, status: "rejeitada" })).toBe("unproven");
  // Neither does what the authority has under a key that only may be this note's.
  const asked = asking(() => says({ chave: key, status: "rejeitada", ...WITH_VALUE }));
  expect(await asked.tell(claim)).toBe("unproven");

  expect(asked.lookups()).toBe(1);
  expect(await states()).toEqual(["incerta"]);
  expect(await it.store.keys.claim("demo", businessKey, "another", 1_000)).toMatchObject({
    ok: false,
  });
  // The same words with our own token are proof.
  expect(await told({ ...keyless, status: "rejeitada", token })).toBe("settled");
  expect(await states()).toEqual(["rejeitada"]);
});

test.each(["of the notice", "of the lookup"])(
  "a refusal %s that hints at a duplicate rejects nothing: there is a note",
  async (whose) => {
    const { key, token, claim, businessKey } = await one();
    const refusal = {
      ...{ ...WITH_VALUE, status: "rejeitada" },
      erros: [{ mensagem: "Nota já emitida para este RPS, em duplicidade" }],
    };
    const { tell } = asking(() => says({ ...refusal, chave: key }));
    const { chave: _chave, ...keyless } = claim;
    const posted =
      whose === "of the lookup" ? { ...claim, token } : { ...keyless, ...refusal, token };

    expect(await tell(posted)).toBe("unproven");

    expect(await states()).toEqual(["incerta"]);
    expect(await it.store.keys.claim("demo", businessKey, "another", 1_000)).toMatchObject({
      ok: false,
    });
  },
);

test("our own answer that refuses with a hint at a duplicate leaves the note uncertain, its sale kept", async () => {
  it = await rig();
  const erros = [{ mensagem: "Nota já emitida para este RPS, em duplicidade" }];
  const refusal = says({ status: "rejeitada", erros });
  const gateway = answering(it, (route) => (route === "invoicing.nfseEnvio" ? refusal : undefined));
  const worker = it.again({ gatewayFor: () => gateway });
  await it.asks(CUSTOMER, issue());
  await worker.drain();

  const [record] = await records();
  expect(record?.state).toBe("incerta");
  expect(
    await it.store.keys.claim("demo", record?.businessKey ?? "", "another", 1_000),
  ).toMatchObject({ ok: false });
});

test("an answer that tells no value proves nothing about a note that was only guessed", async () => {
  const { key, token, claim } = await one();
  const { tell } = asking(() => says({ chave: key, status: "autorizada" }));

  expect(await tell(claim)).toBe("unproven");
  expect(await states()).toEqual(["incerta"]);

  it.clock.moveTo(it.clock.now() + 3_600_000);
  expect(await tell({ ...claim, token })).toBe("settled");
});

test("a note that was given up is not said to exist when the authority refused it", async () => {
  const { id, key, token, claim, seen } = await one();
  const given = { ...seen, decision: "abandon", actor: "ana", reason: "desistiu" } as const;
  await it.worker.settling.decide("demo", id, given);
  const { tell } = asking(() => says({ chave: key, status: "rejeitada", ...WITH_VALUE }));

  expect(await tell({ ...claim, token })).toBe("unproven");

  const codes = it.events.flatMap((event) => (event.type === "alarm" ? [event.code] : []));
  expect(codes).toContain("invoice.unproven");
  expect(codes).not.toContain("invoice.contradicted");
});

test("two notes alike and one notice: neither is settled by guess, and nothing is asked", async () => {
  it = await rig();
  await lost();
  await lost(OTHER, { again: true });
  const notes = await records();
  const keys = (await it.list("invoices")).map((note) => textOf(note["chave"]));
  expect(notes.map(({ state, cents }) => [state, cents])).toEqual([
    ["incerta", 15_000],
    ["incerta", 15_000],
  ]);
  const { tell, lookups } = asking(() => undefined);

  for (const key of keys)
    for (const { sentAt = 0 } of notes) expect(await tell(claimOf(sentAt, key))).toBe("unmatched");
  // A code of eight digits that two notes drew is no name either.
  for (const { id } of notes)
    await it.worker.invoices.change("demo", id, (now) => ({ ...now, code: "00000007" }));
  const [first] = notes;
  const coded = { ...claimOf(first?.sentAt ?? 0, keys[0] ?? ""), codigo_aleatorio: "00000007" };
  expect(await tell(coded)).toBe("unmatched");

  expect(lookups()).toBe(0);
  expect(await states()).toEqual(["incerta", "incerta"]);
  // Named by what only we know, one of them is.
  expect(await tell({ ...coded, token: first?.token })).toBe("settled");
  expect((await states()).sort()).toEqual(["autorizada", "incerta"]);
});
