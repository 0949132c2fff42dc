/** The small flow in grammY and raw XState, side by side: `node test/bench/peers/small-flow/run.js`. */
import { playGrammy, playXState } from "./play.js";

for (const [name, run] of [
  ["raw XState", playXState],
  ["grammY", playGrammy],
]) {
  const { said, issued } = await run();
  console.log(`\n${name}`);
  for (const { line, said: words } of said)
    console.log(`> ${line}\n${words.map((w) => `  ${w}`).join("\n")}`);
  console.log(`asked of the issuer: ${JSON.stringify(issued)}`);
}
