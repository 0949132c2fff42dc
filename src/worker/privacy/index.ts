/** A person's rights over what is kept of them. */
export { erase, ready } from "./erase.ts";
export { forgetPerson } from "./forget.ts";
export { exportCopy, exportedOf } from "./export.ts";
export { forgetOld } from "./retention.ts";
export { overviewOf } from "./overview.ts";
