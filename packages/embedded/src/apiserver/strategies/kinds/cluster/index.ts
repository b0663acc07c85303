import type { KindTable } from "../../kind-rules.ts";
import { apiServiceRules } from "./api-service-rules.ts";
import { certificateRequestRules } from "./certificate-request-rules.ts";
import { configMapRules } from "./config-map-rules.ts";
import { coreEventRules, eventRules } from "./event-rules.ts";
import { leaseRules } from "./lease-rules.ts";
import { limitRangeRules } from "./limit-range-rules.ts";
import { namespaceRules } from "./namespace-rules.ts";
import { nodeRules } from "./node-rules.ts";
import { priorityClassRules } from "./priority-class-rules.ts";
import { resourceQuotaRules } from "./resource-quota-rules.ts";
import { clusterRoleBindingRules, roleBindingRules } from "./role-binding-rules.ts";
import { clusterRoleRules, roleRules } from "./role-rules.ts";
import { runtimeClassRules } from "./runtime-class-rules.ts";
import { secretRules } from "./secret-rules.ts";
import { serviceAccountRules } from "./service-account-rules.ts";

/** Kinds of which every cluster is made, whatever runs on it. */
export const clusterKinds: KindTable = {
  "/ConfigMap": configMapRules,
  "/Event": coreEventRules,
  "/LimitRange": limitRangeRules,
  "/Namespace": namespaceRules,
  "/Node": nodeRules,
  "/ResourceQuota": resourceQuotaRules,
  "/Secret": secretRules,
  "/ServiceAccount": serviceAccountRules,
  "apiregistration.k8s.io/APIService": apiServiceRules,
  "certificates.k8s.io/CertificateSigningRequest": certificateRequestRules,
  "coordination.k8s.io/Lease": leaseRules,
  "events.k8s.io/Event": eventRules,
  "node.k8s.io/RuntimeClass": runtimeClassRules,
  "rbac.authorization.k8s.io/ClusterRole": clusterRoleRules,
  "rbac.authorization.k8s.io/ClusterRoleBinding": clusterRoleBindingRules,
  "rbac.authorization.k8s.io/Role": roleRules,
  "rbac.authorization.k8s.io/RoleBinding": roleBindingRules,
  "scheduling.k8s.io/PriorityClass": priorityClassRules,
};
