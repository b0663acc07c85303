import { copyVerbs, type RoleRules, rule } from "../../rbac/role-rules.ts";

/** To update claims: the annotation by which a node takes one. Neither Nodes nor CSINodes are read. */
export const nodeDeploymentRules: RoleRules = {
  cluster: [
    rule("", ["persistentvolumeclaims"], [...copyVerbs, "update"]),
    rule("storage.k8s.io", ["storageclasses"], copyVerbs),
  ],
  namespaced: [],
};
