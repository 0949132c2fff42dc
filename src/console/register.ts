/** The console's routes on the admin listener (its page and its files), and the making of the files. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ConsoleAssets, PanelCode } from "./bundle.ts";

/** Only our own files, no inline script, no frame around us, nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

function guard(reply: FastifyReply): FastifyReply {
  return reply
    .header("content-security-policy", POLICY)
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-opener-policy", "same-origin");
}

/**
 * Registers `GET /` and `GET /console/*`. `assets` are made or read when the first page is asked for, and again after it
 * failed. Who may see them is the listener's business, not this one's.
 */
export function registerConsole(
  app: FastifyInstance,
  options: { readonly assets: () => Promise<ConsoleAssets> },
): void {
  let made: Promise<ConsoleAssets> | undefined;
  const assets = (): Promise<ConsoleAssets> => {
    made ??= options.assets().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  app.get("/", async (_request, reply) => {
    const { html } = await assets();
    return guard(reply)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(html);
  });
  app.get<{ Params: { file: string } }>("/console/:file", async (request, reply) => {
    const { files } = await assets();
    const file = files.get(request.params.file);
    if (!file)
      return reply.code(404).send({ error: { code: "NOT_FOUND", message: "No such file." } });
    const zipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    guard(reply)
      .type(file.type)
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("vary", "accept-encoding");
    if (!zipped) return reply.send(file.body);
    return reply.header("content-encoding", "gzip").send(file.gzip);
  });
}

/**
 * The console's page and files, with the panels of plugins in them. The first call after a change of the sources bundles them
 * (about 0.1 s); later ones read the folder. Rejects when the sources do not bundle, with the bundler's message.
 */
export async function consoleAssets(options: {
  readonly cacheDir: string;
  readonly panels?: readonly PanelCode[];
}): Promise<ConsoleAssets> {
  const { assetsIn } = await import("./bundle.ts");
  return assetsIn(options.cacheDir, options.panels ?? []);
}

/**
 * A plugin's browser module as the console's bundle takes it in. `file`: its address, `panels` of the plugin. Rejects with
 * esbuild's error where it does not compile: its `errors` have places.
 */
export async function panelCode(plugin: string, file: URL): Promise<PanelCode> {
  const { panelCodeOf } = await import("./bundle.ts");
  return panelCodeOf(plugin, file);
}
