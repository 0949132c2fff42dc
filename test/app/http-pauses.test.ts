/** Whose turn it is on a server that plays chat files: one at a time, and what was killed lets go by itself. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpPauses, untilFree } from "../../src/app/http-pauses.ts";
import type { ApiClient } from "../../src/app/index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that keeps pauses, and ends those whose time is over as a worker does. */
function server() {
  const pauses = new Map<string, { reason: string; until?: number }>();
  const api: ApiClient = {
    url: "http://127.0.0.1:1",
    stream: () => expect.unreachable(),
    get: async () => {
      for (const [scope, { until }] of pauses)
        if (until !== undefined && until <= Date.now()) pauses.delete(scope);
      return { items: [...pauses].map(([scope, pause]) => ({ scope, ...pause })) };
    },
    send: async (method, path, body) => {
      if (method === "DELETE") pauses.delete(path.replace("/api/pauses/", ""));
      else {
        const { scope, reason, seconds } = body as Record<string, string & number>;
        const until = seconds === undefined ? {} : { until: Date.now() + seconds * 1_000 };
        pauses.set(scope ?? "", { reason: reason ?? "", ...until });
      }
      return {};
    },
  };
  return { api, pauses };
}

/** How it ended within half a minute. */
async function ended(waiting: Promise<void>): Promise<string> {
  const end = waiting.then(
    () => "free",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
  await vi.advanceTimersByTimeAsync(30_000);
  return end;
}

test("what one holds, it renews; another is told that it is not its turn", async () => {
  const { api, pauses } = server();
  const one = new HttpPauses(api);
  await one.hold("credits:replay-1");
  await vi.advanceTimersByTimeAsync(60_000);
  await api.get("/api/pauses");
  expect([...pauses.keys()]).toEqual(["credits:replay-1"]);
  expect(await ended(untilFree(api))).toContain("Another replay plays on this server");
  await one.end();
  expect([...pauses.keys()]).toEqual([]);
  expect(await ended(untilFree(api))).toBe("free");
});

test("what a killed one held ends by itself, and the next waits for that alone", async () => {
  const { api, pauses } = server();
  await api.send("POST", "/api/pauses", { scope: "plan:demo", reason: "A person's." });
  await new HttpPauses(api).hold("local:export");
  // Whoever would renew it is no more.
  vi.clearAllTimers();
  expect(await ended(untilFree(api))).toBe("free");
  expect([...pauses.keys()]).toEqual(["plan:demo"]);
});
