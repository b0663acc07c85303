/**
 * What the snapshotter and the snapshot controller share: class parameters and the secrets they name (`class-parameters.ts`,
 * `class-secrets.ts`, `deletion-secret.ts`), the members of groups (`group-membership.ts`),
 * and how failures are told (`failure-text.ts`).
 */
export { driverParameters } from "./class-parameters.ts";
export { groupGetSecret, groupSnapshotterSecret, listSecret, snapshotterSecret } from "./class-secrets.ts";
export { type DeletionSecretNames, deletionSecretAnnotations, deletionSecretOf } from "./deletion-secret.ts";
export { failureText } from "./failure-text.ts";
export {
  groupOwnerReference,
  memberContentName,
  memberNames,
  owningGroupKeys,
  owningGroupName,
} from "./group-membership.ts";
export { jsonInteger } from "./json-integer.ts";
