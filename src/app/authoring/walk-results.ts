/** What walking the flows by themselves came to, as results of tests beside those of the chat files. */
import type { TestResult } from "../../flow/index.ts";
import { type FlowTests, placeOf } from "./flow-tests.ts";

/** One result for each broken property and each step nobody comes to; one that passed for a flow with neither. */
export function walkResults(
  generated: FlowTests["generated"],
  folder?: string,
): readonly TestResult[] {
  return generated.flatMap(({ flow, places, broken, unreached }): TestResult[] => {
    const failed = [
      ...broken.map(({ property, at, why, path }) => ({
        ok: false,
        file: placeOf(flow, at, folder),
        title: `${at}: ${property}`,
        failure: `${why}\nafter ${path.join(" > ") || "the start"}`,
      })),
      ...unreached.map((step) => ({
        ok: false,
        file: placeOf(flow, step, folder),
        title: `${step}: can be rested at`,
        failure: "no walk comes to rest there",
      })),
    ];
    const title = `keeps what every flow must keep (${places} places walked)`;
    return failed.length > 0 ? failed : [{ ok: true, file: placeOf(flow, flow, folder), title }];
  });
}
