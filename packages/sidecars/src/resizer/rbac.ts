import { copyVerbs, type RoleRules, rule } from "../rbac/role-rules.ts";

export const resizerRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumes"], [...copyVerbs, "patch"]),
    rule("", ["persistentvolumeclaims"], copyVerbs),
    // Annotations of claims are written together with their status, which the API server allows.
    rule("", ["persistentvolumeclaims/status"], ["patch"]),
    // Used only while a driver refuses to expand volumes in use.
    rule("", ["pods"], ["list", "watch"]),
    rule("", ["events"], ["create", "patch"]),
    rule("storage.k8s.io", ["volumeattributesclasses"], copyVerbs),
  ],
  namespaced: [],
};

/** Beside those, for drivers whose StorageClasses name a Secret for ControllerExpandVolume or ControllerModifyVolume. */
export const resizerSecretRules: RoleRules = { cluster: [rule("", ["secrets"], ["get"])], namespaced: [] };
