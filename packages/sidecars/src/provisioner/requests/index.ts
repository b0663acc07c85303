/**
 * From a claim and its class to what is sent, all of it pure: `volume-name.ts`; `class-parameters.ts` and `class-secrets.ts` (what a
 * class says); `create-request.ts` (the call); `volume-template.ts` and `persistent-volume.ts` (the PV, before and after the answer).
 */
export {
  claimKey,
  classNameOf,
  isBlock,
  provisionerOf,
  requestedBytes,
  selectedNodeOf,
  specOf,
  uidOf,
} from "./claim-facts.ts";
export { classSecretRef } from "./class-secrets.ts";
export {
  type ContentSourceInit,
  type CreateRequest,
  desiredCreateRequest,
  type RequestSettings,
} from "./create-request.ts";
export { desiredPersistentVolume } from "./persistent-volume.ts";
export { type VolumeNaming, volumeNameOf } from "./volume-name.ts";
export {
  desiredVolumeTemplate,
  provisionerSecretRef,
  type VolumeTemplate,
} from "./volume-template.ts";
