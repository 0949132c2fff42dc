/**
 * The form of `npm run bench` against the very bot it measures: no other test would see that its people expect replies the
 * product no longer gives, which makes every row of Prosa void. Nothing is timed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { PATH } from "../bench/message/contestant.ts";
import { Crowd } from "../bench/message/crowd.ts";
import { answer, LENGTHS, questions } from "../bench/message/form.ts";
import { startBot } from "../bench/message/prosa-bot.ts";
import { FULL } from "../bench/message/run.ts";
import { Lines, openSink } from "../bench/message/wire.ts";
import { freePort } from "../support/ports.ts";
import { startRedis } from "../support/redis.ts";

/** Who fills in the form, all at once. */
const PEOPLE = 3;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The bot with its Redis and the server of replies, and people who fill in a form of so many questions. */
async function bench(length: (typeof LENGTHS)[number]) {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-bench-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const [redis, port] = await Promise.all([startRedis(), freePort()]);
  undo.push(() => redis.stop());
  const crowd = new Crowd(length);
  const sink = await openSink(crowd.take);
  undo.push(() => sink.close());
  const places = { redisUrl: redis.url, sinkUrl: sink.url, port, folder };
  const bot = await startBot({ ...places, blockedMs: 0 });
  undo.push(() => bot.stop());
  const lines = new Lines(port, PATH);
  undo.push(() => lines.close());
  return { bot, crowd, lines };
}

/** What is stored of everybody, as text, nothing masked. */
async function sessionsOf(api: string): Promise<string> {
  const get = async (route: string): Promise<unknown> =>
    (await fetch(`${api}/api/sessions${route}`)).json();
  const { items } = (await get("?account=demo")) as { items: readonly { contact: string }[] };
  const all = await Promise.all(items.map(({ contact }) => get(`/demo/${contact}?reveal=true`)));
  return JSON.stringify(all);
}

test("people of the benchmark get the replies they expect, and every answer is held as it was given", async () => {
  const [length] = LENGTHS;
  const { bot, crowd, lines } = await bench(length);
  const people = crowd.people(0, PEOPLE);
  /** Everybody says so many lines: each their own, whoever is answered first. */
  const said = async (count: number) => {
    const all = await Promise.all(people.map((one) => crowd.press(lines, [one], count, 1)));
    return {
      times: all.reduce((sum, { times }) => sum + times.length, 0),
      wrong: all.flatMap(({ wrong }) => wrong),
      forms: all.reduce((sum, { forms }) => sum + forms, 0),
    };
  };

  // All but the last answer: what is held by then stands in the conversation.
  expect(await said(length)).toEqual({ times: PEOPLE * length, wrong: [], forms: 0 });
  const held = await sessionsOf(bot.adminUrl);
  for (const { index } of people)
    for (const [place, question] of questions(length).slice(0, -1).entries())
      if (question.kind === "cpf")
        expect(held).toContain(answer(question, place, index).text.replace(/\D/g, ""));

  expect(await said(1)).toEqual({ times: PEOPLE, wrong: [], forms: PEOPLE });
});

test("what is shown of a masked answer is shared by no two people and places of a run", () => {
  for (const length of LENGTHS) {
    const documents = questions(length).flatMap((question, place) =>
      question.kind === "cpf"
        ? Array.from({ length: FULL.people[length] }, (_, person) =>
            answer(question, place, person),
          )
        : [],
    );
    expect(documents.length).toBeGreaterThan(0);
    expect(new Set(documents.map(({ masked }) => masked)).size).toBe(documents.length);
  }
});
