import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiRoutes } from "../../src/server/index.ts";
import { openHouse, type House } from "./house.ts";

const ADMIN = "admin-token-of-this-test";
let open: House;
let closed: House;
beforeAll(async () => {
  open = await openHouse({ deps: () => ({ sandboxUrl: "http://127.0.0.1:1" }) });
  closed = await openHouse({ deps: () => ({ adminToken: ADMIN }) });
});
afterAll(() => Promise.all([open.close(), closed.close()]));

/** Status of a request whose headers (Host among them) are exactly the given ones. */
function ask(
  house: House,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(house.url + path);
    const out = request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    out.on("error", reject);
    out.end();
  });
}

const filled = (path: string) =>
  `/api${path.replace(":account/:contact", `demo/${"0".repeat(32)}`).replace(/:\w+/g, "demo")}`;

describe("without an admin token", () => {
  test.each([
    ["under a loopback name", { host: "localhost:3000" }, 200],
    ["under an address of this machine", { host: "127.0.0.1:3000" }, 200],
    ["under [::1]", { host: "[::1]:3000" }, 200],
    ["under a name of the internet (DNS rebinding)", { host: "evil.example.org" }, 403],
    ["under a name that begins like ours", { host: "localhost.evil.example.org" }, 403],
    ["from our own page", { host: "localhost:3000", origin: "http://localhost:3000" }, 200],
    ["from another page", { host: "localhost:3000", origin: "https://evil.example.org" }, 403],
    ["from another local page", { host: "localhost:3000", origin: "http://localhost:4000" }, 403],
    ["from a page without an origin", { host: "localhost:3000", origin: "null" }, 403],
    ["from a form elsewhere", { host: "localhost:3000", "sec-fetch-site": "cross-site" }, 403],
    ["typed by hand", { host: "localhost:3000", "sec-fetch-site": "none" }, 200],
  ])("%s", async (_what, headers, expected) => {
    for (const path of ["/api/meta", "/metrics"])
      expect(await ask(open, path, headers)).toBe(expected);
  });

  test("every operation is refused to another origin, changes before all", async () => {
    const headers = { host: "localhost:3000", origin: "https://evil.example.org" };
    for (const { method, path } of operations())
      expect([method, path, await ask(open, filled(path), headers, method)]).toEqual([
        method,
        path,
        403,
      ]);
  });

  test("there is nothing to log in to", async () => {
    expect(await ask(open, "/login?token=x")).toBe(404);
  });
});

/** The runtime's and those of plugins. */
function operations() {
  return [...apiRoutes, ...open.deps.plugins.routes];
}

