import { Fault } from "../../base/index.ts";
import type { Store } from "../port.ts";

export async function openRedisStore(_options: {
  readonly url: string;
  readonly keys: string;
}): Promise<Store> {
  throw new Fault("STORE_UNAVAILABLE", "This build holds the embedded store only.");
}
