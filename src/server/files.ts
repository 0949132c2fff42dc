/**
 * `GET /f/:code`: a file that was made in a conversation whose channel carries none. The code is the right to have it, so
 * it is in no log and no answer. HEAD counts as no download.
 */
import type { FastifyInstance } from "fastify";

/** The file of a code; null for a code that is unknown, over or used up. */
export type Files = (code: string, how: "look" | "take") => Promise<ServedFile | null>;
interface ServedFile {
  readonly mimetype: string;
  readonly fileName: string;
  readonly base64: string;
}

/** Requests for unknown addresses in a minute, of all callers; beyond it all requests of that minute are refused. */
const MISSES_PER_MINUTE = 300;
const MINUTE_MS = 60_000;
const OVER = {
  "pt-BR": "Este endereço não vale mais. Peça o arquivo de novo na conversa.",
  en: "This address is no longer good. Ask for the file again in the chat.",
};

export function fileRoutes(app: FastifyInstance, { files }: { readonly files: Files }): void {
  const misses = { minute: 0, count: 0 };
  app.get<{ Params: { code: string } }>("/f/:code", async (request, reply) => {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute !== misses.minute) Object.assign(misses, { minute, count: 0 });
    const slowed = misses.count >= MISSES_PER_MINUTE;
    const how = request.method === "HEAD" ? "look" : "take";
    const file = slowed ? null : await files(request.params.code, how);
    if (!file) {
      if (!slowed) misses.count++;
      const english = /^en\b/i.test(request.headers["accept-language"] ?? "");
      return reply
        .code(slowed ? 429 : 404)
        .type("text/plain; charset=utf-8")
        .send(OVER[english ? "en" : "pt-BR"]);
    }
    const name = file.fileName.replace(/[^\w.-]/g, "_");
    return reply
      .header("content-disposition", `attachment; filename="${name}"`)
      .type(file.mimetype)
      .send(Buffer.from(file.base64, "base64"));
  });
}
