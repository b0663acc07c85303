import { copyVerbs, type RoleRules, rule } from "../rbac/role-rules.ts";

/** Nothing is ever created, updated as a whole or deleted. */
export const attacherRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumes"], [...copyVerbs, "patch"]),
    rule("storage.k8s.io", ["csinodes"], copyVerbs),
    rule("storage.k8s.io", ["volumeattachments"], [...copyVerbs, "patch"]),
    rule("storage.k8s.io", ["volumeattachments/status"], ["patch"]),
  ],
  namespaced: [],
};

/** Beside those, for drivers whose StorageClasses name a Secret for ControllerPublishVolume. */
export const attacherSecretRules: RoleRules = { cluster: [rule("", ["secrets"], ["get"])], namespaced: [] };
