// BuilderBot, as its documentation writes such a form. Not run here: it wants a provider's session on a phone.
import { addKeyword, EVENTS } from "@builderbot/bot";
import { readCpf, readValue, WORDS } from "./world.js";

export const createFlows = (issue) => {
  const confirm = addKeyword(EVENTS.ACTION)
    .addAction(async (_, { flowDynamic, state }) => {
      await flowDynamic(WORDS.confirm(state.get("cpf"), state.get("cents")));
    })
    .addAction({ capture: true }, async ({ body }, { gotoFlow, state, flowDynamic, endFlow }) => {
      const answer = body.toLowerCase();
      if (answer === "cpf") return gotoFlow(cpf);
      if (answer === "valor") return gotoFlow(value);
      if (answer !== "sim") return gotoFlow(confirm);
      const { number } = await issue(state.get("cpf"), state.get("cents"));
      await flowDynamic(WORDS.issued(number));
      return endFlow();
    });
  const value = addKeyword(EVENTS.ACTION).addAnswer(
    WORDS.value,
    { capture: true },
    async ({ body }, { state, fallBack, gotoFlow }) => {
      const cents = readValue(body);
      if (cents === undefined) return fallBack(WORDS.badValue);
      await state.update({ cents });
      return gotoFlow(confirm);
    },
  );
  const cpf = addKeyword(["oi", "nota"]).addAnswer(
    WORDS.cpf,
    { capture: true },
    async ({ body }, { state, fallBack, gotoFlow }) => {
      const read = readCpf(body);
      if (read === undefined) return fallBack(WORDS.badCpf);
      await state.update({ cpf: read });
      return gotoFlow(state.get("cents") === undefined ? value : confirm);
    },
  );
  return [cpf, value, confirm];
};
