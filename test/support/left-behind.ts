/**
 * Test files share two processes: what one of them changes for the whole process and leaves so would be met by whichever
 * file comes next. So a file must end as it began, and one that does not fails itself.
 */
import { beforeAll, expect } from "vitest";

const member = (of: object, name: string): unknown => Reflect.get(of, name);

/** What belongs to the process, by the name to call it by. */
function shared(): ReadonlyMap<string, unknown> {
  const settings = Object.entries(process.env).map(([name, value]) => [
    `process.env.${name}`,
    value,
  ]);
  return new Map<string, unknown>([
    ...(settings as [string, unknown][]),
    ["the working folder", process.cwd()],
    ["process.exitCode", process.exitCode],
    ["Date", Date],
    ["Date.now", member(Date, "now")],
    ["performance.now", member(performance, "now")],
    ["Math.random", member(Math, "random")],
    ["setTimeout", setTimeout],
    ["setInterval", setInterval],
    ["fetch", fetch],
    ["console.log", member(console, "log")],
  ]);
}

const before = shared();

beforeAll(() => () => {
  const after = shared();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  expect(changed, "changed by this file for all that come after it in this process").toEqual([]);
});
