/**
 * The one error class, and the one table of everything that can go wrong in a way somebody must act on.
 *
 * Expected outcomes (a contact typed nonsense, a lease is held, a request was refused) are values, never a `Fault`.
 * Messages end with what to do; they never carry a token, a document or a phone number.
 */

/** `retry`: whether the same thing may succeed later without anybody changing anything. */
interface FaultRow {
  readonly retry: boolean;
  readonly hint: string;
}

export const FAULTS = {
  SETTING_INVALID: { retry: false, hint: "Correct the setting and start again." },
  GATEWAY_NOT_SENT: {
    retry: true,
    hint: "Nothing left this process; check the gateway's address and the network.",
  },
  GATEWAY_UNKNOWN: {
    retry: false,
    hint: "The call may have taken effect; do not repeat what costs money or files taxes.",
  },
  GATEWAY_REFUSED: { retry: false, hint: "The gateway understood the call and said no." },
  GATEWAY_BODY: { retry: false, hint: "The request body breaks its schema; nothing was sent." },
  STORE_UNAVAILABLE: {
    retry: true,
    hint: "Check the store; whether it wrote is not known, and asking again is safe.",
  },
  STORE_FULL: {
    retry: true,
    hint: "Free memory or disk of the store; nothing was written, and accepted work waits.",
  },
  STORE_INCOMPATIBLE: {
    retry: false,
    hint: "Point to the store this installation was made with, or to an empty one.",
  },
  STORE_LOCKED: {
    retry: false,
    hint: "Another process has the embedded store open; stop it, or use Redis.",
  },
  KEY_UNKNOWN: {
    retry: false,
    hint: "Add the named key to PROSA_KEYS; data sealed with it waits.",
  },
  DATA_TAMPERED: { retry: false, hint: "The sealed data does not open under its key; restore it." },
  FLOW_INVALID: { retry: false, hint: "Correct the flow; the running version stays in use." },
  FLOW_NAME: { retry: false, hint: "Give the new flow another name." },
  FLOW_FAILED: {
    retry: false,
    hint: "The event is kept in dead letters; release it after the fix.",
  },
  FLOW_UNKNOWN: {
    retry: false,
    hint: "Load the flow, or a version that can migrate its sessions.",
  },
  API_UNREACHABLE: { retry: true, hint: "Start the server (npm start), or check HOST and PORT." },
  API_REFUSED: { retry: false, hint: "Correct the call; ADMIN_TOKEN must be the server's." },
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof FAULTS;

/** A failure somebody may have to act on. `code` names a row of {@link FAULTS}. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: FaultCode,
    what: string,
    options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(
      `${code}: ${what} ${FAULTS[code].hint}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.details = options.details ?? {};
  }

  /** Whether the same thing may succeed later. */
  get retry(): boolean {
    return FAULTS[this.code].retry;
  }

  static is(value: unknown, code?: FaultCode): value is Fault {
    return value instanceof Fault && (code === undefined || value.code === code);
  }
}
