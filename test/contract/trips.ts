/** What must be seen after each call, per route and body form: where the call went, somebody can look it up. */
import { expect } from "vitest";
import type { RouteId } from "../../src/gateway/index.ts";
import { textOf, type Body } from "../sandbox/stage.ts";
import { FISCAL_TRIPS } from "./trips-fiscal.ts";
import { GROUP_TRIPS } from "./trips-group.ts";
import { PERSON, type Scene } from "./scene.ts";

export interface Play {
  /** Done before the call; its result is handed to `body` and `seen`. */
  readonly before?: (scene: Scene) => Promise<unknown>;
  /** The body sent instead of the example, where that names things which do not exist yet. */
  readonly body?: (scene: Scene, prepared: Body) => unknown;
  readonly seen: (went: Went) => unknown;
}

export interface Went {
  readonly scene: Scene;
  /** The body as the caller gave it. */
  readonly body: Body;
  /** The payload of the answer, as it came. */
  readonly raw: Body;
  readonly prepared: Body;
}

export type Plays = Readonly<Record<string, Play>>;

const FIRST_MESSAGE = "3A1F0C9D2B7E4A5566F1";
const PICTURE = "3A1F0C9D2B7E4A5566F4";
const OWN_MESSAGE = "3EB0A1B2C3D4E5F60718";
const OWN_NUMBER = "5511911112222";
const jid = `${PERSON}@s.whatsapp.net`;

/** The person got a message of the answered id, and reads this. */
const reads =
  (text: string, more: object = {}) =>
  async ({ scene, raw }: Went) => {
    const row = await scene.last();
    expect(row).toMatchObject({ text, ...more });
    expect(JSON.stringify(raw)).toContain(row["id"]);
  };
const read = (text: string): Play => ({ seen: reads(text) });

/** The message's bytes come back by the download call, and the person reads this. */
const carries =
  (field: string, text: string): Play["seen"] =>
  async (went) => {
    await reads(text)(went);
    const { scene, body, raw } = went;
    await bytesAre(scene, raw, textOf(body[field]));
  };

async function bytesAre(scene: Scene, raw: Body, source: string): Promise<void> {
  const media = await scene.ask("chat.getBase64FromMediaMessage", {
    message: { key: { id: raw["key"]?.["id"] } },
  });
  const wanted = source.startsWith("http")
    ? Buffer.from(await (await fetch(source)).arrayBuffer()).toString("base64")
    : source;
  expect(media["base64"]).toBe(wanted);
}

/** The post stands among the stories and its viewer is the one who writes with us. */
const posted =
  (text: string, media = false): Play["seen"] =>
  async ({ scene, raw, body }) => {
    const post = (await scene.rows(`status?viewer=${PERSON}`)).at(-1);
    expect(post).toMatchObject({ id: raw["key"]?.["id"], text });
    if (media) await bytesAre(scene, raw, textOf(body["content"]));
  };

const profileOfOwn = (scene: Scene) => scene.ask("chat.fetchProfile", { number: OWN_NUMBER });
const stateOf = async (scene: Scene) =>
  (await scene.ask("instance.connectionState"))["instance"]?.["state"];
const instanceOf = async (scene: Scene) =>
  (await scene.rows("instances")).find((row) => textOf(row["device"]) === "sandbox-device");

/** Whether the engine still knows this device's instance. */
async function answersState(scene: Scene): Promise<string> {
  const outcome = await scene.gateway.instance.connectionState();
  return outcome.kind;
}

