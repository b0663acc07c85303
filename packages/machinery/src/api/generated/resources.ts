// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { ResourceType } from "../resource-type.ts";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "./admissionregistration-v1.ts";
import type { CustomResourceDefinition } from "./apiextensions-v1.ts";
import type { APIService } from "./apiregistration-v1.ts";
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "./apps-v1.ts";
import type { HorizontalPodAutoscaler } from "./autoscaling-v1.ts";
import type { CronJob, Job } from "./batch-v1.ts";
import type { CertificateSigningRequest } from "./certificates-v1.ts";
import type { Lease } from "./coordination-v1.ts";
import type {
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "./core-v1.ts";
import type { EndpointSlice } from "./discovery-v1.ts";
import type { Event as EventsV1Event } from "./events-v1.ts";
import type { IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR } from "./networking-v1.ts";
import type { RuntimeClass } from "./node-v1.ts";
import type { PodDisruptionBudget } from "./policy-v1.ts";
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "./rbac-v1.ts";
import type { PriorityClass } from "./scheduling-v1.ts";
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "./storage-v1.ts";

export const mutatingAdmissionPolicies: ResourceType<MutatingAdmissionPolicy> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "mutatingadmissionpolicies",
  kind: "MutatingAdmissionPolicy",
  namespaced: false,
};

export const mutatingAdmissionPolicyBindings: ResourceType<MutatingAdmissionPolicyBinding> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "mutatingadmissionpolicybindings",
  kind: "MutatingAdmissionPolicyBinding",
  namespaced: false,
};

export const mutatingWebhookConfigurations: ResourceType<MutatingWebhookConfiguration> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
};

export const validatingAdmissionPolicies: ResourceType<ValidatingAdmissionPolicy> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  namespaced: false,
};

export const validatingAdmissionPolicyBindings: ResourceType<ValidatingAdmissionPolicyBinding> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  namespaced: false,
};

export const validatingWebhookConfigurations: ResourceType<ValidatingWebhookConfiguration> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  namespaced: false,
};

export const customResourceDefinitions: ResourceType<CustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};

export const apiServices: ResourceType<APIService> = {
  group: "apiregistration.k8s.io",
  version: "v1",
  plural: "apiservices",
  kind: "APIService",
  namespaced: false,
};

export const controllerRevisions: ResourceType<ControllerRevision> = {
  group: "apps",
  version: "v1",
  plural: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
};

export const daemonSets: ResourceType<DaemonSet> = {
  group: "apps",
  version: "v1",
  plural: "daemonsets",
  kind: "DaemonSet",
  namespaced: true,
};

export const deployments: ResourceType<Deployment> = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
};

export const replicaSets: ResourceType<ReplicaSet> = {
  group: "apps",
  version: "v1",
  plural: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
};

export const statefulSets: ResourceType<StatefulSet> = {
  group: "apps",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
};

export const horizontalPodAutoscalers: ResourceType<HorizontalPodAutoscaler> = {
  group: "autoscaling",
  version: "v1",
  plural: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
};

export const cronJobs: ResourceType<CronJob> = {
  group: "batch",
  version: "v1",
  plural: "cronjobs",
  kind: "CronJob",
  namespaced: true,
};

export const jobs: ResourceType<Job> = {
  group: "batch",
  version: "v1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
};

export const certificateSigningRequests: ResourceType<CertificateSigningRequest> = {
  group: "certificates.k8s.io",
  version: "v1",
  plural: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  namespaced: false,
};

export const leases: ResourceType<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};

export const componentStatuses: ResourceType<ComponentStatus> = {
  group: "",
  version: "v1",
  plural: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
};

export const configMaps: ResourceType<ConfigMap> = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

export const endpoints: ResourceType<Endpoints> = {
  group: "",
  version: "v1",
  plural: "endpoints",
  kind: "Endpoints",
  namespaced: true,
};

