/** A business's issuers: registered, updated, told, by conversations of its own people. */
import type { LocalSpec } from "../../../plugin.ts";
import { issuerList, issuerShow } from "./issuer-view.ts";
import { issuerUpdate } from "./update.ts";

export {
  decidedRegistration,
  ISSUER_REGISTER,
  issuerRegister,
  registerByRoute,
} from "./register.ts";
export const issuerEffects = [
  issuerList,
  issuerShow,
  issuerUpdate,
] as unknown as readonly LocalSpec[];
export { changeIssuers, isOperator, issuerAsked, issuerMeant, localeOf } from "./issuer-access.ts";
export { whilePaused } from "./paused-gateway.ts";
export { dayOf } from "./company.ts";
