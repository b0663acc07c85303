/**
 * The operator: `version-operator.ts` makes it, `version-controller.ts` says when to look, `version-sync.ts` what is done then.
 * `ownership.ts` tells our clusters from those of OpenShift's operator, `cluster-version-store.ts` keeps `ClusterVersion/version`.
 */
export { ownerAnnotation as versionOperatorMark, versionOperatorLease, versionOperatorNamespace } from "./ownership.ts";
export { createVersionOperator, type VersionOperatorSpec } from "./version-operator.ts";