const MESSAGE_TRIPS = {
  "message.sendText": {
    plain: read("Olá! Sua nota está pronta."),
    reply: {
      body: () => ({ number: PERSON, text: "Pronto!", quoted: { key: { id: FIRST_MESSAGE } } }),
      seen: reads("Pronto!", { quoted: { id: FIRST_MESSAGE, text: "oi" } }),
    },
    mentionAll: {
      seen: async ({ scene, raw }) => {
        expect(await scene.last("120363000000000001@g.us")).toMatchObject({
          id: raw["key"]?.["id"],
          route: "message.sendText",
        });
        const group = (await scene.rows("groups"))[0]?.["participants"] as unknown as Body[];
        const others = group.filter((member) => !textOf(member["id"]).startsWith(OWN_NUMBER));
        expect(raw["contextInfo"]?.["mentionedJid"]).toEqual(others.map((member) => member["id"]));
      },
    },
  },
  "message.sendTextQueue": {
    default: {
      seen: async ({ scene, raw }) => {
        await scene.stage.http("POST", "/sandbox/clock", { advance: "30s" });
        const [job] = (await scene.ask("jobs.find", { id: [raw["id"]] })) as unknown as Body[];
        expect(job).toMatchObject({ id: raw["id"], status: "done" });
        expect(await scene.last()).toMatchObject({ text: "Olá! Sua nota está pronta." });
      },
    },
  },
  "message.sendStatus": {
    text: { seen: posted("Olá! Sua nota está pronta.") },
    media: { seen: posted("[image] Olá! Sua nota está pronta.", true) },
    audio: { seen: posted("[audio]", true) },
  },
  "message.sendButtons": { default: read("Confirma?\nNota de R$ 150,00\n1. Sim\n2. Não") },
  "message.sendPoll": {
    default: {
      seen: async (went) => {
        await reads("Qual serviço?\n1. Consultoria\n2. Manutenção")(went);
        const poll = went.raw["key"]?.["id"];
        const vote = { from: PERSON, poll_vote: { poll, options: ["Manutenção"] } };
        expect((await went.scene.stage.http("POST", "/sandbox/inbound", vote)).status).toBe(202);
        expect(JSON.stringify((await went.scene.last())["votes"])).toContain("Manutenção");
      },
    },
  },
  "message.sendMedia": {
    imageBase64: { seen: carries("media", "[image logo.png] Logo") },
    spreadsheetUrl: { seen: carries("media", "[document notas.xlsx] Notas do mês") },
    spreadsheetBase64: { seen: carries("media", "[document notas.xlsx] Notas do mês") },
    pdfBase64: { seen: carries("media", "[document nota.pdf] Sua nota") },
  },
  "message.sendMessengerAudio": {
    url: { seen: carries("audio", "[audio]") },
    base64: { seen: carries("audio", "[audio]") },
  },
  "message.sendSticker": {
    url: { seen: carries("sticker", "[sticker]") },
    base64: { seen: carries("sticker", "[sticker]") },
  },
  "message.sendLocation": { default: read("[location] Loja, Av. Paulista, 1000, São Paulo") },
  "message.sendReaction": { default: read("👍") },
  "message.sendContact": { default: read("[contact] Atendimento +55 11 90000-0001") },
  "call.offer": {
    default: {
      seen: async ({ scene }) =>
        expect(await scene.last()).toMatchObject({ route: "call.offer", text: "[call] 5 s" }),
    },
  },
} satisfies Partial<Record<RouteId, Plays>>;

const PHONE_TRIPS = {
  "instance.create": {
    default: {
      before: (scene) => scene.ask("instance.delete"),
      seen: async ({ scene, raw }) => {
        expect(textOf(raw["qrcode"]?.["base64"])).toMatch(/^data:image\/png;base64,/);
        expect(await instanceOf(scene)).toMatchObject({ instance: "loja1", state: "connecting" });
        await scene.stage.http("POST", "/sandbox/instance", { do: "scan" });
        await scene.stage.http("POST", "/sandbox/clock", { advance: "1m" });
        expect(await stateOf(scene)).toBe("open");
      },
    },
  },
  "instance.connect": {
    default: {
      before: (scene) => scene.ask("instance.logout"),
      seen: async ({ scene, raw }) => {
        expect(textOf(raw["code"])).not.toBe("");
        expect(textOf(raw["base64"])).toMatch(/^data:image\/png;base64,/);
        expect(await stateOf(scene)).toBe("connecting");
      },
    },
  },
  "instance.connectionState": {
    default: {
      before: (scene) => scene.stage.http("POST", "/sandbox/instance", { do: "drop", reason: 402 }),
      seen: ({ raw }) => expect(raw["instance"]?.["state"]).toBe("close"),
    },
  },
  "instance.restart": { default: { seen: reconnects } },
  "instance.restartPost": { default: { seen: reconnects } },
  "instance.logout": {
    default: {
      seen: async ({ scene }) => {
        expect(await stateOf(scene)).toBe("close");
        expect(JSON.stringify(await scene.ask("instance.connect"))).toContain("base64");
      },
    },
  },
  "instance.delete": {
    default: { seen: async ({ scene }) => expect(await answersState(scene)).not.toBe("ok") },
  },
  "settings.set": {
    default: {
      seen: async ({ scene, body }) => expect(await scene.ask("settings.find")).toMatchObject(body),
    },
  },
  "settings.find": {
    default: {
      before: (scene) => scene.ask("settings.set", { reject_call: true, msg_call: "Escreva." }),
      seen: ({ raw }) => expect(raw).toMatchObject({ reject_call: true, msg_call: "Escreva." }),
    },
  },
} satisfies Partial<Record<RouteId, Plays>>;

