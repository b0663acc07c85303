/**
 * What `ClusterVersion/version` says, as pure functions: `cluster-version-status.ts` puts all of it together, from `history.ts`,
 * `upgradeable.ts` (what blocks an upgrade), `acceptance.ts` (whether a payload is applied at all) and `trouble-words.ts`.
 */
export { type Acceptance, acceptanceOf } from "./acceptance.ts";
export { desiredClusterVersionStatus, type PayloadProgress } from "./cluster-version-status.ts";
export { isBegun, modeOf } from "./history.ts";
export { type UpgradeBlock, upgradeBlock } from "./upgradeable.ts";
