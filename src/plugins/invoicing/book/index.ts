export {
  EXPORT_LIMIT,
  isSeen,
  MONTH_LIMIT,
  NoteBook,
  type NoteQuery,
  type Viewer,
} from "./note-book.ts";
export { NoteIndex } from "./note-index.ts";
export { Customer, Customers, wordsOf } from "./customers.ts";
export { isListed, type NoteStatus, statusOf, titleOf, VIEW_FIELDS, viewOf } from "./note-view.ts";
export { SHEET_COLUMNS, sheetOf, sheetParts } from "./sheet.ts";
export { carryNotes } from "./merged-customer.ts";
