/** What is the embedded store's own: one process, one file, one transaction for what comes together. */
import { spawn } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { SqlFile } from "../../src/store/embedded/file/sql-file.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimOne,
  commitOf,
  message,
  newContact,
  sleep,
  texts,
  withEffects,
} from "./contract.ts";
import {
  changed,
  unreadableDocument,
  unreadableEffects,
  unreadableFirstKey,
  unreadableKey,
  unreadableLists,
  unreadableNote,
} from "./unreadable.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const KEYS = key("k1", 7);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "prosa-embedded-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the embedded file", () => {
  test("belongs to one process, and names the one that has it", async () => {
    const store = await openStore({ dataDir: folder, keys: KEYS });
    await expect(openStore({ dataDir: folder, keys: KEYS })).rejects.toMatchObject({
      code: "STORE_LOCKED",
      details: { pid: String(process.pid) },
    });
    await store.close();

    const script = path.join(folder, "holder.mts");
    const door = path.resolve(import.meta.dirname, "../../src/store/index.ts");
    writeFileSync(
      script,
      `import { openStore } from ${JSON.stringify(door)};
       await openStore(${JSON.stringify({ dataDir: folder, keys: KEYS })});
       process.stdout.write("open");
       setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, ["--import", "tsx", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((done) => child.stdout.once("data", done));
    await expect(openStore({ dataDir: folder, keys: KEYS })).rejects.toMatchObject({
      code: "STORE_LOCKED",
      details: { pid: String(child.pid) },
    });
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
    const after = await openStore({ dataDir: folder, keys: KEYS });
    await after.close();
  });

  test("that an older copy took the place of holds what may not be done twice", async () => {
    const first = await openStore({ dataDir: folder, keys: KEYS });
    await newContact(first);
    await first.close();
    const older = readFileSync(path.join(folder, "prosa.db"));
    const second = await openStore({ dataDir: folder, keys: KEYS });
    const note = message("note", { class: "fiscal", ordered: false });
    await withEffects(second, [note]);
    expect(await beginAll(second)).toHaveLength(1);
    await second.close();
    // A restart alone holds nothing.
    const third = await openStore({ dataDir: folder, keys: KEYS });
    expect((await third.scopes.pauses()).size).toBe(0);
    await third.close();

    writeFileSync(path.join(folder, "prosa.db"), older);
    const restored = await openStore({ dataDir: folder, keys: KEYS });
    expect([...(await restored.scopes.pauses())].sort()).toMatchObject([
      ["hold:costly", { reason: "restored" }],
      ["hold:fiscal", { reason: "restored" }],
    ]);
    await withEffects(restored, [{ ...note, id: "again" }]);
    expect(await beginAll(restored)).toEqual([]);
    for (const hold of ["hold:costly", "hold:fiscal"]) await restored.scopes.resume(hold);
    expect(await beginAll(restored)).toHaveLength(1);
    await restored.close();
    const released = await openStore({ dataDir: folder, keys: KEYS });
    expect((await released.scopes.pauses()).size).toBe(0);
    await released.close();
  });

  test("is known to be an older copy also when it was opened long after the last of these was begun", async () => {
    const file = path.join(folder, "prosa.db");
    const open = () => openStore({ dataDir: folder, keys: KEYS });
    const marks = () => readdirSync(folder).filter((name) => name.startsWith("marks."));

    let store = await open();
    await newContact(store);
    await store.close();
    const backup = readFileSync(file);

    store = await open();
    await withEffects(store, [message("note:1", { class: "fiscal", ordered: false })]);
    expect(await beginAll(store)).toHaveLength(1);
    await store.close();
    const [mark = ""] = marks();
    const long = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(path.join(folder, mark), long, long);

    // A restart at night.
    store = await open();
    await sleep(200);
    await store.close();
    expect(marks()).toEqual([mark]);

    writeFileSync(file, backup);
    store = await open();
    expect((await store.scopes.pauses()).get("hold:fiscal")?.reason).toBe("restored");
    await store.close();
  });

  test("keeps everything over a restart", async () => {
    const first = await openStore({ dataDir: folder, keys: KEYS });
    const contact = await newContact(first);
    await accept(first, contact, "kept", "e1");
    await first.close();
    await expect(accept(first, contact, "x")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });

    const second = await openStore({ dataDir: folder, keys: KEYS });
    expect(await accept(second, contact, "kept", "e1")).toBe("duplicate");
    expect(texts(await claimOne(second))).toEqual(["kept"]);
    await second.close();
  });

  test("opens with rotated keys, wraps anew what it uses, and not with foreign ones", async () => {
    const first = await openStore({ dataDir: folder, keys: KEYS });
    const contact = await newContact(first);
    await accept(first, contact, "old words");
    await first.documents.put("accounts", "demo", { name: "Demo" });
    await first.close();

    const rotated = await openStore({ dataDir: folder, keys: `${key("k2", 9)},${KEYS}` });
    const claimed = await claimOne(rotated);
    expect(texts(claimed)).toEqual(["old words"]);
    expect(await rotated.documents.get("accounts", "demo")).toMatchObject({ rev: 1 });
    await rotated.mail.commit([commitOf(claimed)]);
    await rotated.close();

    const later = await openStore({ dataDir: folder, keys: key("k2", 9) });
    expect((await later.views.session(ACCOUNT, contact))?.session).toEqual({
      heard: ["old words"],
    });
    expect(await later.documents.get("accounts", "demo")).toMatchObject({
      value: { name: "Demo" },
    });
    await later.close();
    await expect(openStore({ dataDir: folder, keys: KEYS })).rejects.toMatchObject({
      code: "KEY_UNKNOWN",
    });
    await expect(openStore({ dataDir: folder, keys: "nonsense" })).rejects.toMatchObject({
      code: "SETTING_INVALID",
    });
  });

  test("refuses what comes in when it has reached its size, and lets go on what drains", async () => {
    const store = await openStore({ dataDir: folder, keys: KEYS });
    const contact = await newContact(store);
    await accept(store, contact, "before");
    await store.close();
    const full = await openStore({ dataDir: folder, keys: KEYS, limits: { fileBytes: 1 } });
    await expect(accept(full, contact, "more")).rejects.toMatchObject({ code: "STORE_FULL" });
    const claimed = await claimOne(full);
    expect(await full.mail.commit([commitOf(claimed)])).toMatchObject([{ ok: true, left: 0 }]);
    await full.close();
  });
});

test("a document of the embedded file whose bytes changed is left out of lists, and told", async () => {
  let store = await openStore({ dataDir: folder, keys: KEYS });
  const spoil = async (what: "document" | "key", collection: string, id: string) => {
    await store.close();
    const file = new SqlFile(folder, "");
    const of = "SELECT dkey FROM collection WHERE name = ?";
    const dkey = changed(file.get<{ dkey: string }>(of, collection)?.dkey ?? "");
    await file.commit(() =>
      what === "key"
        ? file.run("UPDATE collection SET dkey = ? WHERE name = ?", dkey, collection)
        : file.run(
            "UPDATE doc SET sealed = 'garbage' WHERE collection = ? AND id = ?",
            ...[collection, id],
          ),
    );
    file.close();
    return (store = await openStore({ dataDir: folder, keys: KEYS }));
  };
  await unreadableDocument(store, spoil).finally(() => store.close());
});

describe("an effect of the embedded file whose bytes changed", () => {
  async function run(check: typeof unreadableEffects): Promise<void> {
    let store = await openStore({ dataDir: folder, keys: KEYS });
    const spoil = async (id: string) => {
      await store.close();
      const file = new SqlFile(folder, "");
      await file.commit(() => file.run("UPDATE effect SET sealed = 'garbage' WHERE id = ?", id));
      file.close();
      return (store = await openStore({ dataDir: folder, keys: KEYS }));
    };
    await check(store, spoil).finally(() => store.close());
  }

  test("holds back neither its contact nor anybody else, and is a person's after a few goes", async () => {
    await run(unreadableEffects);
  });

  test("is held at once when it is a note that may have left", async () => {
    await run(unreadableNote);
  });
});

test("keys whose time is over do not stay in the embedded file", async () => {
  const store = await openStore({ dataDir: folder, keys: KEYS });
  for (let at = 0; at < 50; at++) await store.keys.claim(ACCOUNT, `look ${at}`, "one", 1);
  await store.keys.claim(ACCOUNT, "for good", "one");
  await store.keys.claim(ACCOUNT, "for long", "one", 60_000);
  await sleep(10);
  await store.keys.claim(ACCOUNT, "another", "one", 60_000);
  await store.close();
  const file = new SqlFile(folder, "");
  expect(file.all("SELECT id FROM business_key")).toHaveLength(3);
  file.close();
});

test("a contact of the embedded file whose bytes changed leaves everybody else in people's lists", async () => {
  const open = () => openStore({ dataDir: folder, keys: KEYS });
  let store = await open();
  const spoil = async (contact: string) => {
    await store.close();
    const file = new SqlFile(folder, "");
    for (const table of ["session", "journal", "dead"])
      await file.commit(() =>
        file.run(`UPDATE ${table} SET sealed = 'garbage' WHERE contact = ?`, contact),
      );
    file.close();
    return (store = await open());
  };
  await unreadableLists(store, spoil).finally(() => store.close());
});

test.each([
  ["in the middle of a conversation", unreadableKey],
  ["before one began", unreadableFirstKey],
])(
  "a contact of the embedded file whose own key changed %s loses what was sealed with it, and no more",
  async (_when, check) => {
    const open = () => openStore({ dataDir: folder, keys: KEYS });
    let store = await open();
    const spoil = async (contacts: readonly string[]) => {
      await store.close();
      const file = new SqlFile(folder, "");
      for (const contact of contacts) {
        const row = file.get<{ dkey: string }>("SELECT dkey FROM contact WHERE id = ?", contact);
        const dkey = changed(row?.dkey ?? "");
        await file.commit(() =>
          file.run("UPDATE contact SET dkey = ? WHERE id = ?", dkey, contact),
        );
      }
      file.close();
      return (store = await open());
    };
    await check(store, spoil).finally(() => store.close());
  },
);

describe("an effect held in its place that was changed in the file", () => {
  const open = () => openStore({ dataDir: folder, keys: KEYS });
  const leaves = async (store: Store): Promise<string[]> => {
    const sent: string[] = [];
    for (let [one] = await beginAll(store); one; [one] = await beginAll(store)) {
      sent.push(one.id);
      await store.effects.end([{ ...one, outcome: { kind: "done" } }]);
    }
    return sent;
  };
  /** "a" rests in its place and "b" waits behind it; then the file is changed. */
  const after = async (sql: string): Promise<{ store: Store; contact: string }> => {
    const before = await open();
    const contact = await newContact(before);
    await withEffects(before, [message("a"), message("b")], contact);
    const [a] = await beginAll(before);
    if (!a) throw new Error("the first message is due");
    await before.effects.end([{ ...a, outcome: { kind: "held", reason: "full", inPlace: true } }]);
    await before.close();
    new SqlFile(folder, sql).close();
    return { store: await open(), contact };
  };

  test("keeps nobody waiting once it cannot be opened any more", async () => {
    const { store } = await after(
      "UPDATE effect SET state = 'p', head = 1, attempt = 2, sealed = 'changed' WHERE id = 'a'",
    );
    expect(await beginAll(store, { leaseMs: 0 })).toEqual([]);
    expect(await store.effects.reap({ limit: 5, leaseMs: 5_000 })).toEqual([]);
    const [held] = (await store.views.held({ limit: 5 })).items;
    expect(held).toMatchObject({ id: "a", reason: "unreadable" });
    expect(held).not.toHaveProperty("inPlace");
    expect(await leaves(store)).toEqual(["b"]);
    await store.close();
  });
});

test("whoever resends one message writes nothing about those that wait behind it", async () => {
  const store = await openStore({ dataDir: folder, keys: KEYS });
  const contact = await newContact(store);
  await withEffects(
    store,
    ["a", "b", "c", "d"].map((id) => message(id)),
    contact,
  );
  for (const inPlace of [false, true]) {
    const [one] = await beginAll(store);
    if (!one) throw new Error("nothing is due");
    await store.effects.end([{ ...one, outcome: { kind: "held", reason: "?", inPlace } }]);
  }
  await store.close();
  const places = () => {
    const file = new SqlFile(folder, "");
    const rows = file.all("SELECT id, place FROM effect ORDER BY id");
    file.close();
    return rows;
  };
  const before = places();
  for (const id of ["b", "a"]) {
    const again = await openStore({ dataDir: folder, keys: KEYS });
    expect(await again.effects.resolve({ id, account: ACCOUNT, contact, action: "resend" })).toBe(
      true,
    );
    await again.close();
    expect(places()).toEqual(before);
  }
});

test("an erasure whose log cannot be emptied is answered, and so is what came with it; the log is emptied later", async () => {
  const store = await openStore({ dataDir: folder, keys: KEYS });
  const [gone, other] = [await newContact(store), await newContact(store)];
  await accept(store, gone, "hello");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pragma = vi.spyOn(Database.prototype, "pragma").mockImplementation(() => {
    throw Object.assign(new Error("disk full"), { code: "SQLITE_FULL" });
  });
  try {
    const answers = await Promise.all([
      store.contacts.erase(ACCOUNT, gone),
      accept(store, other, "hello"),
    ]);
    expect(answers).toEqual([true, "new"]);
    const log = () => statSync(path.join(folder, "prosa.db-wal")).size;
    vi.advanceTimersByTime(60_000);
    expect(log()).toBeGreaterThan(0);

    pragma.mockRestore();
    vi.advanceTimersByTime(60_000);
    expect(log()).toBe(0);
  } finally {
    pragma.mockRestore();
    vi.useRealTimers();
  }
  await store.close();
});

describe("group commit", () => {
  const SCHEMA = "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)";

  test("answers everything asked for in one turn of the event loop out of one transaction", async () => {
    const file = new SqlFile(folder, SCHEMA);
    const inside: boolean[] = [];
    const work = (n: number) => () => {
      inside.push(file.get("SELECT 1 FROM t WHERE n = ?", n - 1) !== undefined);
      return file.run("INSERT INTO t (n) VALUES (?)", n);
    };
    const done = Promise.all([1, 2, 3].map((n) => file.commit(work(n))));
    expect(file.all("SELECT n FROM t")).toEqual([]);
    await done;
    expect(inside).toEqual([false, true, true]);
    file.close();
  });

  test("undoes work that throws alone, and tells nobody of it", async () => {
    const file = new SqlFile(folder, SCHEMA);
    const told: string[] = [];
    const insert = (n: number) => () => file.run("INSERT INTO t (n) VALUES (?)", n);
    const answers = await Promise.allSettled([
      file.commit(insert(1), () => told.push("1")),
      file.commit(
        () => {
          insert(2)();
          throw new TypeError("bad input");
        },
        () => told.push("2"),
      ),
      file.commit(insert(1), () => told.push("3")),
      file.commit(insert(4), () => told.push("4")),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...["fulfilled", "rejected", "rejected", "fulfilled"],
    ]);
    expect(answers[1]).toMatchObject({ reason: { message: "bad input" } });
    expect(answers[2]).toMatchObject({ reason: { code: "STORE_UNAVAILABLE" } });
    expect(file.all<{ n: number }>("SELECT n FROM t").map(({ n }) => n)).toEqual([1, 4]);
    expect(told).toEqual(["1", "4"]);
    file.close();
  });

  test("keeps documents readable whose collection began beside work that throws", async () => {
    let store = await openStore({ dataDir: folder, keys: KEYS });
    const contact = await newContact(store);
    await accept(store, contact, "hello");
    const wrong = { account: "other", contact, event: "e", mail: {} };
    const answers = await Promise.allSettled([
      store.documents.put("notes", "a", { n: 1 }),
      store.documents.put("notes", "b", { n: 2 }),
      store.mail.accept([wrong]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    await store.close();

    store = await openStore({ dataDir: folder, keys: KEYS });
    expect(await store.documents.get("notes", "a")).toEqual({ value: { n: 1 }, rev: 1 });
    expect(await store.documents.get("notes", "b")).toEqual({ value: { n: 2 }, rev: 1 });
    await store.close();
  });

  test("answers whoever shares it with something whose end fails", async () => {
    const file = new SqlFile(folder, SCHEMA);
    const insert = (n: number) => () => file.run("INSERT INTO t (n) VALUES (?)", n);
    const answers = await Promise.allSettled([
      file.commit(insert(1), () => {
        throw new TypeError("bad listener");
      }),
      file.commit(insert(2)),
    ]);
    expect(answers).toMatchObject([
      { status: "rejected", reason: { message: "bad listener" } },
      { status: "fulfilled", value: 1 },
    ]);
    file.close();
  });

  test("finishes what was asked for before it closes", async () => {
    const file = new SqlFile(folder, SCHEMA);
    const late = file.commit(() => file.run("INSERT INTO t (n) VALUES (9)"));
    file.close();
    expect(await late).toBe(1);
    const again = new SqlFile(folder, SCHEMA);
    expect(again.all<{ n: number }>("SELECT n FROM t").map(({ n }) => n)).toEqual([9]);
    again.close();
  });
});