async function reconnects({ scene }: Went): Promise<void> {
  const states = async () =>
    (await scene.rows("webhooks")).flatMap((row) => {
      const data = row["body"]?.["data"];
      return textOf(row["channel"]) === "engine-b" && data?.["state"] ? [data["state"]] : [];
    });
  await scene.stage.http("POST", "/sandbox/clock", { advance: "1m" });
  expect(await states()).toContain("connecting");
  expect(await stateOf(scene)).toBe("open");
}

const CHAT_TRIPS = {
  "chat.messengerNumbers": {
    default: {
      seen: ({ raw }) => expect((raw as unknown as Body[])[0]).toMatchObject({ exists: true, jid }),
    },
  },
  "chat.findChats": {
    default: {
      seen: ({ raw }) =>
        expect((raw as unknown as Body[]).map((chat) => chat["remoteJid"])).toContain(jid),
    },
  },
  "chat.findMessages": {
    default: {
      seen: ({ raw }) => {
        const records = raw["messages"]?.["records"] as unknown as Body[];
        const ids = records.map((record) => record["key"]?.["id"]);
        expect(ids).toEqual([OWN_MESSAGE, PICTURE, FIRST_MESSAGE]);
      },
    },
  },
  "chat.findContacts": {
    default: {
      seen: ({ raw }) =>
        expect((raw as unknown as Body[]).map((one) => one["remoteJid"])).toEqual([jid]),
    },
  },
  "chat.fetchProfilePictureUrl": {
    default: {
      before: (scene) =>
        scene.ask("chat.updateProfilePicture", { picture: `${scene.origin}/sandbox/files/a.png` }),
      body: () => ({ number: OWN_NUMBER }),
      seen: async ({ raw }) => {
        const picture = await fetch(textOf(raw["profilePictureUrl"]));
        expect(picture.headers.get("content-type")).toBe("image/png");
      },
    },
  },
  "chat.fetchProfile": {
    default: {
      before: (scene) => scene.ask("chat.updateProfileName", { name: "Loja Nova" }),
      body: () => ({ number: OWN_NUMBER }),
      seen: ({ raw }) => expect(raw).toMatchObject({ name: "Loja Nova", numberExists: true }),
    },
  },
  "chat.getBase64FromMediaMessage": {
    default: {
      seen: ({ raw }) => {
        expect(raw).toMatchObject({ mediaType: "imageMessage" });
        expect(Buffer.from(textOf(raw["base64"]), "base64").length).toBeGreaterThan(10);
      },
    },
  },
  "chat.deleteMessageForEveryone": {
    default: {
      before: (scene) => scene.ask("message.sendText", { number: PERSON, text: "engano" }),
      body: (_, { key }) => ({ id: key?.["id"], remoteJid: jid, fromMe: true }),
      seen: async ({ scene, body }) => {
        const row = (await scene.rows(`messages?number=${PERSON}`)).find(
          (one) => textOf(one["id"]) === textOf(body["id"]),
        );
        expect(row).toMatchObject({ deleted: true });
      },
    },
  },
  "chat.updateProfileName": {
    default: {
      seen: async ({ scene }) =>
        expect(await profileOfOwn(scene)).toMatchObject({ name: "Loja Um" }),
    },
  },
  "chat.updateProfileStatus": {
    default: {
      seen: async ({ scene }) =>
        expect((await profileOfOwn(scene))["status"]).toMatchObject({ status: "Aberto até 18h" }),
    },
  },
  "chat.updateProfilePicture": {
    default: {
      seen: async ({ scene }) => {
        const { picture } = (await profileOfOwn(scene)) as { picture?: Body };
        expect((await fetch(textOf(picture))).headers.get("content-type")).toBe("image/png");
      },
    },
  },
  "chat.removeProfilePicture": {
    default: {
      before: (scene) =>
        scene.ask("chat.updateProfilePicture", { picture: `${scene.origin}/sandbox/files/a.png` }),
      seen: async ({ scene }) => expect((await profileOfOwn(scene))["picture"]).toBeNull(),
    },
  },
  "chat.fetchPrivacySettings": {
    default: {
      before: (scene) =>
        scene.ask("chat.updatePrivacySettings", {
          readreceipts: "none",
          profile: "none",
          status: "all",
          online: "all",
          last: "none",
          groupadd: "contacts",
        }),
      seen: ({ raw }) => expect(raw).toMatchObject({ profile: "none", groupadd: "contacts" }),
    },
  },
  "chat.updatePrivacySettings": {
    default: {
      seen: async ({ scene, body }) =>
        expect(await scene.ask("chat.fetchPrivacySettings")).toEqual(body),
    },
  },
  "label.handleLabel": {
    default: {
      seen: async ({ scene }) => {
        const where = { remoteJid: jid };
        const [chat] = (await scene.ask("chat.findChats", { where })) as unknown as Body[];
        expect(chat?.["labels"]).toEqual(["1"]);
        await scene.ask("label.handleLabel", { number: PERSON, labelId: "1", action: "remove" });
        const [bare] = (await scene.ask("chat.findChats", { where })) as unknown as Body[];
        expect(bare?.["labels"]).toEqual([]);
      },
    },
  },
  "label.findLabels": {
    default: {
      seen: ({ raw }) =>
        expect((raw as unknown as Body[]).map((label) => label["id"])).toContain("1"),
    },
  },
} satisfies Partial<Record<RouteId, Plays>>;

