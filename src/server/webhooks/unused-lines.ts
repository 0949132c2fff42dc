/**
 * Connections on which no request was ever made, as browsers open them in advance. Node counts them neither as idle nor as
 * done, so a closing listener would wait for each of them.
 */
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** They end with the listener; a request that was about to be made on one gets no answer. */
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
