import { copyVerbs, type RoleRules, readVerbs, rule } from "../rbac/role-rules.ts";

/** Claims are updated, not patched: roles made for the original allow no patch. */
export const snapshotControllerRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumes"], copyVerbs),
    rule("", ["persistentvolumeclaims"], [...copyVerbs, "update"]),
    rule("", ["events"], ["create", "patch"]),
    rule("snapshot.storage.k8s.io", ["volumesnapshotclasses"], copyVerbs),
    rule("snapshot.storage.k8s.io", ["volumesnapshotcontents"], [...readVerbs, "create", "patch", "delete"]),
    // Of the members of groups: the sidecar learns from it which of the driver's snapshots they are.
    rule("snapshot.storage.k8s.io", ["volumesnapshotcontents/status"], ["patch"]),
    // Created and deleted as members of groups.
    rule("snapshot.storage.k8s.io", ["volumesnapshots"], [...readVerbs, "create", "patch", "delete"]),
    rule("snapshot.storage.k8s.io", ["volumesnapshots/status"], ["patch"]),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshotclasses"], copyVerbs),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshotcontents"], [...readVerbs, "create", "patch", "delete"]),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshots"], [...readVerbs, "patch"]),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshots/status"], ["patch"]),
  ],
  namespaced: [],
};

/** In addition, when it is distributed: where a volume is, its node's labels tell. */
export const distributedSnapshotControllerRules: RoleRules = {
  cluster: [rule("", ["nodes"], copyVerbs)],
  namespaced: [],
};
