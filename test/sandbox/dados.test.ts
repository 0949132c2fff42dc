/**
 * `dados` of `nfse-envio` has two readers: the client's contract and the authority's schema. They agree on which fields may be
 * absent and of which type each is. Widths and characters are the authority's alone, so a client refuses no more than it.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { contract, ServiceInvoice } from "../../src/gateway/index.ts";
import { DEMO_ISSUER_ID } from "../../src/sandbox/index.ts";
import { pfx } from "./certificates.ts";
import { goodNote } from "./notes.ts";
import { stage, textOf, type Stage } from "./stage.ts";

type Place = readonly (string | number)[];

let now: Stage;
/** A company outside the Simples, whose notes have no `regime_apuracao`. */
let ordinary: string;
beforeAll(async () => {
  now = await stage();
  const { emitente_id: _, ...issuer } =
    contract.invoicing.emitentesAtualiza.variants.default.example;
  const cnpj = "11444777000161";
  const made = await now.call("invoicing.emitentesCadastro", { ...issuer, cnpj, crt: 3 });
  ordinary = textOf(made.body["data"]?.["emitente_id"]);
  const at = await now.now();
  const certificado = pfx({
    cnpj,
    password: "senha",
    from: at - 86_400_000,
    until: at + 86_400_000,
  });
  const dados = { emitente_id: ordinary, senha: "senha", certificado };
  await now.call("invoicing.certificadoUpload", { dados });
});
afterAll(() => now.close());

const NOTE = goodNote(0);
const ABSENT = Symbol("absent");
/** The same for every field: its absence, and a value of each type, right for some and wrong for the rest. */
const VALUES: readonly unknown[] = [ABSENT, null, "", 7, -1, true, {}, [], [{}], ["7"]];
/** Texts that are too long or of the wrong characters for most fields. */
const TEXTS = ["7", "x", "9".repeat(14), "a".repeat(5_000), "🙂", " outer blanks "];

function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    placesOf(one, [...place, Array.isArray(value) ? Number(key) : key]),
  );
  return place.length === 0 ? inner : [place, ...inner];
}

/** The note with another value at the place; without the field when it is absent. */
function changed(note: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(note)) {
    const rows = note.map((row: unknown, at) => (at === key ? changed(row, rest, value) : row));
    return rows.filter((row) => row !== ABSENT);
  }
  const fields = note as Record<string, unknown>;
  const entries = Object.entries({ ...fields, [key]: changed(fields[key], rest, value) });
  return Object.fromEntries(entries.filter(([, one]) => one !== ABSENT));
}

/** The good note of this moment, as the issuer sends it, changed at one place. */
async function isIssued(place: Place, value: unknown, emitente_id: string): Promise<boolean> {
  const { regime_apuracao, ...note } = goodNote(await now.now());
  const base = emitente_id === ordinary ? note : { ...note, regime_apuracao };
  const dados = changed(withDocument(base, place), place, value);
  const { body } = await now.call("invoicing.nfseEnvio", { emitente_id, dados });
  return textOf(body["error"]) === "false";
}

/** A taker has one document: the note of a company when its field is the one looked at. */
function withDocument(note: unknown, place: Place): unknown {
  if (place.at(-1) !== "cnpj") return note;
  return changed(changed(note, ["tomador", "cpf"], ABSENT), place, "12ABC34501DE35");
}

function isTaken(place: Place, value: unknown): boolean {
  return ServiceInvoice.safeParse(changed(withDocument(NOTE, place), place, value)).success;
}

const PLACES: readonly Place[] = [...placesOf(NOTE), ["tomador", "cnpj"]];

test.each(PLACES.map((place) => [place.join("."), place] as const))(
  "%s is optional or required for both, and of the same type",
  async (_, place) => {
    const differ: unknown[] = [];
    for (const value of VALUES) {
      const taken = isTaken(place, value);
      // Some fields are demanded by one regime and forbidden by the other: what is taken has to suit an issuer of either.
      const issued =
        (await isIssued(place, value, DEMO_ISSUER_ID)) ||
        (taken && (await isIssued(place, value, ordinary)));
      if (taken !== issued) differ.push({ value, taken, issued });
    }
    expect(differ).toEqual([]);
  },
);

test.each(PLACES.map((place) => [place.join("."), place] as const))(
  "%s is refused by no client while the authority takes it",
  async (_, place) => {
    for (const text of TEXTS)
      if (!isTaken(place, text))
        expect([text, await isIssued(place, text, DEMO_ISSUER_ID)]).toEqual([text, false]);
  },
);
