/** The phone behind each device: exists or not, `close`, `connecting` or `open`; and its settings. */
import type { JsonObject } from "../base/index.ts";
import { DEVICES } from "./callers.ts";
import type { OwnPhone } from "./engine-b.ts";
import type { Ids } from "./ids.ts";

export type InstanceState = "open" | "connecting" | "close";

/** Virtual milliseconds after which somebody has scanned the QR code. */
export const PAIRING_MS = 5_000;

/** Virtual milliseconds of a restart. */
export const RESTART_MS = 1_000;

export interface Instance extends OwnPhone {
  state: InstanceState;
  /** QR codes shown since it began to connect. */
  qrCount: number;
  settings: JsonObject;
}

const SETTINGS: JsonObject = { reject_call: false, msg_call: "", groups_ignore: false };

export class Instances {
  readonly #ids: Ids;
  readonly #byDevice = new Map<string, Instance>();

  /** Every known device begins with an open instance. */
  constructor(ids: Ids) {
    this.#ids = ids;
    for (const [device, { instance }] of Object.entries(DEVICES))
      this.make(device, instance, "open");
  }

  of(device: string): Instance | undefined {
    return this.#byDevice.get(device);
  }

  /** Digits of the phone a device is for, even while there is no instance. */
  phoneOf(device: string): OwnPhone {
    const known = DEVICES[device];
    return (
      this.#byDevice.get(device) ?? {
        instance: known?.instance ?? device,
        instanceId: "",
        own: known?.own ?? "",
      }
    );
  }

  nameTaken(name: string): boolean {
    return [...this.#byDevice.values()].some((one) => one.instance === name);
  }

  make(device: string, name: string, state: InstanceState): Instance {
    const instance: Instance = {
      instance: name,
      instanceId: this.#ids.uuid("instance"),
      own: DEVICES[device]?.own ?? "",
      state,
      qrCount: 0,
      settings: SETTINGS,
    };
    this.#byDevice.set(device, instance);
    return instance;
  }

  remove(device: string): void {
    this.#byDevice.delete(device);
  }
}
