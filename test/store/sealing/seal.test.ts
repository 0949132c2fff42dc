/** Encryption at rest: what opens, what does not, and what is said then. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/base/index.ts";
import { Lru } from "../../../src/store/lru.ts";
import { createHmac } from "node:crypto";
import { Names } from "../../../src/store/names.ts";
import { isOneKey, KeyRing } from "../../../src/store/sealing/seal.ts";

const entry = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;

describe("a data key", () => {
  const { key } = new KeyRing(entry("a", 1)).make("someone");

  test("opens what it sealed, in its place", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, place) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(key.open(place, key.seal(place, json))).toEqual(json);
      }),
    );
  });

  test("opens nothing that was moved, changed or cut", () => {
    const sealed = key.seal("session|c|1", { secret: "words" });
    const bytes = Buffer.from(sealed, "base64url");
    const flipped = Array.from({ length: bytes.length }, (_, index) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(index) ^ 1, index);
      return copy.toString("base64url");
    });
    for (const wrong of [...flipped, "", "abc", bytes.subarray(0, -1).toString("base64url")])
      expect(() => key.open("session|c|1", wrong)).toThrow(/DATA_TAMPERED/);
    expect(() => key.open("session|c|2", sealed)).toThrow(/DATA_TAMPERED/);
    expect(() => key.open("session|d|1", sealed)).toThrow(/DATA_TAMPERED/);
  });

  test("never seals the same words to the same bytes", () => {
    expect(key.seal("x", "words")).not.toBe(key.seal("x", "words"));
  });
});

describe("a key ring", () => {
  test("wraps under its first entry and unwraps under all", () => {
    const old = new KeyRing(entry("a", 1));
    const { key, wrapped } = old.make("someone");
    const rotated = new KeyRing(`${entry("b", 2)}, ${entry("a", 1)}`);
    const found = rotated.unwrap("someone", wrapped);
    expect(found).toMatchObject({ stale: true, key: { id: key.id } });
    const anew = rotated.rewrap("someone", wrapped);
    expect(anew.startsWith("b:")).toBe(true);
    const again = new KeyRing(entry("b", 2)).unwrap("someone", anew);
    expect(again.stale).toBe(false);
    expect(again.key.open("p", key.seal("p", "words"))).toBe("words");
  });

  test("opens no key for somebody else, and names the entry it lacks", () => {
    const ring = new KeyRing(entry("a", 1));
    const { wrapped } = ring.make("someone");
    expect(() => ring.unwrap("other", wrapped)).toThrow(/DATA_TAMPERED/);
    expect(() => new KeyRing(entry("b", 1)).unwrap("someone", wrapped)).toThrow(/KEY_UNKNOWN.*"a"/);
  });

  test("refuses settings that are none, without quoting them", () => {
    const short = `a:${Buffer.alloc(16, 3).toString("base64")}`;
    for (const text of ["", "a", short, `${entry("a", 1)},${entry("a", 2)}`])
      expect(() => new KeyRing(text)).toThrow(/SETTING_INVALID/);
    expect(() => new KeyRing(short)).not.toThrow(/AwMD/);
  });
});

describe("names", () => {
  const names = new Names(Buffer.alloc(32, 5));

  test("are the same for the same thing only, and differ between installations", () => {
    expect(names.alias("acme", "phone:1")).toBe(names.alias("acme", "phone:1"));
    expect(names.alias("acme", "phone:1")).not.toBe(names.alias("acmep", "hone:1"));
    expect(names.alias("acme", "phone:1")).not.toBe(names.event("acme", "phone:1"));
    const other = new Names(Buffer.alloc(32, 6));
    expect(other.alias("acme", "phone:1")).not.toBe(names.alias("acme", "phone:1"));
  });

  test("are HMAC-SHA-256 as Node computes it, for keys of any length", () => {
    for (const bytes of [16, 32, 64, 100]) {
      const key = Buffer.alloc(bytes, 9);
      for (const text of ["", "phone:1", "é😀".repeat(100)]) {
        const hmac = createHmac("sha256", key);
        for (const part of ["alias", "acme", text])
          hmac.update(`${Buffer.byteLength(part)}:`).update(part);
        const want = hmac.digest().subarray(0, 16).toString("base64url");
        expect(new Names(key).alias("acme", text)).toBe(want);
      }
    }
  });

  test("give a person who was erased a new contact", () => {
    expect(names.newContact("acme")).toMatch(/^[0-9a-f]{32}$/);
    expect(names.newContact("acme")).not.toBe(names.newContact("acme"));
  });
});

describe("a bounded memory", () => {
  test("forgets what was not used for longest", () => {
    const lru = new Lru<string, number>(2);
    lru.set("a", 1);
    lru.set("b", 2);
    lru.get("a");
    lru.set("c", 3);
    expect([lru.get("a"), lru.get("b"), lru.get("c")]).toEqual([1, undefined, 3]);
  });
});

describe("a wrapped key that was changed", () => {
  const ring = new KeyRing(`${entry("a", 1)},${entry("b", 2)}`);
  const { key, wrapped } = ring.make("someone");
  const sealed = key.seal("p", "words");

  test("in its entry's name alone is found again, and told from one of unknown keys", () => {
    for (const name of ["b", "c", "", "aa"]) {
      const other = `${name}${wrapped.slice(1)}`;
      expect(() => ring.unwrap("someone", other)).toThrow(/DATA_TAMPERED|KEY_UNKNOWN/);
      const found = ring.unwrap("someone", ring.renamed("someone", other) ?? "");
      expect(found.stale).toBe(false);
      expect(found.key.open("p", sealed)).toBe("words");
      expect(ring.renamed("another", other)).toBeUndefined();
    }
    for (let at = 1; at < wrapped.length; at++) {
      const other = `${wrapped.slice(0, at)}${wrapped[at] === "x" ? "y" : "x"}${wrapped.slice(at + 1)}`;
      expect(() => ring.unwrap("someone", other)).toThrow(/DATA_TAMPERED/);
    }
    for (const cut of ["", "a", wrapped.slice(0, -1), `a:${wrapped}`])
      expect(() => ring.unwrap("someone", cut)).toThrow(/DATA_TAMPERED/);
    expect(() => new KeyRing(entry("c", 3)).unwrap("someone", wrapped)).toThrow(/KEY_UNKNOWN/);
  });

  test("in its entry's name alone is found again with others behind it, which stay there", () => {
    const [one, other] = [entry("key-1", 1), entry("key-2", 2)];
    const first = new KeyRing(one).make("someone");
    const wrong = new KeyRing(`${other},${entry("key-1", 9)}`);
    const replaced = wrong.replace("someone", first.wrapped);
    const words = first.key.seal("p", "words");
    const since = wrong.unwrap("someone", replaced).key.seal("p", "since");

    const right = new KeyRing(`${one},${other}`);
    const renamed = replaced.replace(/^key-2/, "key-9");
    const found = right.unwrap("someone", right.renamed("someone", renamed) ?? "").key;
    expect(found.open("p", since)).toBe("since");
    expect(found.open("p", words)).toBe("words");
  });

  test("is one key with what it was by its sealed form, whatever stands behind either", () => {
    const replaced = ring.replace("someone", wrapped);
    const [first = ""] = replaced.split(",");
    const otherId = first.replace(/:[^:]+:/, ":AAAAAAAA:");
    expect(isOneKey(otherId, replaced)).toBe(true);
    expect(isOneKey(`${otherId},${wrapped}`, first)).toBe(true);
  });

  test("stays behind the one in its place for whoever can open it, over rotations, and no more than two", () => {
    const wrong = new KeyRing(`${entry("b", 2)},${entry("a", 9)}`);
    const replaced = wrong.replace("someone", wrapped);
    const there = wrong.unwrap("someone", replaced).key;
    const since = there.seal("p", "since");
    expect(() => there.open("p", sealed)).toThrow(/DATA_TAMPERED/);
    expect(wrong.unwrap("someone", replaced, key).key.open("p", sealed)).toBe("words");

    // Another process has the right bytes for that name.
    const both = new KeyRing(`${entry("c", 3)},${entry("a", 1)},${entry("b", 2)}`);
    const anew = both.rewrap("someone", replaced);
    // Its ids are random, and may end in that letter too.
    expect(anew.match(/(?:^|,)c:/g)).toHaveLength(2);
    const last = new KeyRing(entry("c", 3));
    for (const [bytes, words] of [
      [sealed, "words"],
      [since, "since"],
    ] as const)
      expect(last.unwrap("someone", anew).key.open("p", bytes)).toBe(words);

    let much = anew;
    for (let times = 0; times < 5; times++) much = last.replace("someone", much);
    expect(much.split(",")).toHaveLength(3);
    expect(last.isStale(much)).toBe(false);
  });
});
