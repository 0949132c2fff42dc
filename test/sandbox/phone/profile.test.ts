import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, stage, textOf, until, type Body, type Stage } from "../stage.ts";

const OWN = "5511911112222";
const OTHER_BUSINESS = "5511911113333";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const profile = async (number: string, as = {}): Promise<Body | undefined> =>
  (await now.call("chat.fetchProfile", { number }, as)).body["response"];
const picture = async (number: string, as = {}): Promise<unknown> =>
  (await now.call("chat.fetchProfilePictureUrl", { number }, as)).body["response"]?.[
    "profilePictureUrl"
  ];
const ownPicture = () => `${now.sandbox.url()}/sandbox/files/logo.png`;

describe("the business's profile", () => {
  test("shows the name, the line and the picture it was given, to itself and to others", async () => {
    await now.call("chat.updateProfileName", { name: "Loja da Ana" });
    await now.call("chat.updateProfileStatus", { status: "Aberto até 18h" });
    await now.call("chat.updateProfilePicture", { picture: ownPicture() });
    for (const as of [{}, { as: SECOND }]) {
      expect(await profile(OWN, as)).toMatchObject({
        wuid: `${OWN}@s.whatsapp.net`,
        name: "Loja da Ana",
        numberExists: true,
        isBusiness: true,
        status: { status: "Aberto até 18h" },
      });
      const served = await now.http("GET", new URL(textOf(await picture(OWN, as))).pathname);
      expect([served.status, served.headers["content-type"]]).toEqual([200, "image/png"]);
    }
    expect(await profile(OTHER_BUSINESS)).toMatchObject({ name: "Loja", picture: null });
    await now.call("chat.removeProfilePicture");
    expect(await picture(OWN)).toBeNull();
  });

  test("is told with the next connection", async () => {
    await now.call("chat.updateProfileName", { name: "Loja da Ana" });
    await now.call("instance.restart", {});
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    const open = await until(() =>
      now.bot.of("engine-b").find((one) => textOf(one.body["data"]?.["state"]) === "open"),
    );
    expect(open.body["data"]).toMatchObject({ profileName: "Loja da Ana" });
  });

  test("takes no picture from elsewhere, none that is no picture, and no words beyond their bound", async () => {
    const refusals = [
      ["chat.updateProfilePicture", { picture: "https://files.example.org/logo.png" }],
      ["chat.updateProfilePicture", { picture: `${now.sandbox.url()}/sandbox/clock` }],
      ["chat.updateProfilePicture", { picture: `${now.sandbox.url()}/sandbox/pictures/none` }],
      ["chat.updateProfileName", { name: "x".repeat(101) }],
      ["chat.updateProfileStatus", { status: "x".repeat(140) }],
    ] as const;
    for (const [id, body] of refusals) {
      const answer = await now.call(id, body);
      expect([id, answer.status, answer.body["error"]]).toEqual([id, 400, true]);
    }
    expect(await profile(OWN)).toMatchObject({ name: "Loja", picture: null });
  });

  test("needs an open phone", async () => {
    await now.call("instance.logout");
    expect((await now.call("chat.updateProfileName", { name: "x" })).status).toBe(400);
    await now.call("instance.delete");
    expect((await now.call("chat.fetchPrivacySettings")).status).toBe(404);
  });
});

describe("other people's profiles", () => {
  test("show the name they wrote under, and whether they exist", async () => {
    expect(await profile(CUSTOMER)).toMatchObject({ name: null, numberExists: true });
    const marina = { from: CUSTOMER, name: "Marina", text: "oi" };
    await now.http("POST", "/sandbox/inbound", marina);
    expect(await profile(CUSTOMER)).toMatchObject({ name: "Marina", isBusiness: false });
    expect(await profile(CUSTOMER, { as: SECOND })).toMatchObject({ name: null });
    expect(await profile("5500999990000")).toMatchObject({ numberExists: false });
    const looked = await now.call("chat.messengerNumbers", { numbers: [CUSTOMER] });
    expect(looked.body["response"]).toMatchObject([{ name: "Marina" }]);
  });
});

describe("privacy", () => {
  const six = {
    readreceipts: "none",
    profile: "none",
    status: "none",
    online: "match_last_seen",
    last: "contacts",
    groupadd: "contact_blacklist",
  };

  test("is kept as set, apart from the other caller's, and hides what it hides", async () => {
    await now.call("chat.updateProfilePicture", { picture: ownPicture() });
    await now.call("chat.updateProfileStatus", { status: "Aberto" });
    const set = await now.call("chat.updatePrivacySettings", six);
    expect(set.body["response"]).toEqual({ update: "success", data: six });
    const read = async (as = {}) =>
      (await now.call("chat.fetchPrivacySettings", undefined, as)).body["response"];
    expect(await read()).toEqual(six);
    expect(await read({ as: SECOND })).toMatchObject({ profile: "all", readreceipts: "all" });
    expect(await profile(OWN, { as: SECOND })).toMatchObject({
      picture: null,
      status: { status: "" },
    });
  });

  test("wants all six", async () => {
    const { groupadd: _left, ...five } = six;
    const answer = await now.call("chat.updatePrivacySettings", five);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body["errors"] as object)).toEqual(["groupadd"]);
  });
});