export const events: ResourceType<Event> = {
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

export const limitRanges: ResourceType<LimitRange> = {
  group: "",
  version: "v1",
  plural: "limitranges",
  kind: "LimitRange",
  namespaced: true,
};

export const namespaces: ResourceType<Namespace> = {
  group: "",
  version: "v1",
  plural: "namespaces",
  kind: "Namespace",
  namespaced: false,
};

export const nodes: ResourceType<Node> = {
  group: "",
  version: "v1",
  plural: "nodes",
  kind: "Node",
  namespaced: false,
};

export const persistentVolumeClaims: ResourceType<PersistentVolumeClaim> = {
  group: "",
  version: "v1",
  plural: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
};

export const persistentVolumes: ResourceType<PersistentVolume> = {
  group: "",
  version: "v1",
  plural: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
};

export const pods: ResourceType<Pod> = {
  group: "",
  version: "v1",
  plural: "pods",
  kind: "Pod",
  namespaced: true,
};

export const podTemplates: ResourceType<PodTemplate> = {
  group: "",
  version: "v1",
  plural: "podtemplates",
  kind: "PodTemplate",
  namespaced: true,
};

export const replicationControllers: ResourceType<ReplicationController> = {
  group: "",
  version: "v1",
  plural: "replicationcontrollers",
  kind: "ReplicationController",
  namespaced: true,
};

export const resourceQuotas: ResourceType<ResourceQuota> = {
  group: "",
  version: "v1",
  plural: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
};

export const secrets: ResourceType<Secret> = {
  group: "",
  version: "v1",
  plural: "secrets",
  kind: "Secret",
  namespaced: true,
};

export const serviceAccounts: ResourceType<ServiceAccount> = {
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
};

export const services: ResourceType<Service> = {
  group: "",
  version: "v1",
  plural: "services",
  kind: "Service",
  namespaced: true,
};

export const endpointSlices: ResourceType<EndpointSlice> = {
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
};

export const eventsV1Events: ResourceType<EventsV1Event> = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

export const ingressClasses: ResourceType<IngressClass> = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "ingressclasses",
  kind: "IngressClass",
  namespaced: false,
};

export const ingresses: ResourceType<Ingress> = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "ingresses",
  kind: "Ingress",
  namespaced: true,
};

export const ipAddresses: ResourceType<IPAddress> = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "ipaddresses",
  kind: "IPAddress",
  namespaced: false,
};

export const networkPolicies: ResourceType<NetworkPolicy> = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
};

export const serviceCIDRs: ResourceType<ServiceCIDR> = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "servicecidrs",
  kind: "ServiceCIDR",
  namespaced: false,
};

export const runtimeClasses: ResourceType<RuntimeClass> = {
  group: "node.k8s.io",
  version: "v1",
  plural: "runtimeclasses",
  kind: "RuntimeClass",
  namespaced: false,
};

export const podDisruptionBudgets: ResourceType<PodDisruptionBudget> = {
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
};

export const clusterRoleBindings: ResourceType<ClusterRoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  namespaced: false,
};

export const clusterRoles: ResourceType<ClusterRole> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
};

export const roleBindings: ResourceType<RoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
};

export const roles: ResourceType<Role> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "roles",
  kind: "Role",
  namespaced: true,
};

export const priorityClasses: ResourceType<PriorityClass> = {
  group: "scheduling.k8s.io",
  version: "v1",
  plural: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
};

export const csiDrivers: ResourceType<CSIDriver> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
};

export const csiNodes: ResourceType<CSINode> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "csinodes",
  kind: "CSINode",
  namespaced: false,
};

export const csiStorageCapacities: ResourceType<CSIStorageCapacity> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  namespaced: true,
};

export const storageClasses: ResourceType<StorageClass> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
};

export const volumeAttachments: ResourceType<VolumeAttachment> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "volumeattachments",
  kind: "VolumeAttachment",
  namespaced: false,
};

export const volumeAttributesClasses: ResourceType<VolumeAttributesClass> = {
  group: "storage.k8s.io",
  version: "v1",
  plural: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  namespaced: false,
};
