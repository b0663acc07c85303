import { copyVerbs, type RoleRules, readVerbs, rule } from "../rbac/role-rules.ts";

/** Nothing is ever created, updated as a whole or deleted. */
export const attacherRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumes"], [...copyVerbs, "patch"]),
    rule("storage.k8s.io", ["csinodes"], copyVerbs),
    // Read one by one too: before a retry the server is asked whether it is still there.
    rule("storage.k8s.io", ["volumeattachments"], [...readVerbs, "patch"]),
    rule("storage.k8s.io", ["volumeattachments/status"], ["patch"]),
  ],
  namespaced: [],
};

/** Beside those, for drivers whose StorageClasses name a Secret for ControllerPublishVolume. */
export const attacherSecretRules: RoleRules = { cluster: [rule("", ["secrets"], ["get"])], namespaced: [] };
