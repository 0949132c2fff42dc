/**
 * Connections on which nothing was ever asked, as browsers open them to be quicker later. Node counts them neither as idle nor
 * as done: a listener that closes would wait for each of them.
 */
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** They end with the listener; whoever was about to ask on one is answered by nobody, as on one that came too late. */
export function endUnusedLines(app: FastifyInstance): void {
  const lines = new Set<Socket>();
  app.server.on("connection", (line) => {
    lines.add(line);
    line.once("close", () => lines.delete(line));
  });
  app.addHook("preClose", async () => {
    // Asked for here: whoever listens for a connection's bytes takes them out of the parser's own hands.
    for (const line of lines) if (line.bytesRead === 0) line.destroy();
  });
}
