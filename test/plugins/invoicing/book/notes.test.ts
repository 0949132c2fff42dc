/** Notes that exist: found on both stores by everything they are found by, and by nobody they are not for. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../../../src/store/index.ts";
import { Invoice } from "../../../../src/plugins/invoicing/note/invoice.ts";
import { Invoices } from "../../../../src/plugins/invoicing/note/invoices.ts";
import {
  SHEET_COLUMNS,
  sheetOf,
  sheetParts,
} from "../../../../src/plugins/invoicing/book/sheet.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { KEYS } from "../../../worker/rig.ts";

const ANA = "a".repeat(32);
const BIA = "b".repeat(32);
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

function note(number: number, other: Partial<Invoice> = {}): Invoice {
  const createdAt = Date.UTC(2026, 9, 1, 12) + number * 3_600_000;
  return Invoice.parse({
    ...{ id: hash(`note ${number}`).slice(0, 32), account: "demo", contact: ANA },
    ...{ effect: `e:${number}`, locale: "pt-BR", state: "autorizada" },
    issuer: {
      emitente_id: "i",
      cnpj: "11222333000181",
      town: "3550308",
      zone: "America/Sao_Paulo",
    },
    taker: { document: "52998224725", name: "Maria Souza" },
    ...{ cents: number * 100, competence: "2026-10", service: "Corte", description: "Corte" },
    ...{ businessKey: `k${number}`, window: null, token: "t", code: "c", createdAt },
    ...{ number: String(number), key: String(number).padStart(50, "3") },
    history: [{ at: createdAt, state: "autorizada", by: "worker" }],
    ...other,
  });
}

async function issued(invoices: Invoices, one: Invoice): Promise<void> {
  const { number: _number, key: _key, ...rest } = one;
  await invoices.open({ ...rest, state: "pendente" });
  await invoices.change(one.account, one.id, () => one);
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const whole: T[] = [];
  for await (const part of parts) whole.push(part);
  return whole;
}

const numbers = (notes: readonly Invoice[]) => notes.map(({ number }) => number);

for (const where of ["SQLite", "Redis"])
  describe(`the book of notes on ${where}`, () => {
    let store: Store;
    let invoices: Invoices;
    const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-notes-"));
    beforeAll(async () => {
      const place = where === "Redis" ? { redisUrl: redis.url } : { dataDir: folder };
      store = await openStore({ ...place, keys: KEYS });
      invoices = new Invoices(store, { hash });
      for (let number = 1; number <= 30; number++)
        await issued(invoices, note(number, number % 3 === 0 ? { contact: BIA } : {}));
      await issued(
        invoices,
        note(40, {
          competence: "2026-11",
          taker: { document: "11444777000161", name: "Padaria do Zé Ltda" },
        }),
      );
      await issued(invoices, note(1_000, { account: "other", number: "7" }));
    });
    afterAll(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("finds a note by number, key, document and month, with and without zeros before it", async () => {
      const find = async (query: object) =>
        numbers((await invoices.book.find("demo", "all", query, { limit: 5 })).notes);
      expect(await find({ number: "0012" })).toEqual(["12"]);
      expect(await find({ key: "12".padStart(50, "3") })).toEqual(["12"]);
      expect(await find({ document: "11444777000161" })).toEqual(["40"]);
      expect(await find({ month: "2026-11" })).toEqual(["40"]);
      expect(await find({ number: "7777" })).toEqual([]);
      expect(await find({})).toEqual(["40", "30", "29", "28", "27"]);
    });

    test("shows a contact its own notes alone, whatever it asks by, and another account nothing", async () => {
      const bia = { contact: BIA };
      const find = async (query: object, viewer: typeof bia | "all" = bia, account = "demo") =>
        numbers((await invoices.book.find(account, viewer, query, { limit: 50 })).notes);
      expect(await find({})).toEqual(["30", "27", "24", "21", "18", "15", "12", "9", "6", "3"]);
      expect(await find({ number: "13" })).toEqual([]);
      expect(await find({ key: "13".padStart(50, "3") })).toEqual([]);
      expect(await find({ document: "11444777000161" })).toEqual([]);
      expect(await find({ number: "12" })).toEqual(["12"]);
      expect(await invoices.book.get("demo", bia, note(13).id)).toBeNull();
      expect(await find({ number: "12" }, "all", "other")).toEqual([]);
      expect(await find({ number: "7" }, "all", "other")).toEqual(["7"]);
    });

    test("goes through everything in pages, each note once", async () => {
      const seen: (string | undefined)[] = [];
      let after: string | undefined;
      do {
        const page = await invoices.book.find(
          "demo",
          "all",
          {},
          {
            limit: 7,
            ...(after === undefined ? {} : { after }),
          },
        );
        expect(page.notes.length).toBeLessThanOrEqual(7);
        seen.push(...numbers(page.notes));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toHaveLength(31);
      expect(new Set(seen).size).toBe(31);
    });

    test("reads a whole month in its order", async () => {
      const { notes, whole } = await invoices.book.month("demo", "all", { month: "2026-10" });
      expect(whole).toBe(true);
      expect(numbers(notes)).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 1)));
    });

    test("hands a month on in parts, each read when it is asked for, and says when there is more", async () => {
      const month = { month: "2026-10" };
      const { parts, whole } = await invoices.book.parts("demo", "all", month, 30);
      expect(whole).toBe(true);
      const first = await parts.next();
      expect((first.value as readonly Invoice[]).length).toBeLessThan(30);
      // What changes on the way is told as it is then.
      await invoices.change("demo", note(30).id, (now) => ({ ...now, description: "Barba" }));
      const text = (await all(sheetParts(parts))).join("");
      expect(text).toContain("Barba");
      await invoices.change("demo", note(30).id, (now) => ({ ...now, description: "Corte" }));

      const again = await invoices.book.parts("demo", "all", month, 30);
      const { notes } = await invoices.book.month("demo", "all", month);
      expect((await all(sheetParts(again.parts))).join("")).toBe(sheetOf(notes));
      const less = await invoices.book.parts("demo", "all", month, 29);
      expect(less.whole).toBe(false);
      expect(numbers((await all(less.parts)).flat())[0]).toBe("2");
    });

    test("shows a note to whom it was sent, from then on", async () => {
      const bia = { contact: BIA };
      await invoices.change("demo", note(1).id, (now) => ({ ...now, shared: [BIA] }));
      const { notes } = await invoices.book.find("demo", bia, { number: "1" }, { limit: 2 });
      expect(numbers(notes)).toEqual(["1"]);
      expect(numbers((await invoices.book.find("demo", bia, {}, { limit: 50 })).notes)).toContain(
        "1",
      );
    });

    test("remembers customers by the words of their names, and forgets them", async () => {
      const { customers } = invoices;
      const names = async (name: string) =>
        (await customers.find("demo", name, 5)).map((one) => one.name);
      expect(await names("padaria do zé")).toEqual(["Padaria do Zé Ltda"]);
      expect(await names("Maria")).toEqual(["Maria Souza"]);
      expect(await names("Mar")).toEqual([]);
      expect(await names("Maria Alves")).toEqual([]);
      const [maria] = await customers.find("demo", "souza", 5);
      await customers.forget("demo", maria?.id ?? "");
      expect(await names("Maria")).toEqual([]);
      expect(await customers.ofDocument("demo", "52998224725")).toBeNull();
      expect(
        numbers((await invoices.book.find("demo", "all", { number: "2" }, { limit: 2 })).notes),
      ).toEqual(["2"]);
    });
  });

describe("the accountant's sheet", () => {
  test("has its columns, Brazilian figures, and no formula in any cell", () => {
    const bad = note(12, {
      taker: { document: "52998224725", name: '=HYPERLINK("http://x";"y")' },
      description: "  +1\nlinha; dois",
      cents: 123_456,
    });
    const [head = "", row = "", end] = sheetOf([bad]).split("\r\n");
    expect(head).toBe(`\ufeff${SHEET_COLUMNS.join(";")}`);
    expect(end).toBe("");
    expect(row).toContain(
      `;"'=HYPERLINK(""http://x"";""y"")";529.982.247-25;Corte;"'  +1 linha; dois";"1234,56";`,
    );
    expect(row).toContain("3333 3333");
    expect(row.startsWith("12;01/10/2026 21:00;10/2026;autorizada;")).toBe(true);
  });

  /** The cells of the one row as a reader of quotes sees them. */
  const cellsOf = (over: Parameters<typeof note>[1]): string[] => {
    const [, row = ""] = sheetOf([note(1, over)]).split("\r\n");
    return [...row.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^";]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    );
  };
  const named = (name: string) => ({ taker: { document: "52998224725", name } });
  /** What a reader sees that splits at one delimiter, with or without an idea of quotes. */
  const readers = [",", ";", "\t", "|"].flatMap((delimiter) => [
    (line: string) => line.split(delimiter),
    (line: string) => line.replaceAll('"', "").split(delimiter),
  ]);
  const isFormula = (cell: string): boolean =>
    /^[\s"\p{Cc}\p{Cf}\u3164]*[=+@\-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63\u2212]/u.test(
      cell,
    );

  const FORMULAS = [
    ...["=1+1", "+55", "-2", "@SUM(A1)", "\t=1", " =1", "\u00a0=1", "\r\n@x", "\n\n=1"],
    ...["\uff1d1+1", "\uff0b55", "\uff0d2", "\uff20SUM(A1)", "\u3000\uff1d1", "\ufe661", "\u22121"],
    ...[
      "\u200b=1",
      "\ufeff=1",
      "\u200e\u202a=1",
      "\u00ad=1",
      "\0=1",
      "\u001f=1",
      "\u2060 \u200d=1",
    ],
    ...['"=1"', '"" =1', "\u3164=1"],
  ];
  test.each(FORMULAS)(
    "a name %j begins no formula, at the beginning and behind any delimiter",
    (text) => {
      for (const name of [
        text,
        ...[",", ";", "\t", "|", ", ", ' ;"'].map((end) => `ACME${end}${text}`),
      ]) {
        const [, row = ""] = sheetOf([note(1, { ...named(name), description: name })]).split(
          "\r\n",
        );
        for (const reader of readers) expect(reader(row).filter(isFormula), row).toEqual([]);
        // Nothing but the apostrophes was put in.
        const shown = cellsOf(named(name))[4]?.replaceAll("'", "");
        expect(shown).toBe(name.replace(/[\r\n]+/g, " "));
      }
    },
  );

  test.each([",", ";", "\t", '"', "|"])("a cell with %j is quoted", (sign) => {
    const [, row = ""] = sheetOf([note(1, named(`ACME${sign}Ltda`))]).split("\r\n");
    expect(row).toContain(`;"ACME${sign === '"' ? '""' : sign}Ltda";`);
  });

  test("ordinary words, values and keys stay as they are", () => {
    const name = "Café & Irmãos – 50% (D'Ávila) 1-2+3=6 a@b.c";
    const key = "35261111222333000181550010000000011000000017000000";
    const cells = cellsOf({ ...named(name), key, cents: 150, number: "2026000000000123" });
    expect(cells).toHaveLength(SHEET_COLUMNS.length);
    expect(cells[4]).toBe(name);
    expect(cells[8]).toBe("1,50");
    // A spreadsheet keeps 15 digits of a number, so a longer one is written as it is printed.
    expect(cells[9]?.split(" ")).toHaveLength(13);
    expect(cells[9]?.replaceAll(" ", "")).toBe(key);
    expect(cells[0]).toBe("2026 0000 0000 0123");
    expect(cellsOf({ number: "202600000000123" })[0]).toBe("202600000000123");
  });

  test("leaves out what never became a note", async () => {
    async function* parts() {
      yield [note(1), note(2, { state: "rejeitada" })];
      yield [note(3, { state: "abandonada" })];
    }
    const text = (await all(sheetParts(parts()))).join("");
    expect(text).toBe(sheetOf([note(1)]));
  });
});
