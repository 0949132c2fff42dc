/** Everything a flow may ask the world for, by name. */
export { done, refused, type LocalSpec, type LocalWork } from "./local.ts";
export { routeEffect } from "./route-effect.ts";
export { createEffects, type EffectTable, type RuntimeLocal } from "./table.ts";
export { httpCall, publicLookup } from "./own-http.ts";
export { type Own, type OwnCall, type OwnEffects, type OwnRequest, ownSpec } from "./own.ts";
export type {
  Answer,
  Asked,
  Asking,
  Call,
  EffectSpec,
  JudgedSpec,
  LostCall,
  PreparedCall,
  Proof,
} from "./spec.ts";
