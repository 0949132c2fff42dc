export {
  against,
  harms,
  type Against,
  type AgainstRow,
  type Occupied,
} from "./version-comparison.ts";
export { placesOf, type Path, type Place, type Places, type WalkWatch } from "./resting-places.ts";
export { isHarm, verdict, type Verdict, type VerdictWord } from "./verdict.ts";
export { Samples } from "./samples.ts";
export { Ways } from "./next-events.ts";
