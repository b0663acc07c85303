/** The role of cluster-driver-registrar: the CSIDriver object, for drivers that no operator looks after. */

export { type ClusterDriverRegistrarDeps, removeCsiDriver, syncCsiDriver } from "./cluster-driver-registrar.ts";
export { type CsiDriverWish, desiredCsiDriver } from "./csi-driver-object.ts";
export { clusterDriverRegistrarRules } from "./rbac.ts";
