/** The effects of this plugin, as flows name them. A new one is one file and one entry here. */
import type { WorkerHooks } from "../../../plugin.ts";
import { certificateEffects } from "../certificates/index.ts";
import { type OwnSpec, withServices } from "../context.ts";
import { issuerEffects, issuerRegister, registerByRoute } from "../issuers/index.ts";
import { calls } from "../note/calls.ts";
import { notesCancelled } from "../note/cancel/cancelled-elsewhere.ts";
import { customersFind, customersForget } from "./customers.ts";
import { notesCancel } from "./notes/notes-cancel.ts";
import { notesDraft } from "./notes/notes-draft.ts";
import { notesFind } from "./notes/notes-find.ts";
import { notesMonth } from "./notes/notes-month.ts";
import { notesShare } from "./notes/notes-share.ts";
import { notesSheet } from "./notes/notes-sheet.ts";
import { notesSimilar } from "./notes/notes-similar.ts";
import { takersFind } from "./takers.ts";

const OWN = [
  notesFind,
  notesMonth,
  notesDraft,
  notesSheet,
  notesCancel,
  notesCancelled,
  notesShare,
  notesSimilar,
  customersFind,
  customersForget,
  takersFind,
  ...certificateEffects,
] as unknown as readonly OwnSpec[];

export const effects: NonNullable<WorkerHooks["effects"]> = [
  ...calls,
  issuerRegister,
  registerByRoute,
  ...issuerEffects,
  ...OWN.map(withServices),
];
