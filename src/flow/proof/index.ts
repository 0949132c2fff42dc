export { generated, type Generated } from "./generated.ts";
export type { Broken } from "./property-place.ts";
export { percent, Sheet, type Coverage, type Line, type Share } from "./coverage-sheet.ts";
