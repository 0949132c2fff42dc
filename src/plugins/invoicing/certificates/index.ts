/** Company certificates: received, read, checked, uploaded once, watched until they expire. */
export { certificateEffects } from "./effects.ts";
export { alarmExpiring } from "./expiring.ts";
export { CERTIFICATE_UPLOADED, Certificates, type Given, type UploadPage } from "./certificates.ts";
export { PASSWORD_LIMIT, PFX_LIMIT_BYTES } from "./pfx-reading.ts";
