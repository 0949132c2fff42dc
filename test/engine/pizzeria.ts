/** A bot of another business: a pizzeria's, with no reader of any plugin. Common words are told by their keys. */
import { createLibrary, parseCatalogue, parseFlow } from "../../src/flow/index.ts";
import { account, Town } from "./town.ts";

/** Start phrases of flows that only say something, by the flow's id. */
export type Said = Readonly<Record<string, readonly string[]>>;

const MENU = {
  flow: `flow: welcome
version: 1
audience: anyone
role: menu
slots:
  wish: { kind: choice, options: [order, again, drop, issue, english] }
steps:
  - say: hello
  - choose: wish
    branches:
      order: [{ subflow: order, id: take }]
      again: [{ say: copy }]
      drop: [{ say: dropped }]
      issue: [{ say: issued }]
      english: [{ say: spoken }]
  - end: done
`,
  texts: `locale: pt-BR
title: Menu
say: { hello: "Bem-vindo à pizzaria.", copy: "Segunda via do cardápio.", dropped: "Qual pedido?", issued: "Nota do mês.", spoken: "We speak English." }
ask: { wish: "O que vai ser?" }
options:
  wish:
    order: { label: Pedir uma pizza }
    again: { label: Segunda via }
    drop: { label: Cancelar pedido }
    issue: { label: Emitir nota }
    english: { label: English }
`,
};
const ORDER = {
  flow: `flow: order
version: 1
audience: anyone
slots:
  pizza: text
  address: text
  value: money
steps:
  - ask: pizza
  - ask: address
  - ask: value
  - say: thanks
  - end: done
`,
  texts: `locale: pt-BR
title: Pedido
start: [quero uma pizza]
say: { thanks: "Saindo do forno." }
ask: { pizza: "Qual pizza?", address: "Entregar onde?", value: "Troco pra quanto?" }
`,
};
const PERSON = {
  flow: `flow: the-owner
version: 1
audience: anyone
role: person
slots: {}
steps:
  - say: hello
  - handoff: asked
  - end: done
`,
  texts: `locale: pt-BR
title: Dono
say: { hello: "Chamando o dono." }
`,
};

function source({ flow, texts }: typeof MENU) {
  const [parsed, read] = [parseFlow(flow, "flow.yaml"), parseCatalogue(texts, "texts.pt-BR.yaml")];
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  if (!read.ok) throw new Error(JSON.stringify(read.findings));
  return { ast: parsed.ast, texts: { "pt-BR": read.catalogue } };
}

/** A flow that says its own id. */
function saying(id: string, starts: readonly string[]) {
  return source({
    flow: `flow: ${id}\nversion: 1\naudience: anyone\nslots: {}\nsteps:\n  - say: told\n  - end: done\n`,
    texts: `locale: pt-BR\ntitle: ${id}\nstart: ${JSON.stringify(starts)}\nsay: { told: "<${id}>" }\n`,
  });
}

/** The bot, with further flows that only say their id. */
export function pizzeria(said: Said = {}): Town {
  const flows = [
    ...[source(MENU), source(ORDER), source(PERSON)],
    ...Object.entries(said).map(([id, starts]) => saying(id, starts)),
  ];
  const library = createLibrary({ flows, common: {}, effects: [], readers: [] });
  const wrong = library.findings.filter(({ severity }) => severity === "error");
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  const { hours: _, ...business } = account;
  return new Town({ ...library, word: (key) => `[${key}]` }, business);
}
