import { type RoleRules, rule } from "../rbac/role-rules.ts";

/** To hold leases, and to hear when one becomes free. Without `watch` that is noticed at the next try. */
export const leaseRules: RoleRules = {
  cluster: [],
  namespaced: [rule("coordination.k8s.io", ["leases"], ["get", "create", "update", "watch"])],
};
