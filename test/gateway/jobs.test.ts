import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createGateway,
  formatJobTime,
  JOBS_PER_REQUEST,
  jobEnded,
  lookUpJobs,
  type CallOutcome,
  type FindJobs,
  type Gateway,
  type Job,
} from "../../src/gateway/index.ts";
import { json, startRemote, type Remote } from "./remote.ts";

const idOf = (index: number) => `3f0c2d9a-0000-4000-8000-${String(index).padStart(12, "0")}`;
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => idOf(index));

/** A queue that knows some jobs, answers all or nothing, and keeps which ids each request asked for. */
function queue(known: ReadonlyMap<string, Partial<Job>>) {
  const asked: string[][] = [];
  const find: FindJobs = (ids) => {
    asked.push([...ids]);
    const jobs = ids.map((id) => known.get(id));
    const outcome: CallOutcome<readonly Job[]> = jobs.includes(undefined)
      ? { kind: "refused", status: 422, message: "Job não encontrado.", ms: 1 }
      : okOf(
          ids.map((id) => ({ id, status: "queued", processed_at: "", ...(known.get(id) ?? {}) })),
        );
    return Promise.resolve(outcome);
  };
  return { find, asked };
}
const okOf = (data: readonly Job[]): CallOutcome<readonly Job[]> => ({
  kind: "ok",
  status: 200,
  data,
  raw: [],
  ms: 1,
});
const DONE = { status: "done", processed_at: "21/11/2026 09:00:07" };

describe("the times of a job", () => {
  test.each([
    [Date.UTC(2026, 10, 21, 12, 0, 0), "21/11/2026 09:00:00"],
    [Date.UTC(2026, 10, 22, 2, 59, 59, 999), "21/11/2026 23:59:59"],
    // Summer time was in force until 2019.
    [Date.UTC(2019, 0, 15, 14, 0, 0), "15/01/2019 12:00:00"],
    [Date.UTC(2024, 1, 29, 3, 0, 0), "29/02/2024 00:00:00"],
    [null, ""],
  ])("%j is written as %j", (at, text) => {
    expect(formatJobTime(at)).toBe(text);
  });

  test("only a filled processed_at ends a job, whatever its state is called", () => {
    expect(jobEnded({ processed_at: "" })).toBe(false);
    expect(jobEnded({})).toBe(false);
    expect(jobEnded({ processed_at: "21/11/2026 09:00:07" })).toBe(true);
    expect(jobEnded({ processed_at: "at some time" })).toBe(true);
  });
});

