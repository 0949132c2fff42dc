/**
 * Who may call: three registrations with fixed, public tokens. They are no secrets; the sandbox listens on loopback only.
 *
 * | bearer | devices | registered by |
 * | --- | --- | --- |
 * | `sandbox-token` | `sandbox-device` | CNPJ |
 * | `sandbox-token-2` | `sandbox-device-2` | CNPJ |
 * | `sandbox-token-cpf` | `sandbox-device-cpf`, `sandbox-device` | CPF: invoicing refuses it (403) |
 */

interface Registration {
  readonly token: string;
  readonly account: string;
  readonly person: "cnpj" | "cpf";
  readonly devices: readonly string[];
}

const REGISTRATIONS: readonly Registration[] = [
  { token: "sandbox-token", account: "sandbox", person: "cnpj", devices: ["sandbox-device"] },
  { token: "sandbox-token-2", account: "sandbox-2", person: "cnpj", devices: ["sandbox-device-2"] },
  {
    token: "sandbox-token-cpf",
    account: "sandbox-cpf",
    person: "cpf",
    devices: ["sandbox-device-cpf", "sandbox-device"],
  },
];

/** Devices and the number of the phone that is paired with each. Fictitious. */
export const DEVICES: Readonly<
  Record<string, { readonly instance: string; readonly own: string }>
> = {
  "sandbox-device": { instance: "loja", own: "5511911112222" },
  "sandbox-device-2": { instance: "loja-2", own: "5511911113333" },
  "sandbox-device-cpf": { instance: "loja-cpf", own: "5511911114444" },
};

export const DEMO_ACCOUNT = "sandbox";

export const DEMO_DEVICE = "sandbox-device";

/** The account a filter names: by itself, or by one of its devices. Undefined for a name that is neither. */
export function accountNamed(name: string): string | undefined {
  const row = REGISTRATIONS.find((one) => one.account === name || one.devices.includes(name));
  return row?.account;
}

/** Devices of an account. */
export function devicesOf(account: string): readonly string[] {
  return REGISTRATIONS.find((row) => row.account === account)?.devices ?? [];
}

/** Somebody who proved to be registered. `device` is absent on routes that need none. */
export interface Caller {
  readonly account: string;
  readonly person: "cnpj" | "cpf";
  readonly device?: string;
}

export type Admission =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly status: 401 | 403; readonly message: string };

/** Reads the two headers by the rules of the gateway. A header that a route does not need is not looked at. */
export function admit(
  authorization: string | undefined,
  deviceToken: string | undefined,
  auth: "bearer" | "bearer+device",
): Admission {
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
  const registration = REGISTRATIONS.find((row) => row.token === bearer);
  if (!registration)
    return refuse(401, bearer === undefined ? "Token não informado." : "Token inválido.");
  const { account, person } = registration;
  if (auth === "bearer") return { ok: true, caller: { account, person } };
  if (deviceToken === undefined || deviceToken === "")
    return refuse(401, "DeviceToken não informado.");
  if (!Object.hasOwn(DEVICES, deviceToken)) return refuse(401, "DeviceToken inválido.");
  if (!registration.devices.includes(deviceToken))
    return refuse(403, "O dispositivo não pertence a este token.");
  return { ok: true, caller: { account, person, device: deviceToken } };
}

function refuse(status: 401 | 403, message: string): Admission {
  return { ok: false, status, message };
}