const text = "Olá! Sua nota está pronta.";
const CHANNEL_TRIPS = {
  "engineA.sendText": { default: read(text) },
  "engineA.reply": {
    default: { seen: reads(text, { quoted: { id: FIRST_MESSAGE, text: "oi" } }) },
  },
  "engineA.sendFile64": { default: read("[document] Sua nota") },
  "engineA.sendLocation": { default: read("[location] Loja") },
  "engineC.connect": {
    default: {
      body: (scene) => ({ webhookUrl: `${scene.stage.bot.url}/own`, subscribe: ["CALL"] }),
      seen: async ({ scene }) => {
        const rows = await scene.rows("subscriptions");
        const mine = rows.find(
          (row) =>
            textOf(row["channel"]) === "engine-c" && textOf(row["device"]) === "sandbox-device",
        );
        expect(mine).toMatchObject({ urls: [`${scene.stage.bot.url}/own`], filter: ["CALL"] });
      },
    },
  },
  "engineC.sendText": { default: read(text) },
  "engineC.sendMedia": {
    default: {
      body: (scene) => ({
        number: PERSON,
        url: `${scene.origin}/sandbox/files/nota.pdf`,
        type: "document",
        filename: "nota.pdf",
      }),
      seen: reads("[document nota.pdf]"),
    },
  },
  "engineC.sendPoll": { default: read("Qual serviço?\n1. Consultoria\n2. Manutenção") },
  "engineC.sendLocation": { default: read("[location] Loja, Av. Paulista, 1000") },
  "official.sendText": { default: read(text) },
  "sms.send": { default: read(text) },
} satisfies Partial<Record<RouteId, Plays>>;

/** Every route of the contract: one without an entry does not compile. */
export const TRIPS: Readonly<Record<RouteId, Plays>> = {
  ...MESSAGE_TRIPS,
  ...PHONE_TRIPS,
  ...CHAT_TRIPS,
  ...GROUP_TRIPS,
  ...FISCAL_TRIPS,
  ...CHANNEL_TRIPS,
};
