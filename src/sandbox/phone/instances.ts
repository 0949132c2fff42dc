/** The phone behind each device: exists or not, `close`, `connecting` or `open`, linked or not; and its settings. */
import { DEVICES } from "../http/callers.ts";
import type { OwnPhone } from "../webhooks/engine-b.ts";
import type { Ids } from "../world/ids.ts";

export type InstanceState = "open" | "connecting" | "close";

/** Virtual milliseconds of a restart, and of connecting again after a drop. */
export const RESTART_MS = 1_000;

/** What a pairing shows at the moment. */
export interface PairingCode {
  /** Text of the QR code. */
  readonly code: string;
  /** Eight characters to type instead, where a number was given. */
  readonly pairingCode: string | null;
  /** `data:` picture of the code. */
  readonly base64: string;
}

interface Settings {
  readonly reject_call: boolean;
  readonly msg_call: string;
  readonly groups_ignore: boolean;
}

const SETTINGS: Settings = { reject_call: false, msg_call: "", groups_ignore: false };

export interface Instance extends OwnPhone {
  readonly device: string;
  state: InstanceState;
  /** Whether a phone is linked: without one, only a scan opens the instance. */
  paired: boolean;
  /** The code that waits to be scanned. */
  waiting: PairingCode | undefined;
  /** Codes shown in this pairing. */
  qrCount: number;
  /** Digits for which pairing codes are made. */
  pairingNumber: string | undefined;
  /** Raised by every change of state: what was planned before it no longer holds. */
  turn: number;
  settings: Settings;
}

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
    return this.all().some((one) => one.instance === name);
  }

  make(device: string, name: string, state: InstanceState): Instance {
    const instance: Instance = {
      device,
      instance: name,
      instanceId: this.#ids.uuid("instance"),
      own: DEVICES[device]?.own ?? "",
      state,
      paired: state === "open",
      waiting: undefined,
      qrCount: 0,
      pairingNumber: undefined,
      turn: 0,
      settings: SETTINGS,
    };
    this.#byDevice.set(device, instance);
    return instance;
  }

  remove(device: string): void {
    this.#byDevice.delete(device);
  }

  all(): readonly Instance[] {
    return [...this.#byDevice.values()];
  }
}
