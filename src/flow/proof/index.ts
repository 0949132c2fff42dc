export { generated, type Generated } from "./generated.ts";
export type { Broken } from "./ground.ts";
export { percent, Sheet, type Coverage, type Line, type Share } from "./sheet.ts";
