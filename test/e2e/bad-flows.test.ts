/** Flows that are wrong in every way, in the folder of a running bot; and one that is saved while somebody is in it. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asking, FlowsFolder, words } from "../app/flows-folder.ts";
import { ran } from "../cli/in-process.ts";
import { type Body, type Prosa, startProsa, until } from "../support/prosa.ts";
import { fencesOf } from "../docs/fences.ts";
import { customer, OPERATOR } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const ASKS = { name: "Seu nome?", day: "Que dia?", place: "Onde?" };
/** Asks so many people at once. */
const crowd = (
  id: string,
  people: number,
): string => `${asking(id, ["name"]).replace("export default", "const ast =").replace('f.ask("name"), ', 'f.ask("name"), f.notify("approve-invoice", { id: "all", to: $.account.operators, within: "1h", on: { approved: () => [], refused: () => [], late: () => [f.end()] } }), ').replace("(f) =>", "(f, $) =>")}
const to = { val: Array.from({ length: ${people} }, (_, n) => \`phone:\${5_511_900_000_000 + n}\`) };
export default { ...ast, steps: ast.steps.map((step) => (step.t === "notify" ? { ...step, to } : step)) };
`;
const PICKUP = `flow: pickup
version: 1
audience: anyone
slots: {}
steps:
  - say: soon
  - wait: parcel.ready
    id: parcel
    within: 2d
    on: { got: [{ say: there, with: { shelf: parcel.shelf, box: parcel.box } }], late: [] }
`;
const PICKUP_TEXTS = `locale: pt-BR
start: [pickup]
say:
  soon: "Aviso quando chegar."
  there: "Prateleira {{shelf}}, caixa {{box}}."
`;
const BAD: Readonly<Record<string, [string, RegExp]>> = {
  syntax: [asking("syntax", ["name"]).replace("f.end()", "f.end("), /Unexpected/],
  throws: [`${asking("throws", ["name"])}\nthrow new Error("no good");\n`, /no good/],
  exits: ["process.exit(1);\n", /ended its process/],
  // Each that never ends costs the reader's whole patience; that memory ends with it, too, is test/app/loading/flow-reader.test.ts.
  loops: ["for (;;) {}\n", /does not end within/],
  circle: [
    asking("circle", ["name"]).replace(
      'f.ask("name"), ',
      'f.say("bye", { id: "again" }), f.goto("again"), f.ask("name"), ',
    ),
    /graph\/|rest/,
  ],
  mob: [crowd("mob", 10_000), /It has \d+ bytes, at most 65536/],
};

