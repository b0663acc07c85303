import { copyVerbs, type RoleRules, rule } from "../rbac/role-rules.ts";

/** The snapshotter reads and patches contents, never snapshots. */
export const snapshotterRules: RoleRules = {
  cluster: [
    rule("snapshot.storage.k8s.io", ["volumesnapshotclasses"], copyVerbs),
    rule("snapshot.storage.k8s.io", ["volumesnapshotcontents"], [...copyVerbs, "patch"]),
    rule("snapshot.storage.k8s.io", ["volumesnapshotcontents/status"], ["patch"]),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshotclasses"], copyVerbs),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshotcontents"], [...copyVerbs, "patch"]),
    rule("groupsnapshot.storage.k8s.io", ["volumegroupsnapshotcontents/status"], ["patch"]),
    rule("", ["events"], ["create", "patch"]),
  ],
  namespaced: [],
};

/** Beside those, where snapshot classes name Secrets. */
export const snapshotterSecretRules: RoleRules = { cluster: [rule("", ["secrets"], ["get"])], namespaced: [] };
