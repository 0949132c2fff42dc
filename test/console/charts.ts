/** Charts for the console's tests: one as the flow kit makes them, and random ones. */
import fc from "fast-check";
import type { Chart, ChartEdge, ChartNode } from "../../src/flow/chart/chart-model.ts";

function node(
  id: string,
  kind: ChartNode["kind"],
  label: string,
  extra: { group?: string; chips?: string[] } = {},
): ChartNode {
  return {
    id,
    kind,
    label,
    states: kind === "effect" ? [id, `${id}-held-rest`] : [id],
    chips: extra.chips ?? [],
    ...(extra.group === undefined ? {} : { group: extra.group }),
  };
}

function edge(
  from: string,
  to: string,
  label: string[] = [],
  kind: ChartEdge["kind"] = label.length > 0 ? "outcome" : "answer",
): ChartEdge {
  return { id: `${from}~${to}~${label.join("+")}`, from, to, label, kind };
}

const ANYWHERE = [
  "cancelar",
  "voltar",
  "corrigir",
  "repetir",
  "ajuda",
  "por quê?",
  "atendente",
  "pular",
];

export const REQUEST_INVOICE: Chart = {
  flow: "request-invoice",
  title: "Pedir nota",
  hash: "6f1c0a4be2d94f7f8a6f3f0d5f1f9d11",
  anywhere: ANYWHERE,
  groups: [
    { id: "taker", label: "Tomador" },
    { id: "sale", label: "Venda" },
  ],
  nodes: [
    node("start", "start", "início"),
    node("service", "choose", "Serviço"),
    node("document", "ask", "CPF ou CNPJ", { group: "taker", chips: ["máx. 4"] }),
    node("name", "ask", "Nome ou razão social", { group: "taker" }),
    node("address", "ask", "Endereço", { chips: ["só empresas"] }),
    node("value", "ask", "Valor", { group: "sale", chips: ["máx. 5"] }),
    node("description", "ask", "Descrição", { group: "sale" }),
    node("competence", "ask", "Competência", { group: "sale" }),
    node("summary", "confirm", "Resumo · EMITIR"),
    node("approval", "notify", "Aprovação do emissor", { chips: ["lembra em 2 h", "prazo 24 h"] }),
    node("issue", "effect", "Emitir nota"),
    node("person", "handoff", "Atendente"),
    node("ended-issued", "end", "emitida"),
    node("ended-refused", "end", "recusada"),
    node("ended-cancelled", "end", "cancelada"),
  ],
  edges: [
    edge("start", "service", ["“hello”"], "answer"),
    edge("service", "document"),
    edge("document", "name"),
    edge("name", "address", ["documento é CNPJ"], "condition"),
    edge("name", "value", ["documento é CPF"], "condition"),
    edge("address", "value"),
    edge("value", "description"),
    edge("description", "competence"),
    edge("competence", "summary"),
    edge("summary", "approval", ["“sent”", "precisa de aprovação"], "condition"),
    edge("summary", "issue", ["sem aprovação"], "condition"),
    edge("summary", "ended-cancelled", ["não"]),
    edge("approval", "issue", ["aprovada"]),
    edge("approval", "ended-refused", ["recusada “refused”"]),
    edge("approval", "person", ["sem resposta “no-answer”"], "timer"),
    edge("issue", "ended-issued", ["emitida “issued”"]),
    edge("issue", "summary", ["rejeitada, o cliente corrige"], "goto"),
    edge("issue", "person", ["rejeitada pelo cadastro"]),
    edge("issue", "person", ["falhou “failed”"]),
    edge("issue", "issue", ["em processamento “processing”"]),
  ],
};

export const MENU: Chart = {
  flow: "menu",
  title: "Menu",
  hash: "0b7d3f8fce0a4c0a9d53f35d8b2a1c22",
  anywhere: ANYWHERE,
  groups: [],
  nodes: [
    node("start", "start", "início"),
    node("want", "choose", "O que você precisa?"),
    node("request", "subflow", "Pedir nota"),
    node("lookup", "subflow", "Segunda via"),
    node("human", "handoff", "Atendente"),
    node("ended-done", "end", "fim"),
  ],
  edges: [
    edge("start", "want", ["“greeting”"], "answer"),
    edge("want", "request", ["pedir nota"]),
    edge("want", "lookup", ["segunda via"]),
    edge("want", "human", ["falar com pessoa"]),
    edge("request", "ended-done"),
    edge("lookup", "ended-done"),
    edge("human", "want", ["devolvida"], "goto"),
  ],
};

const KINDS: readonly ChartNode["kind"][] = [
  ...([
    "ask",
    "choose",
    "confirm",
    "effect",
    "notify",
    "subflow",
    "wait",
    "handoff",
    "end",
  ] as const),
];
const EDGE_KINDS: readonly ChartEdge["kind"][] = [
  "answer",
  "condition",
  "outcome",
  "timer",
  "goto",
];

const words = fc.string({ unit: fc.constantFrom(..."abçdé fgijmWÃ “”→1_"), maxLength: 30 });

/** Any chart of up to 24 steps, with groups, self-transitions, parallel edges, back edges and stray ends. */
export const anyChart: fc.Arbitrary<Chart> = fc
  .record({
    count: fc.integer({ min: 1, max: 24 }),
    groups: fc.integer({ min: 0, max: 4 }),
    kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 24, maxLength: 24 }),
    labels: fc.array(words, { minLength: 24, maxLength: 24 }),
    homes: fc.array(fc.integer({ min: -2, max: 4 }), { minLength: 24, maxLength: 24 }),
    chips: fc.array(fc.array(words, { maxLength: 3 }), { minLength: 24, maxLength: 24 }),
    edges: fc.array(
      fc.record({
        from: fc.nat(23),
        to: fc.nat(23),
        label: fc.array(words, { maxLength: 2 }),
        kind: fc.constantFrom(...EDGE_KINDS),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ count, groups, kinds, labels, homes, chips, edges }) => ({
    flow: "random",
    title: "Random",
    hash: "0",
    anywhere: [],
    groups: Array.from({ length: groups }, (_, at) => ({
      id: `group-${at}`,
      label: `Group ${at}`,
    })),
    nodes: [
      node("start", "start", "start"),
      ...Array.from({ length: count }, (_, at) => {
        const home = homes[at] ?? -1;
        return node(`step-${at}`, kinds[at] ?? "ask", labels[at] ?? "", {
          chips: chips[at] ?? [],
          ...(home >= 0 && home < groups ? { group: `group-${home}` } : {}),
        });
      }),
    ],
    edges: [
      edge("start", "step-0"),
      ...edges.map((one, at) => ({
        id: `edge-${at}`,
        from: `step-${one.from % count}`,
        to: `step-${one.to % count}`,
        label: one.label,
        kind: one.kind,
      })),
    ],
  }));