describe("a bot whose folder holds flows that are wrong", () => {
  let prosa: Prosa;
  const flows = new FlowsFolder();
  beforeAll(async () => {
    for (const id of ["coffee", "crowd", ...Object.keys(BAD)])
      flows.write(`${id}/texts.pt-BR.yaml`, words(id, ASKS));
    flows.write("coffee/flow.ts", asking("coffee", ["name", "day"]));
    flows.write("crowd/flow.ts", crowd("crowd", 2_000));
    for (const [id, [text]] of Object.entries(BAD)) flows.write(`${id}/flow.ts`, text);
    const approve = path.resolve(import.meta.dirname, "../../flows/approve-invoice");
    mkdirSync(path.join(flows.path, "approve-invoice"));
    for (const file of ["flow.ts", "texts.pt-BR.yaml", "texts.en.yaml"])
      copyFileSync(path.join(approve, file), path.join(flows.path, "approve-invoice", file));
    const config = path.resolve(import.meta.dirname, "../../flows/config.ts");
    copyFileSync(config, path.join(flows.path, "config.ts"));
    flows.write("pickup/flow.yaml", PICKUP);
    flows.write("pickup/texts.pt-BR.yaml", PICKUP_TEXTS);
    for (const { lang, role, arg, code } of fencesOf("flows/README.md"))
      if (arg === "several-services" && lang !== "chat")
        flows.write(`${arg}/${role === "flow" ? "flow.ts" : "texts.pt-BR.yaml"}`, code);
    const env = { PROSA_FLOWS_DIR: flows.path, PROSA_RELOAD: "1", LOG_LEVEL: "info" };
    prosa = await startProsa({ env });
  });
  afterAll(async () => {
    flows.remove();
    await prosa.close();
  });

  test("starts without them, names the file of each and why, and the others talk", async () => {
    for (const [id, [, why]] of Object.entries(BAD)) {
      const line = prosa
        .log()
        .split("\n")
        .find((one) => one.includes(`${id}/flow.ts`) || one.includes(`"flow":"${id}"`));
      expect(line, id).toContain("a flow is left out");
      expect(line, id).toMatch(why);
    }
    await customer(prosa).asks("coffee", /Seu nome/);
  });

  test("parks what would ask two thousand people, with file and step; nobody else notices", async () => {
    const [ana, bia] = [customer(prosa), customer(prosa)];
    await bia.asks("coffee", /Seu nome/);
    await ana.asks("crowd", /Seu nome/);
    await ana.says("Ana Lima");
    const reason = await until("a dead letter", async () => {
      const { body } = await prosa.http("GET", "/api/dead");
      return (body["items"] as unknown as readonly Body[])[0]?.["reason"] as unknown as string;
    });
    expect(reason).toContain("crowd");
    expect(reason).toMatch(/step "all": More than 64 effects/);
    await bia.asks("Bia Souza", /Que dia/);
    expect((await prosa.http("GET", "/health/ready")).status).toBe(200);
  });

  test("has one beside them that issues one note for several services, and names those that fit no one note", async () => {
    const operator = prosa.phone(OPERATOR);
    const item = async (service: string, value: string, description: string): Promise<string> => {
      await operator.asks(service, /Qual o valor/);
      await operator.asks(value, /O que foi feito/);
      return operator.asks(description, /Tem mais algum/);
    };
    await operator.asks("nota com vários serviços", /CPF ou CNPJ/);
    await operator.asks("529.982.247-25", /Em nome de quem/);
    await operator.asks("Maria Souza", /De que mês/);
    await operator.asks("este mês", /Qual serviço/);
    await item("1", "100,10", "corte");
    await operator.asks("mais um", /Qual serviço/);
    await item("3", "80", "fotos do corte");
    await operator.asks("só isso", /Confere/);
    const refused = await operator.asks("EMITIR", /códigos fiscais diferentes/);
    expect(refused).toContain("Tirar 2: Fotos do corte");
    expect(await prosa.rows("invoices")).toEqual([]);
    await operator.asks("4", /Tem mais algum/);
    await operator.asks("mais um", /Qual serviço/);
    await item("1", "50,05", "escova");
    await operator.asks("só isso", /2\. Escova/);
    await operator.asks("EMITIR", /Nota \d+ emitida: 2 serviços, R\$ 150,15/);
    expect(await prosa.rows("invoices")).toMatchObject([
      {
        status: "autorizada",
        dados: {
          servico: {
            ...{ valor_servicos: 150.15, discriminacao: "Corte; Escova" },
            itens: [{ valor_servicos: 100.1 }, { valor_servicos: 50.05 }],
          },
        },
      },
    ]);
  });

  test("is told from the command line that something happened, once, and the audit says who said so", async () => {
    const dora = customer(prosa);
    await dora.asks("pickup", /Aviso quando chegar/);
    const { items } = (await prosa.http("GET", "/api/sessions?account=demo&reveal=1")).body;
    const rows = items as unknown as readonly { contact: string; address?: string }[];
    const contact = rows.find(({ address }) => address?.includes(dora.number))?.contact ?? "";
    const tell = (...words: string[]) => ran(["sessions", "event", ...words], prosa.env);
    const event = [contact, "parcel.ready", "shelf=3", "box=007", "--id", "parcel-1"];
    expect(await tell(...event)).toMatchObject({ code: 0 });
    await dora.waitFor(/Prateleira 3, caixa 007/);
    expect(await tell(...event)).toMatchObject({ code: 0 });
    expect(await dora.hears()).toEqual([]);
    expect(await tell(contact)).toMatchObject({ code: 2 });
    expect(await tell(contact, "parcel.ready", "shelf")).toMatchObject({ code: 2 });
    const audit = await prosa.http("GET", "/api/audit");
    expect(audit.text.split('"sessions.event"')).toHaveLength(3);
  });

  test("tells from the command line what other flows would do to those who are in it, exit code 1 for harm", async () => {
    const eva = customer(prosa);
    await eva.asks("coffee", /Seu nome/);
    await eva.asks("Eva Dias", /Que dia|Onde/);
    const against = async (slots: readonly string[]) => {
      const other = new FlowsFolder();
      other.write("coffee/flow.ts", asking("coffee", slots));
      other.write("coffee/texts.pt-BR.yaml", words("coffee", ASKS));
      const env = { ...prosa.env, PROSA_FLOWS_DIR: other.path };
      const { code, out, said } = await ran(["flows", "check", "--against", "live"], env);
      other.remove();
      return { code, output: out + said };
    };
    const [more, less] = await Promise.all([against(["name", "day", "place"]), against(["day"])]);
    expect([more.code, more.output]).toEqual([0, expect.stringContaining("coffee")]);
    expect([less.code, less.output]).toEqual([
      1,
      expect.stringMatching(/loses name .*conversations/),
    ]);
  });

  test("takes over what is saved, goes on with the answers, and keeps what it has when a save is broken", async () => {
    const caio = customer(prosa);
    await caio.asks("coffee", /Seu nome/);
    flows.write("coffee/flow.ts", asking("coffee", ["name", "place", "day"]));
    const live = await until(
      "the saved flow",
      () => /\{[^\n]*saved flows are live[^\n]*/.exec(prosa.log())?.[0],
    );
    expect(JSON.parse(live)).toMatchObject({ flows: ["coffee"] });
    await caio.asks("Caio Reis", /Onde/);
    const typed = () => readFileSync(path.join(flows.path, "texts.d.ts"), "utf8");
    expect(typed()).toContain('"coffee": { say: "bye";');
    expect(readFileSync(path.join(flows.path, "gateway.d.ts"), "utf8")).toContain("GatewayRoutes");
    flows.write("coffee/flow.ts", "process.exit(1);\n");
    await until(
      "the broken one",
      () => prosa.log().includes("a saved flow does not hold up"),
      30_000,
    );
    await caio.asks("no salão", /Que dia/);
    flows.write("coffee/texts.pt-BR.yaml", words("coffee", { ...ASKS, extra: "?" }, "Até sábado."));
    flows.write("coffee/flow.ts", asking("coffee", ["name", "place", "day"]));
    await until(
      "the new words",
      () => prosa.log().split("saved flows are live").length > 2,
      30_000,
    );
    await caio.asks("sexta", /Até sábado/);
    await until("the types of the new words", () => typed().includes('"extra"'));
  });
});
