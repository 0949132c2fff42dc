export { against, harms, type Against, type AgainstRow, type Occupied } from "./against.ts";
export { placesOf, type Place, type Places, type WalkWatch } from "./places.ts";
export { isHarm, verdict, type Verdict, type VerdictWord } from "./verdict.ts";