describe("looking jobs up", () => {
  test("the unknown ids are found by halving, and every other job is told", async () => {
    const lost = new Set([3, 17, 18, 49, 120].map(idOf));
    const all = idsOf(130);
    const { find, asked } = queue(
      new Map(
        all
          .filter((id) => !lost.has(id))
          .map((id, index) => [id, index % 2 === 0 ? DONE : { status: "ruminating" }]),
      ),
    );
    const found = await lookUpJobs(find, all);
    expect(new Set(found.unknown)).toEqual(lost);
    expect(found.unanswered).toEqual([]);
    expect([...found.ended, ...found.pending].map((job) => job.id).sort()).toEqual(
      all.filter((id) => !lost.has(id)).sort(),
    );
    expect(found.pending.every((job) => job.status === "ruminating")).toBe(true);
    expect(Math.max(...asked.map((ids) => ids.length))).toBe(JOBS_PER_REQUEST);
    expect(asked.length).toBeLessThan(60);
  });

  test("whatever is unknown, each id comes back exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (known, perRequest) => {
          const all = idsOf(known.length);
          const { find } = queue(
            new Map(all.filter((_, index) => known[index]).map((id) => [id, DONE])),
          );
          const found = await lookUpJobs(find, all, { perRequest });
          expect(found.unknown.toSorted()).toEqual(all.filter((_, index) => !known[index]));
          expect(found.ended.map((job) => job.id).sort()).toEqual(
            all.filter((_, index) => known[index]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("no ids make no request, and duplicates and ids of no such form are not asked for twice or at all", async () => {
    const { find, asked } = queue(new Map([[idOf(1), DONE]]));
    expect(await lookUpJobs(find, [])).toEqual({
      ended: [],
      pending: [],
      unknown: [],
      unanswered: [],
    });
    expect(asked).toEqual([]);
    const found = await lookUpJobs(find, [idOf(1), idOf(1).toUpperCase(), "", "42", idOf(1)]);
    expect(asked).toEqual([[idOf(1)]]);
    expect(found).toMatchObject({ ended: [{ id: idOf(1) }], unknown: ["", "42"] });
  });

  test("an answer that leaves an id out says nothing about it", async () => {
    const find: FindJobs = () =>
      Promise.resolve(okOf([{ id: idOf(1), status: "queued", processed_at: "" }]));
    expect(await lookUpJobs(find, idsOf(3))).toMatchObject({
      pending: [{ id: idOf(1) }],
      unknown: [],
      unanswered: [idOf(0), idOf(2)],
    });
  });

  test("the requests of one look-up are bounded, and a failure ends it: the rest is unanswered, not unknown", async () => {
    const { find, asked } = queue(new Map());
    const found = await lookUpJobs(find, idsOf(40), { maxRequests: 5 });
    expect(asked).toHaveLength(5);
    expect(found.unknown.length + found.unanswered.length).toBe(40);
    expect(found.unanswered.length).toBeGreaterThan(30);
    const down: CallOutcome<readonly Job[]> = {
      kind: "unknown",
      reason: "server_error",
      status: 502,
      ms: 1,
    };
    let calls = 0;
    const failing: FindJobs = () => Promise.resolve(((calls += 1), down));
    expect(await lookUpJobs(failing, idsOf(120))).toMatchObject({
      unknown: [],
      unanswered: idsOf(120),
      failure: { kind: "unknown", reason: "server_error" },
    });
    expect(calls).toBe(1);
  });

  test("a gateway that flattens its refusal to a 200 is understood as well", async () => {
    const find: FindJobs = (ids) =>
      Promise.resolve(
        ids.includes(idOf(2))
          ? { kind: "business_error", message: "Job não encontrado.", status: 200, ms: 1 }
          : okOf(ids.map((id) => ({ id, status: "queued", processed_at: "" }))),
      );
    expect(await lookUpJobs(find, idsOf(4))).toMatchObject({ unknown: [idOf(2)], unanswered: [] });
  });

  test("a gateway that refuses with 404 is understood as well", async () => {
    const find: FindJobs = (ids) =>
      Promise.resolve(
        ids.includes(idOf(2))
          ? { kind: "refused", status: 404, message: "Job não encontrado.", ms: 1 }
          : okOf(ids.map((id) => ({ id, status: "queued", processed_at: "" }))),
      );
    expect(await lookUpJobs(find, idsOf(4))).toMatchObject({ unknown: [idOf(2)], unanswered: [] });
  });
});

describe("over a real connection", () => {
  let remote: Remote;
  let gateway: Gateway;
  beforeAll(async () => {
    remote = await startRemote();
  });
  afterAll(async () => {
    await gateway.close();
    await remote.close();
  });
  beforeEach(() => {
    remote.received.length = 0;
    gateway = createGateway({ baseUrl: remote.baseUrl, token: "t", deviceToken: "d" });
  });

  test("the client asks by POST without the DeviceToken, and splits what is refused", async () => {
    remote.behave((request, response, socket) => {
      const { id } = JSON.parse(request.body.toString()) as { id: string[] };
      const answer = id.includes(idOf(2))
        ? json({ message: "Job não encontrado.", errors: { id: ["não encontrado"] } }, 422)
        : json(id.map((one) => ({ id: one, ...DONE, created_at: "", diff_in_minutes: 0 })));
      answer(request, response, socket);
    });
    const found = await lookUpJobs((ids) => gateway.jobs.find({ id: [...ids] }), idsOf(4));
    expect(found.ended.map((job) => job.id)).toEqual([idOf(0), idOf(1), idOf(3)]);
    expect(found.unknown).toEqual([idOf(2)]);
    expect(remote.received.map((request) => `${request.method} ${request.url}`)).toEqual(
      Array.from({ length: 5 }, () => "POST /api/v2/jobs"),
    );
    for (const request of remote.received) expect(request.headers["devicetoken"]).toBeUndefined();
  });
});
