/** What flows are told of an effect's input and what its schema takes are the same. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { VIEW_FIELDS } from "../../../src/plugins/invoicing/book/note-view.ts";
import type {
  customersFind,
  customersForget,
  takersFind,
} from "../../../src/plugins/invoicing/effects/customers.ts";
import type { IssueInput } from "../../../src/plugins/invoicing/effects/invoice-issue.ts";
import type {
  notesDraft,
  notesFind,
  notesSimilar,
} from "../../../src/plugins/invoicing/effects/notes-find.ts";
import type { notesMonth, notesSheet } from "../../../src/plugins/invoicing/effects/notes-month.ts";
import type { notesShare } from "../../../src/plugins/invoicing/effects/notes-share.ts";
import type { InvoicingEffects, NoteView } from "../../../src/plugins/invoicing/index.ts";
import type { NewCompany } from "../../../src/plugins/invoicing/issuers/company.ts";
import type { issuerUpdate } from "../../../src/plugins/invoicing/issuers/issuer-effects.ts";
import type { notesCancelled, CancelInput } from "../../../src/plugins/invoicing/effects/cancel.ts";

type KeysOf<T> = T extends unknown ? keyof T : never;
type Told = { [Name in keyof InvoicingEffects]: KeysOf<InvoicingEffects[Name]["input"]> };
type Taken<Spec extends { input: z.ZodType }> = keyof z.input<Spec["input"]>;

test("each field that a schema takes is told to flows, and no other", () => {
  expectTypeOf<Told["invoice.issue"]>().toEqualTypeOf<keyof IssueInput>();
  expectTypeOf<Told["invoice.cancel"]>().toEqualTypeOf<keyof CancelInput>();
  expectTypeOf<Told["notes.cancel"]>().toEqualTypeOf<keyof CancelInput>();
  expectTypeOf<Told["notes.cancelled"]>().toEqualTypeOf<Taken<typeof notesCancelled>>();
  expectTypeOf<Told["notes.draft"]>().toEqualTypeOf<Taken<typeof notesDraft>>();
  expectTypeOf<Told["notes.find"]>().toEqualTypeOf<Taken<typeof notesFind>>();
  expectTypeOf<Told["notes.month"]>().toEqualTypeOf<Taken<typeof notesMonth>>();
  expectTypeOf<Told["notes.share"]>().toEqualTypeOf<Taken<typeof notesShare>>();
  expectTypeOf<Told["notes.sheet"]>().toEqualTypeOf<Taken<typeof notesSheet>>();
  expectTypeOf<Told["notes.similar"]>().toEqualTypeOf<Taken<typeof notesSimilar>>();
  expectTypeOf<Told["takers.find"]>().toEqualTypeOf<Taken<typeof takersFind>>();
  expectTypeOf<Told["customers.find"]>().toEqualTypeOf<Taken<typeof customersFind>>();
  expectTypeOf<Told["customers.forget"]>().toEqualTypeOf<Taken<typeof customersForget>>();
  expectTypeOf<Told["issuer.register"]>().toEqualTypeOf<keyof NewCompany>();
  expectTypeOf<Told["issuer.update"]>().toEqualTypeOf<Taken<typeof issuerUpdate>>();
});

test("the values of a company are told as the schema takes them", () => {
  type Update = InvoicingEffects["issuer.update"]["input"];
  type Accepted = NonNullable<z.input<(typeof issuerUpdate)["input"]>["regime"]>;
  expectTypeOf<NonNullable<Update["regime"]>>().toEqualTypeOf<Accepted>();
  expectTypeOf<keyof NoteView>().toEqualTypeOf<(typeof VIEW_FIELDS)[number]>();
});
