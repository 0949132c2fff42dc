/**
 * The order of test files. The runner begins with what took longest the last time; a clean clone has no last time, and a
 * file of half a minute that begins last keeps one of two workers waiting. So these begin first, always.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = [
  "test/chaos/kill-run",
  "test/chaos/flagship",
  "test/e2e/kill",
  "test/worker/outbox/leases",
  "test/console/page",
  "test/chaos/kill-store",
  "test/chaos/link",
  "test/worker/fleet/deploy",
  "test/flows/mutation",
  "test/e2e/",
  "test/worker/outbox/queue",
  "test/worker/outbox/scopes",
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.includes(`/${name}`));
  return place < 0 ? LONG.length : place;
};

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}
