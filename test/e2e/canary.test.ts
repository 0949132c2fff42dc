/** Values that must be nowhere in clear: put in everywhere people and settings put them, looked for everywhere we write. */
import { Redis } from "ioredis";
import { expect, test, vi } from "vitest";
import { folderBytes } from "../support/folder-bytes.ts";
import { type Prosa, startProsa, type StoreKind, textIn } from "../support/prosa.ts";
import { OPERATOR, toRequest } from "./note.ts";

vi.setConfig({ testTimeout: 120_000 });

const TOKEN = "canarypathtoken00000000000000000001";
const CANARIES = {
  cpf: "11144477735",
  cnpj: "11444777000161",
  phone: "5511976543210",
  name: "Zuleica Canária",
  email: "zuleica@canario.example",
  words: "Tosa do canarinho belga",
  shout: "quero falar do periquito",
  pathToken: TOKEN,
  gatewayToken: "canary-gateway-token-1",
  deviceToken: "canary-device-token-1",
  hmacSecret: "canary-hmac-secret-1",
  badToken: "canarybadtoken000000000000000000002",
} as const;

/** A value as it may stand somewhere: as it is, escaped, encoded at any offset, with the marks of its kind. */
function forms(value: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const whole = bytes.toString("base64").replace(/=+$/, "");
    // The first and last characters also hold bits of the neighbours.
    const inner = whole.slice(shift === 0 ? 0 : shift + 1, -1);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const escaped = [encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  const ascii = [...value].map((c) =>
    c > "~" ? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}` : c,
  );
  const hex = Buffer.from(value).toString("hex");
  const marked = /^\d{11}$/.test(value)
    ? [value.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4")]
    : /^\d{14}$/.test(value)
      ? [value.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5")]
      : /^55\d{11}$/.test(value)
        ? [value.slice(2), value.replace(/55(..)(.....)(....)/, "($1) $2-$3")]
        : [];
  return [...new Set([value, ...escaped, ascii.join(""), hex, ...base64, ...marked])];
}

/** Names of the canaries that are in it. */
function found(text: string): string[] {
  return Object.entries(CANARIES).flatMap(([name, value]) =>
    forms(value).some((form) => text.includes(form)) ? [name] : [],
  );
}

/** Everything in a folder, byte for byte. Keys of a development install stand in a file of their own on purpose. */
function onDisk(folder: string): string {
  return [...folderBytes(folder)]
    .filter(([file]) => !file.includes("console"))
    .map(([, bytes]) => bytes.toString("latin1"))
    .join("\n");
}

async function stored(prosa: Prosa, kind: StoreKind): Promise<string> {
  if (kind === "embedded") return onDisk(prosa.env["PROSA_DATA_DIR"] ?? "");
  const redis = new Redis(prosa.env["REDIS_URL"] ?? "");
  await redis.save();
  const [, folder = ""] = await redis.config("GET", "dir");
  const keys = (await redis.keys("*")).join("\n");
  redis.disconnect();
  return `${onDisk(folder)}\n${keys}`;
}

interface Told {
  /** First word of the path. */
  readonly asked: string;
  /** An answer with data for an operator's eyes, not an error. */
  readonly isData: boolean;
  readonly text: string;
}

/** What operators work with, and see: names and words of conversations. Numbers are masked, secrets never shown. */
const SEEN: readonly string[] = ["name", "words", "shout"];

/** The flagship and everything around it, with a canary wherever a person or a setting puts one, and things going wrong. */
async function live(prosa: Prosa): Promise<Told[]> {
  const told: Told[] = [];
  const ask = async (method: string, target: string, body?: unknown) => {
    const { status, text } = await prosa.http(method, target, body);
    told.push({ asked: target.split("/")[1] ?? "", isData: status < 400, text });
  };
  // Its answer shows the addresses to paste into the gateway, tokens and all: not looked at.
  const added = await prosa.http("POST", "/api/accounts", {
    ...{ id: "canary", name: CANARIES.name },
    gateway: { token: CANARIES.gatewayToken, deviceToken: CANARIES.deviceToken },
    channels: [
      { channel: "engine-b", token: TOKEN },
      { channel: "engine-a", token: TOKEN, hmac: { secrets: [CANARIES.hmacSecret] } },
    ],
    operators: [{ name: CANARIES.name, alias: `phone:${CANARIES.phone}` }],
    invoicingToken: TOKEN,
  });
  expect(added.status).toBe(200);
  // Wrong in every way that makes an error text.
  await ask("POST", "/api/accounts", {
    id: "x",
    name: CANARIES.name,
    gateway: { token: `${CANARIES.gatewayToken} á` },
  });
  await ask("POST", `/webhooks/engine-b/${CANARIES.badToken}`, { cpf: CANARIES.cpf });
  await ask("POST", `/webhooks/engine-b/${TOKEN}`, `{"broken": "${CANARIES.cpf}`);
  await ask("POST", `/webhooks/engine-a/${TOKEN}`, { data: { text: CANARIES.words } });
  await ask("POST", `/webhooks/invoicing/${TOKEN}`, {
    status: "autorizada",
    tomador: CANARIES.cnpj,
  });
  await ask("GET", `/login?token=${CANARIES.gatewayToken}`);
  await ask("POST", "/api/outbox/demo/x/y/retry", { reason: CANARIES.cnpj });

  const fault = (route: string, effect: object) =>
    prosa.control("POST", "/sandbox/faults", { route, effect, times: 1 });
  await fault("message.sendText", { kind: "status", status: 500, message: CANARIES.cpf });
  const phone = prosa.phone(CANARIES.phone);
  const operator = prosa.phone(OPERATOR);
  await phone.says({ text: CANARIES.shout, name: CANARIES.name });
  const code = await toRequest(phone, operator, {
    ...{ document: CANARIES.cpf, name: CANARIES.name, description: CANARIES.words },
  });
  await fault("invoicing.nfseEnvio", {
    ...{ kind: "business_error", message: `E0202 - tomador ${CANARIES.cpf} ${CANARIES.name}` },
  });
  await operator.asks(`aprovar ${code}`, /aprovado/);
  await phone.waitFor(/./);
  await phone.says(`meu e-mail é ${CANARIES.email} e o CNPJ ${CANARIES.cnpj}`);
  await phone.waitFor(/./);
  for (const target of ["/metrics", "/health/ready", "/health/live", "/api/backlog", "/api/pauses"])
    await ask("GET", target);
  for (const target of ["/api/sessions", "/api/outbox", "/api/invoices", "/api/dead", "/api/audit"])
    await ask("GET", target);
  return told;
}

test.concurrent.each(["embedded", "redis"] as const)(
  "nothing of a person and no secret stands in clear in logs, on disk, in metrics, errors or addresses, on %s",
  async (kind) => {
    const prosa = await startProsa({ store: kind, env: { LOG_LEVEL: "trace" } });
    try {
      const told = await live(prosa);

      const requests = await prosa.rows("requests");
      // The search itself finds: what was sent to phones and to the authority is there in clear.
      const bodies = JSON.stringify(requests);
      expect(found(bodies)).toEqual(expect.arrayContaining(["cpf", "phone", "name", "words"]));
      const addresses = requests.map((row) => textIn(row["path"])).join("\n");
      expect({ addresses: found(addresses) }).toEqual({ addresses: [] });
      expect(prosa.log().length).toBeGreaterThan(500);
      expect({ log: found(prosa.log()) }).toEqual({ log: [] });
      const disk = await stored(prosa, kind);
      expect(disk.length).toBeGreaterThan(5_000);
      expect({ disk: found(disk) }).toEqual({ disk: [] });
      for (const { asked, isData, text } of told) {
        const mayShow = asked === "api" && isData ? SEEN : [];
        // Beside a sandbox people are made up, and the console shows where they write from.
        const left = found(text.replaceAll(/"address":"[^"]*"/g, "")).filter(
          (name) => !mayShow.includes(name),
        );
        expect({ text, left }).toEqual({ text, left: [] });
      }
    } finally {
      await prosa.close();
    }
  },
);
