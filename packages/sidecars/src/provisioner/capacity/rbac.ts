import { copyVerbs, type RoleRules, rule } from "../../rbac/role-rules.ts";

/** Beside those of topology, unless deployed on each node: places are told from Nodes and CSINodes for every driver. */
export const capacityRules: RoleRules = {
  cluster: [rule("storage.k8s.io", ["storageclasses"], copyVerbs)],
  namespaced: [
    rule("storage.k8s.io", ["csistoragecapacities"], [...copyVerbs, "create", "patch", "delete"]),
    // To find the owner: the Pod names the first, and to go up two levels its ReplicaSet names the Deployment.
    rule("", ["pods"], ["get"]),
    rule("apps", ["replicasets"], ["get"]),
  ],
};
