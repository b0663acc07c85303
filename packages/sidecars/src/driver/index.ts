/**
 * What the sidecars know of the driver beside them: `driver-profile.ts` (its name and what it can do), `volume-capability.ts` and
 * `access-modes.ts` (what Kubernetes asks for, in the driver's words), `verdict.ts` (which of its refusals are about the request).
 */
export { type DriverProfile, readDriverProfile } from "./driver-profile.ts";
export { ENOUGH_REFUSALS, isVerdict } from "./verdict.ts";
export { mergedVolumeCapability, volumeCapability } from "./volume-capability.ts";
