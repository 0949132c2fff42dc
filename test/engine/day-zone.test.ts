/** The day that counts for notes is the one of the issuer's town, whatever the account's own zone is. */
import { describe, expect, test } from "vitest";
import { demoAccount } from "../../src/app/start/demo.ts";
import { readSettings } from "../../src/app/settings.ts";
import type { Account } from "../../src/engine/index.ts";
import { understand } from "../support/understand.ts";
import { model } from "../support/plugins.ts";
import { invoicingOf } from "../../src/plugins/invoicing/account.ts";

const demo = demoAccount(readSettings({}), model);

const of = (zone: string, issuer: string | undefined) =>
  model.schema.parse({
    ...demo,
    zone,
    issuers:
      issuer === undefined
        ? []
        : invoicingOf(demo).issuers.map((one) => ({ ...one, zone: issuer })),
  });
const said = (kind: "month" | "date", text: string, at: string, account: Account) =>
  understand(kind, text, { now: Date.parse(at), zone: model.dayZone(account), locale: "pt-BR" });

describe("“hoje” in a conversation about notes", () => {
  test.each([
    ["America/Sao_Paulo", "America/Rio_Branco", "2026-12-01T03:30:00Z", "2026-11"],
    ["America/Sao_Paulo", "America/Manaus", "2027-01-01T03:59:00Z", "2026-12"],
    ["America/Manaus", "America/Noronha", "2026-12-31T02:30:00Z", "2026-12"],
    ["America/Rio_Branco", "America/Sao_Paulo", "2026-12-01T03:30:00Z", "2026-12"],
    // Daylight saving of 2018-19: midnight in São Paulo was at 02:00 UTC.
    ["America/Rio_Branco", "America/Sao_Paulo", "2019-01-01T02:30:00Z", "2019-01"],
    ["America/Rio_Branco", undefined, "2026-12-01T03:30:00Z", "2026-11"],
  ])("of an account in %s with an issuer in %s at %s is of %s", (zone, issuer, at, month) => {
    expect(said("month", "hoje", at, of(zone, issuer))).toMatchObject({
      ok: true,
      value: month,
    });
  });

  test("is no day of the future at the issuer's", () => {
    const account = of("America/Sao_Paulo", "America/Rio_Branco");
    expect(said("date", "01/12/2026", "2026-12-01T03:30:00Z", account)).toMatchObject({
      ok: false,
    });
    expect(said("date", "30/11/2026", "2026-12-01T03:30:00Z", account)).toMatchObject({ ok: true });
  });
});