describe("with an admin token", () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test("every operation, metrics and the sandbox's proxy are shut without it", async () => {
    for (const { method, path, open: isOpen } of operations())
      expect([method, path, await ask(closed, filled(path), {}, method)]).toEqual([
        method,
        path,
        // These two are the sandbox's, and there is none here.
        isOpen === undefined ? 401 : 404,
      ]);
    for (const path of ["/metrics", "/api/sandbox/clock"])
      expect(await ask(closed, path)).toBe(401);
  });

  test.each([
    ["the token", bearer(ADMIN), 200],
    ["a wrong token", bearer("admin-token-of-this-tesT"), 401],
    ["a longer token", bearer(`${ADMIN}x`), 401],
    ["an empty token", { authorization: "Bearer " }, 401],
    ["another scheme", { authorization: `Basic ${ADMIN}` }, 401],
    ["a made-up session", { cookie: "prosa_session=9999999999999.AAAA" }, 401],
    ["a broken session", { cookie: "prosa_session=; prosa_session=.." }, 401],
  ])("%s", async (_what, headers, expected) => {
    expect(await ask(closed, "/api/meta", headers)).toBe(expected);
  });

  test("logging in sets a session that scripts cannot read and other sites cannot use", async () => {
    const answer = await fetch(`${closed.url}/login?token=${ADMIN}`, { redirect: "manual" });

    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    const set = answer.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^prosa_session=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(set).not.toContain(ADMIN);
    const cookie = set.split(";")[0] ?? "";
    expect(await ask(closed, "/api/meta", { cookie })).toBe(200);
    const foreign = { cookie, origin: "https://evil.example.org" };
    expect(await ask(closed, "/api/pauses", foreign, "POST")).toBe(403);
    const later = cookie.replace(/=(\d+)\./, (_all, ends: string) => `=${Number(ends) + 1}.`);
    expect(await ask(closed, "/api/meta", { cookie: later })).toBe(401);
  });

  test("over HTTPS the session is marked secure", async () => {
    const tls = await openHouse({
      deps: () => ({ adminToken: ADMIN, publicUrl: "https://bot.example.org" }),
    });
    const answer = await fetch(`${tls.url}/login?token=${ADMIN}`, { redirect: "manual" });
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
    expect(answer.headers.get("strict-transport-security")).toContain("max-age=31536000");
    await tls.close();
  });

  test("guessing is slowed down, and the right token waits with it", async () => {
    const guessed = await openHouse({ deps: () => ({ adminToken: ADMIN }) });
    const seen = new Set<number>();
    for (let round = 0; round < 25; round++) seen.add(await ask(guessed, `/login?token=g${round}`));
    expect(seen).toEqual(new Set([401, 429]));
    await guessed.close();
  });

  test("health stays open, because whoever watches us has no token", async () => {
    expect(await ask(closed, "/health/ready")).toBe(200);
  });
});

describe("a listener has only its own part", () => {
  test("webhooks alone have no operator API", async () => {
    const ingress = await openHouse({ parts: { admin: false } });
    for (const path of ["/api/meta", "/metrics", "/login?token=x", "/api/sandbox/clock"])
      expect(await ask(ingress, path)).toBe(404);
    expect(await ask(ingress, "/health/live")).toBe(200);
    await ingress.close();
  });

  test("webhooks alone still let a sandbox move the clock, and nothing more", async () => {
    const ingress = await openHouse({
      deps: () => ({ sandboxUrl: "http://127.0.0.1:1", adminToken: ADMIN }),
      parts: { admin: false },
    });
    expect(await ask(ingress, "/api/turns/drain", {}, "POST")).toBe(200);
    const foreign = { host: "evil.example.org" };
    expect(await ask(ingress, "/api/turns/drain", foreign, "POST")).toBe(401);
    expect(await ask(ingress, "/api/meta")).toBe(404);
    await ingress.close();
  });

  test("the operator API alone takes no webhooks", async () => {
    const admin = await openHouse({ parts: { ingress: false } });
    expect(await ask(admin, "/webhooks/engine-b/x", {}, "POST")).toBe(404);
    await admin.close();
  });

  test("the clock is told from this machine alone, whatever token comes along", async () => {
    const both = await openHouse({
      deps: () => ({ sandboxUrl: "http://127.0.0.1:1", adminToken: ADMIN }),
    });
    const elsewhere = { host: "bot.example.org", authorization: `Bearer ${ADMIN}` };
    expect(await ask(both, "/api/clock", elsewhere, "POST")).toBe(403);
    expect(both.done).toEqual([]);
    // What operators may see from elsewhere, and what consoles and replays need, they may.
    expect(await ask(both, "/api/turns/drain", elsewhere, "POST")).toBe(200);
    expect(await ask(both, "/api/meta", elsewhere)).toBe(200);
    await both.close();
  });

  test("console files stand behind the operators' access, one-time pages do not", async () => {
    const both = await openHouse({
      deps: () => ({ adminToken: ADMIN }),
      parts: { console: (app) => void app.get("/", async () => "console") },
    });
    expect(await ask(both, "/")).toBe(401);
    expect(await ask(both, "/", { authorization: `Bearer ${ADMIN}` })).toBe(200);
    // A code nobody was given is not found; nobody is asked to log in for it.
    expect(await ask(both, `/u/${"x".repeat(43)}`)).toBe(404);
    await both.close();
  });
});
