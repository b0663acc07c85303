/**
 * A release as files: `release-metadata` (JSON: version, previous) and `manifests/` (YAML). `payload-reader.ts` reads and checks all of
 * it before anything is applied, `payload-order.ts` says in which order, `payload-manifest.ts` what an object's annotations ask for,
 * `payload-source.ts` when there is another payload to be read. `shipped-payload.ts`: the one that this program carries.
 */
export type { Payload } from "./payload.ts";
export {
  groupOf,
  isClusterOperator,
  isCreateOnly,
  isDeletion,
  isOptional,
  manifestKey,
  manifestName,
  type PayloadManifest,
} from "./payload-manifest.ts";
export { type RunLevel, runLevelsOf } from "./payload-order.ts";
export { defaultProfile, type PayloadPlace, readPayload } from "./payload-reader.ts";
export { createPayloadSource, type PayloadSource } from "./payload-source.ts";
export { compareVersions, isSameMinor, parseSemanticVersion } from "./semantic-version.ts";
export { type PayloadWishes, writeShippedPayload } from "./shipped-payload.ts";
