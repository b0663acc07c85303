import { copyVerbs, type RoleRules, rule } from "../../rbac/role-rules.ts";

/** Only for drivers with topology, and not when deployed on each node. */
export const topologyRules: RoleRules = {
  cluster: [rule("", ["nodes"], copyVerbs), rule("storage.k8s.io", ["csinodes"], copyVerbs)],
  namespaced: [],
};
