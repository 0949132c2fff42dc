import { municipios } from "municipios-brasil/dados";
import { describe, expect, test } from "vitest";
import {
  formatCep,
  formatPhone,
  maskPhone,
  phoneType,
  townByCode,
  townLabel,
  townsAlike,
  townsByName,
  townsByPrefix,
  UFS,
  ufOf,
  ufOfCep,
} from "../../src/brazil/index.ts";

describe("towns", () => {
  // First of all: the first few codes of a process are looked up one by one, the others in a table.
  test("a code is found by its seven digits only, the first one like the hundredth", () => {
    const first = townByCode("3550308");
    expect(first).toMatchObject({ code: "3550308", name: "São Paulo", uf: "SP" });
    for (const other of ["", " 3550308", "3550308.0", "03550308", "35503080", "0x362c84", "NaN"])
      expect([other, townByCode(other)]).toEqual([other, null]);
    expect(townByCode("3304557")?.name).toBe("Rio de Janeiro");
    for (const { codigoIbge } of municipios.slice(0, 20))
      expect(townByCode(String(codigoIbge))?.code).toBe(String(codigoIbge));
    for (const other of ["", " 3550308", "3550308.0", "03550308", "35503080", "0x362c84", "NaN"])
      expect([other, townByCode(other)]).toEqual([other, null]);
    expect(townByCode("3550308")).toBe(first);
    expect(townsByName("São Paulo")[0]).toBe(first);
  });

  test("all 5,571 are found by code and by name, and their code begins with their state's prefix", () => {
    expect(municipios).toHaveLength(5571);
    for (const row of municipios) {
      const town = townByCode(String(row.codigoIbge));
      expect(town?.name).toBe(row.nome);
      expect(townsByName(row.nome.toUpperCase(), row.uf).map((t) => t.code)).toContain(town?.code);
      expect(UFS.find((uf) => uf.uf === row.uf)?.ibge).toBe(String(row.codigoIbge).slice(0, 2));
    }
  });

  test("towns whose official code breaks the check digit exist all the same", () => {
    for (const code of [
      "2201919",
      "2201988",
      "2202251",
      "2611533",
      "3117836",
      "3152131",
      "4305871",
      "5203939",
      "5203962",
    ])
      expect(townByCode(code)).not.toBeNull();
    expect(townByCode("3550309")).toBeNull();
  });

  test("a homonym gives every town of that name, a UF makes it one", () => {
    expect(townsByName("bom jesus").map(townLabel)).toEqual([
      "Bom Jesus/PB",
      "Bom Jesus/PI",
      "Bom Jesus/RN",
      "Bom Jesus/RS",
      "Bom Jesus/SC",
    ]);
    expect(townsByName("Bom Jesus", "PI").map(townLabel)).toEqual(["Bom Jesus/PI"]);
  });

  test("accents, apostrophes and nicknames do not matter", () => {
    expect(townsByName("sao paulo").map(townLabel)).toEqual(["São Paulo/SP"]);
    expect(townsByName("santa barbara doeste").map((t) => t.code)).toEqual(["3545803"]);
    expect(townsByName("BH").map(townLabel)).toEqual(["Belo Horizonte/MG"]);
  });

  test("beginnings and near misses are proposals", () => {
    expect(townsByPrefix("ribeirao p", 5).map((t) => t.name)).toContain("Ribeirão Preto");
    expect(townsByPrefix("ri", 5)).toEqual([]);
    expect(townsAlike("campinaz", 3).map((t) => t.name)).toContain("Campinas");
    expect(townsAlike("xyzxyzxyz", 3)).toEqual([]);
  });

  test("a town knows its clock", () => {
    expect(townByCode("1200401")?.zone).toBe("America/Rio_Branco");
  });
});

describe("states and CEP", () => {
  test("27 states by code and by name", () => {
    expect(UFS).toHaveLength(27);
    expect(ufOf("sp")?.name).toBe("São Paulo");
    expect(ufOf("ESPIRITO SANTO")?.uf).toBe("ES");
    expect(ufOf("xx")).toBeNull();
  });

  test.each([
    ["01310100", "SP"],
    ["20040002", "RJ"],
    ["29010120", "ES"],
    ["69005070", "AM"],
    ["69301000", "RR"],
    ["69400000", "AM"],
    ["69900062", "AC"],
    ["70040010", "DF"],
    ["72800000", "GO"],
    ["73000000", "DF"],
    ["73801000", "GO"],
    ["76801000", "RO"],
    ["77001000", "TO"],
    ["90010000", "RS"],
  ])("CEP %s lies in %s", (cep, uf) => expect(ufOfCep(cep)).toBe(uf));

  test("ranges of two states never overlap, and a CEP outside all of them has no state", () => {
    for (let head = 0; head <= 99_999; head += 1) {
      const owners = UFS.filter((row) => row.cep.some(([a, b]) => head >= a && head <= b));
      if (owners.length > 1) expect.fail(`${head} belongs to ${owners.map((o) => o.uf).join()}`);
    }
    expect(ufOfCep("00000000")).toBeNull();
    expect(ufOfCep("0131010")).toBeNull();
    expect(formatCep("01310100")).toBe("01310-100");
  });
});

describe("phones", () => {
  test("mobile and fixed numbers of real area codes", () => {
    expect(phoneType("11987654321")).toBe("mobile");
    expect(phoneType("1132568060")).toBe("fixed");
    expect(phoneType("1187654321")).toBeNull();
    expect(phoneType("20987654321")).toBeNull();
  });

  test("marks and mask", () => {
    expect(formatPhone("5511900000001")).toBe("(11) 90000-0001");
    expect(formatPhone("551132568060")).toBe("(11) 3256-8060");
    expect(maskPhone("5511900000001")).toBe("(11) *****-0001");
    expect(maskPhone("odd")).toBe("***");
  });
});
