import { type RoleRules, rule } from "../rbac/role-rules.ts";

/** Deleted when an object must be made anew, or on `--delete-on-exit`. */
export const clusterDriverRegistrarRules: RoleRules = {
  cluster: [rule("storage.k8s.io", ["csidrivers"], ["get", "create", "patch", "delete"])],
  namespaced: [],
};
