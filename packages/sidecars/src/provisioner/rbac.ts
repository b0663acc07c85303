import { copyVerbs, type RoleRules, readVerbs, rule } from "../rbac/role-rules.ts";

/** Beside these, `topologyRules` for drivers with topology, and `provisionerSecretRules` for classes that name Secrets. */
export const provisionerRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumes"], [...readVerbs, "create", "patch", "delete"]),
    // Updates take the selected node away, and protect claims that are cloned; roles made for the original allow no patch.
    rule("", ["persistentvolumeclaims"], [...readVerbs, "update"]),
    rule("", ["events"], ["create", "patch"]),
    rule("storage.k8s.io", ["storageclasses"], copyVerbs),
    // Only for drivers that attach: a volume is not deleted while it is attached.
    rule("storage.k8s.io", ["volumeattachments"], copyVerbs),
    rule("storage.k8s.io", ["volumeattributesclasses"], ["get"]),
    // Only where snapshots are restored. Without list and update they are restored unprotected.
    rule("snapshot.storage.k8s.io", ["volumesnapshots"], ["get", "list", "update"]),
    rule("snapshot.storage.k8s.io", ["volumesnapshotcontents"], ["get"]),
  ],
  // The journal of intents. By name would be tighter, but `create` cannot be restricted so.
  namespaced: [rule("", ["configmaps"], ["get", "create", "patch"])],
};

/** Only for drivers that need Secrets to make volumes. A Role in the namespace of the Secrets does as well. */
export const provisionerSecretRules: RoleRules = { cluster: [rule("", ["secrets"], ["get"])], namespaced: [] };
