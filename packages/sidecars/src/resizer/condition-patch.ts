import { isConditionEqual, type PersistentVolumeClaimCondition } from "@stowage/machinery";

type Conditions = readonly PersistentVolumeClaimCondition[];

/**
 * What of a strategic merge patch makes the later conditions out of the earlier ones. Conditions that both have alike are left out,
 * so that what others write to theirs at the same time stays.
 */
export function conditionPatch(earlier: Conditions, later: Conditions): object[] {
  const removed = earlier.filter(({ type }) => !later.some((each) => each.type === type));
  const changed = later.filter(
    (each) => !earlier.some((other) => other.type === each.type && isUnchanged(each, other)),
  );
  return [...changed, ...removed.map(({ type }) => ({ $patch: "delete", type }))];
}

function isUnchanged(left: PersistentVolumeClaimCondition, right: PersistentVolumeClaimCondition): boolean {
  return isConditionEqual(left, right) && left.lastTransitionTime === right.lastTransitionTime;
}
