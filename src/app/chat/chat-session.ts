/**
 * A conversation from the terminal: against the server that runs under these settings, else one started in process.
 * Messages go through the sandbox gateway, so that everything a phone would do is done.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Fault } from "../../base/index.ts";
import { apiClient, runningServer, type ApiClient } from "../operator/client.ts";
import { isLoopback, type Settings } from "../settings.ts";
import { startProsa } from "../start/start.ts";

export interface ChatLine {
  readonly dir: "in" | "out";
  readonly text: string;
  /** `flow.step` after the line, empty outside a flow. */
  readonly state: string;
  /** ISO time of the virtual clock. */
  readonly at: string;
}

export interface ChatSession {
  /** Where the conversation runs, as a sentence. */
  readonly where: string;
  /** Sends a line, waits until the bot is quiet, gives everything that was said. */
  say(text: string): Promise<readonly ChatLine[]>;
  /** Calls back for what comes by itself. Returns the way to stop. */
  watch(listener: (line: ChatLine) => void): () => void;
  close(): Promise<void>;
}

const WATCH_MS = 700;

interface Message {
  readonly id: string;
  readonly at: string | number;
  readonly text: string;
}

export async function openChat(
  settings: Settings,
  who: { number: string; account: string },
): Promise<ChatSession> {
  const server = await serverFor(settings);
  try {
    return await chatWith(server, who);
  } catch (error) {
    await server.close();
    throw error;
  }
}

interface Server {
  readonly api: ApiClient;
  readonly where: string;
  close(): Promise<void>;
}

async function chatWith(
  server: Server,
  who: { number: string; account: string },
): Promise<ChatSession> {
  const { api, where } = server;
  const meta = await api.get("/api/meta");
  if (!meta["sandbox"])
    throw new Fault(
      "API_REFUSED",
      "The running server uses a real gateway; a chat needs the sandbox.",
    );
  const heard = new Set<string>();
  const messages = async (): Promise<Message[]> => {
    const answer = await api.get(`/api/sandbox/messages?number=${who.number}`);
    return answer["items"] as unknown as Message[];
  };
  for (const message of await messages()) heard.add(message.id);
  let busy: Promise<unknown> = Promise.resolve();
  const fresh = async (): Promise<ChatLine[]> => {
    const news = (await messages()).filter((message) => !heard.has(message.id));
    if (news.length === 0) return [];
    const state = await stateOf(api, who);
    return news.map((message) => {
      heard.add(message.id);
      return { dir: "out", text: message.text, state, at: new Date(message.at).toISOString() };
    });
  };
  return {
    where,
    async say(text) {
      await busy;
      const spoken = (async () => {
        await api.send("POST", "/api/sandbox/inbound", { from: who.number, text });
        await api.send("POST", "/api/turns/drain");
        const { now } = (await api.get("/api/meta"))["clock"] as { now: number };
        const lines = await fresh();
        const state = lines[0]?.state ?? (await stateOf(api, who));
        return [{ dir: "in" as const, text, state, at: new Date(now).toISOString() }, ...lines];
      })();
      busy = spoken.catch(() => undefined);
      return spoken;
    },
    watch(listener) {
      let stopped = false;
      const timer = setInterval(() => {
        busy = busy.then(async () => {
          if (!stopped) for (const line of await fresh().catch(() => [])) listener(line);
        });
      }, WATCH_MS);
      return () => {
        stopped = true;
        clearInterval(timer);
      };
    },
    close: () => server.close(),
  };
}

async function stateOf(api: ApiClient, who: { number: string; account: string }): Promise<string> {
  const { items } = (await api.get(
    `/api/sessions?account=${who.account}&limit=1000`,
  )) as unknown as {
    items: { address?: string; frames: { flow: string; step: string }[] }[];
  };
  const mine = items.find((item) => samePhone(item.address ?? "", who.number));
  const top = mine?.frames.at(-1);
  return top ? `${top.flow}.${top.step}` : "";
}

/** Brazilian mobiles appear with and without their ninth digit. */
function samePhone(a: string, b: string): boolean {
  const bare = (text: string) =>
    text
      .replace(/@.*$/, "")
      .replace(/\D/g, "")
      .replace(/^(55\d\d)9(\d{8})$/, "$1$2");
  return bare(a) === bare(b);
}

async function serverFor(settings: Settings): Promise<Server> {
  const running = await runningServer(settings);
  if (running) return { api: running, where: `Attached to ${running.url}.`, close: async () => {} };
  if (settings.gateway.url !== undefined && !isLoopback(new URL(settings.gateway.url).hostname))
    throw new Fault("SETTING_INVALID", "GATEWAY_URL is a real gateway; a chat needs the sandbox.");
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-chat-"));
  const server = await startProsa(
    {
      ...settings,
      host: "127.0.0.1",
      port: 0,
      admin: undefined,
      dataDir: folder,
      // All of its own: a chat must never work on the store, the gateway or the alarms of the real conversations.
      redisUrl: undefined,
      keys: undefined,
      alertUrl: undefined,
      gateway: { ...settings.gateway, url: undefined, token: undefined, deviceToken: undefined },
      demo: true,
      sandbox: { ...settings.sandbox, port: 0 },
      logLevel: "error",
    },
    { role: "all" },
  );
  return {
    api: apiClient(server.adminUrl, settings.adminToken),
    where: "No server runs here, so this chat has one of its own.",
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
