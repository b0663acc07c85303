// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

/** How strategic merge patch treats one field. */
export interface PatchField {
  /** The type of the field, or of the items of a list that is merged, where that says more. */
  readonly type?: string;
  readonly strategy?: "merge" | "replace" | "retainKeys" | "merge,retainKeys";
  /** The field that tells the items of a merged list apart; a list of plain values has none. */
  readonly mergeKey?: string;
}

export const patchTypes: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = {
  "admissionregistration.v1.MutatingAdmissionPolicy": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "admissionregistration.v1.MutatingAdmissionPolicySpec" },
  },
  "admissionregistration.v1.MutatingAdmissionPolicyBinding": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "admissionregistration.v1.MutatingAdmissionPolicySpec": {
    matchConditions: { strategy: "merge", mergeKey: "name" },
  },
  "admissionregistration.v1.MutatingWebhook": {
    matchConditions: { strategy: "merge", mergeKey: "name" },
  },
  "admissionregistration.v1.MutatingWebhookConfiguration": {
    metadata: { type: "meta.v1.ObjectMeta" },
    webhooks: { type: "admissionregistration.v1.MutatingWebhook", strategy: "merge", mergeKey: "name" },
  },
  "admissionregistration.v1.ValidatingAdmissionPolicy": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "admissionregistration.v1.ValidatingAdmissionPolicySpec" },
  },
  "admissionregistration.v1.ValidatingAdmissionPolicyBinding": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "admissionregistration.v1.ValidatingAdmissionPolicySpec": {
    matchConditions: { strategy: "merge", mergeKey: "name" },
    variables: { strategy: "merge", mergeKey: "name" },
  },
  "admissionregistration.v1.ValidatingWebhook": {
    matchConditions: { strategy: "merge", mergeKey: "name" },
  },
  "admissionregistration.v1.ValidatingWebhookConfiguration": {
    metadata: { type: "meta.v1.ObjectMeta" },
    webhooks: { type: "admissionregistration.v1.ValidatingWebhook", strategy: "merge", mergeKey: "name" },
  },
  "apps.v1.ControllerRevision": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "apps.v1.DaemonSet": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "apps.v1.DaemonSetSpec" },
    status: { type: "apps.v1.DaemonSetStatus" },
  },
  "apps.v1.DaemonSetSpec": {
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "apps.v1.DaemonSetStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "apps.v1.Deployment": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "apps.v1.DeploymentSpec" },
    status: { type: "apps.v1.DeploymentStatus" },
  },
  "apps.v1.DeploymentSpec": {
    strategy: { strategy: "retainKeys" },
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "apps.v1.DeploymentStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "apps.v1.ReplicaSet": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "apps.v1.ReplicaSetSpec" },
    status: { type: "apps.v1.ReplicaSetStatus" },
  },
  "apps.v1.ReplicaSetSpec": {
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "apps.v1.ReplicaSetStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "apps.v1.StatefulSet": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "apps.v1.StatefulSetSpec" },
    status: { type: "apps.v1.StatefulSetStatus" },
  },
  "apps.v1.StatefulSetSpec": {
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "apps.v1.StatefulSetStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "authentication.v1.SelfSubjectReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authentication.v1.TokenRequest": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authentication.v1.TokenReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authorization.v1.LocalSubjectAccessReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authorization.v1.SelfSubjectAccessReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authorization.v1.SelfSubjectRulesReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "authorization.v1.SubjectAccessReview": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "autoscaling.v1.HorizontalPodAutoscaler": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "autoscaling.v1.Scale": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "batch.v1.CronJob": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "batch.v1.CronJobSpec" },
  },
  "batch.v1.CronJobSpec": {
    jobTemplate: { type: "batch.v1.JobTemplateSpec" },
  },
  "batch.v1.Job": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "batch.v1.JobSpec" },
    status: { type: "batch.v1.JobStatus" },
  },
  "batch.v1.JobSpec": {
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "batch.v1.JobStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "batch.v1.JobTemplateSpec": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "batch.v1.JobSpec" },
  },
  "certificates.v1.CertificateSigningRequest": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "coordination.v1.Lease": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Binding": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.ComponentStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.ConfigMap": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Container": {
    env: { strategy: "merge", mergeKey: "name" },
    ports: { strategy: "merge", mergeKey: "containerPort" },
    volumeDevices: { strategy: "merge", mergeKey: "devicePath" },
    volumeMounts: { strategy: "merge", mergeKey: "mountPath" },
  },
  "core.v1.Endpoints": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.EphemeralContainer": {
    env: { strategy: "merge", mergeKey: "name" },
    ports: { strategy: "merge", mergeKey: "containerPort" },
    volumeDevices: { strategy: "merge", mergeKey: "devicePath" },
    volumeMounts: { strategy: "merge", mergeKey: "mountPath" },
  },
  "core.v1.EphemeralVolumeSource": {
    volumeClaimTemplate: { type: "core.v1.PersistentVolumeClaimTemplate" },
  },
  "core.v1.Event": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.LimitRange": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Namespace": {
    metadata: { type: "meta.v1.ObjectMeta" },
    status: { type: "core.v1.NamespaceStatus" },
  },
  "core.v1.NamespaceStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "core.v1.Node": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "core.v1.NodeSpec" },
    status: { type: "core.v1.NodeStatus" },
  },
  "core.v1.NodeSpec": {
    podCIDRs: { strategy: "merge" },
  },
  "core.v1.NodeStatus": {
    addresses: { strategy: "merge", mergeKey: "type" },
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "core.v1.PersistentVolume": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.PersistentVolumeClaim": {
    metadata: { type: "meta.v1.ObjectMeta" },
    status: { type: "core.v1.PersistentVolumeClaimStatus" },
  },
  "core.v1.PersistentVolumeClaimStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "core.v1.PersistentVolumeClaimTemplate": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Pod": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "core.v1.PodSpec" },
    status: { type: "core.v1.PodStatus" },
  },
  "core.v1.PodSpec": {
    containers: { type: "core.v1.Container", strategy: "merge", mergeKey: "name" },
    ephemeralContainers: { type: "core.v1.EphemeralContainer", strategy: "merge", mergeKey: "name" },
    hostAliases: { strategy: "merge", mergeKey: "ip" },
    imagePullSecrets: { strategy: "merge", mergeKey: "name" },
    initContainers: { type: "core.v1.Container", strategy: "merge", mergeKey: "name" },
    resourceClaims: { strategy: "merge,retainKeys", mergeKey: "name" },
    schedulingGates: { strategy: "merge", mergeKey: "name" },
    topologySpreadConstraints: { strategy: "merge", mergeKey: "topologyKey" },
    volumes: { type: "core.v1.Volume", strategy: "merge,retainKeys", mergeKey: "name" },
  },
  "core.v1.PodStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
    hostIPs: { strategy: "merge", mergeKey: "ip" },
    podIPs: { strategy: "merge", mergeKey: "ip" },
    resourceClaimStatuses: { strategy: "merge,retainKeys", mergeKey: "name" },
  },
  "core.v1.PodTemplate": {
    metadata: { type: "meta.v1.ObjectMeta" },
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "core.v1.PodTemplateSpec": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "core.v1.PodSpec" },
  },
  "core.v1.ReplicationController": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "core.v1.ReplicationControllerSpec" },
    status: { type: "core.v1.ReplicationControllerStatus" },
  },
  "core.v1.ReplicationControllerSpec": {
    template: { type: "core.v1.PodTemplateSpec" },
  },
  "core.v1.ReplicationControllerStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "core.v1.ResourceQuota": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Secret": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "core.v1.Service": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "core.v1.ServiceSpec" },
    status: { type: "core.v1.ServiceStatus" },
  },
  "core.v1.ServiceAccount": {
    metadata: { type: "meta.v1.ObjectMeta" },
    secrets: { strategy: "merge", mergeKey: "name" },
  },
  "core.v1.ServiceSpec": {
    ports: { strategy: "merge", mergeKey: "port" },
  },
  "core.v1.ServiceStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "core.v1.Volume": {
    ephemeral: { type: "core.v1.EphemeralVolumeSource" },
  },
  "discovery.v1.EndpointSlice": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "events.v1.Event": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "networking.v1.IPAddress": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "networking.v1.Ingress": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "networking.v1.IngressClass": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "networking.v1.NetworkPolicy": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "networking.v1.ServiceCIDR": {
    metadata: { type: "meta.v1.ObjectMeta" },
    status: { type: "networking.v1.ServiceCIDRStatus" },
  },
  "networking.v1.ServiceCIDRStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "node.v1.RuntimeClass": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "policy.v1.Eviction": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "policy.v1.PodDisruptionBudget": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "policy.v1.PodDisruptionBudgetSpec" },
    status: { type: "policy.v1.PodDisruptionBudgetStatus" },
  },
  "policy.v1.PodDisruptionBudgetSpec": {
    selector: { strategy: "replace" },
  },
  "policy.v1.PodDisruptionBudgetStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
  "rbac.v1.ClusterRole": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "rbac.v1.ClusterRoleBinding": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "rbac.v1.Role": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "rbac.v1.RoleBinding": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "scheduling.v1.PriorityClass": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "storage.v1.CSIDriver": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "storage.v1.CSINode": {
    metadata: { type: "meta.v1.ObjectMeta" },
    spec: { type: "storage.v1.CSINodeSpec" },
  },
  "storage.v1.CSINodeSpec": {
    drivers: { strategy: "merge", mergeKey: "name" },
  },
  "storage.v1.CSIStorageCapacity": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "storage.v1.StorageClass": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "storage.v1.VolumeAttachment": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "storage.v1.VolumeAttributesClass": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "apiextensions.v1.CustomResourceDefinition": {
    metadata: { type: "meta.v1.ObjectMeta" },
  },
  "meta.v1.ObjectMeta": {
    finalizers: { strategy: "merge" },
    ownerReferences: { strategy: "merge", mergeKey: "uid" },
  },
  "apiregistration.v1.APIService": {
    metadata: { type: "meta.v1.ObjectMeta" },
    status: { type: "apiregistration.v1.APIServiceStatus" },
  },
  "apiregistration.v1.APIServiceStatus": {
    conditions: { strategy: "merge", mergeKey: "type" },
  },
};

/** The type of each kind, by `apiVersion/kind`. */
export const patchKinds: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": "admissionregistration.v1.MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": "admissionregistration.v1.MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": "admissionregistration.v1.MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": "admissionregistration.v1.ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": "admissionregistration.v1.ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": "admissionregistration.v1.ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1/CustomResourceDefinition": "apiextensions.v1.CustomResourceDefinition",
  "apiregistration.k8s.io/v1/APIService": "apiregistration.v1.APIService",
  "apps/v1/ControllerRevision": "apps.v1.ControllerRevision",
  "apps/v1/DaemonSet": "apps.v1.DaemonSet",
  "apps/v1/Deployment": "apps.v1.Deployment",
  "apps/v1/ReplicaSet": "apps.v1.ReplicaSet",
  "apps/v1/StatefulSet": "apps.v1.StatefulSet",
  "authentication.k8s.io/v1/SelfSubjectReview": "authentication.v1.SelfSubjectReview",
  "authentication.k8s.io/v1/TokenRequest": "authentication.v1.TokenRequest",
  "authentication.k8s.io/v1/TokenReview": "authentication.v1.TokenReview",
  "authorization.k8s.io/v1/LocalSubjectAccessReview": "authorization.v1.LocalSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectAccessReview": "authorization.v1.SelfSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectRulesReview": "authorization.v1.SelfSubjectRulesReview",
  "authorization.k8s.io/v1/SubjectAccessReview": "authorization.v1.SubjectAccessReview",
  "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling.v1.HorizontalPodAutoscaler",
  "autoscaling/v1/Scale": "autoscaling.v1.Scale",
  "batch/v1/CronJob": "batch.v1.CronJob",
  "batch/v1/Job": "batch.v1.Job",
  "certificates.k8s.io/v1/CertificateSigningRequest": "certificates.v1.CertificateSigningRequest",
  "coordination.k8s.io/v1/Lease": "coordination.v1.Lease",
  "discovery.k8s.io/v1/EndpointSlice": "discovery.v1.EndpointSlice",
  "events.k8s.io/v1/Event": "events.v1.Event",
  "networking.k8s.io/v1/IPAddress": "networking.v1.IPAddress",
  "networking.k8s.io/v1/Ingress": "networking.v1.Ingress",
  "networking.k8s.io/v1/IngressClass": "networking.v1.IngressClass",
  "networking.k8s.io/v1/NetworkPolicy": "networking.v1.NetworkPolicy",
  "networking.k8s.io/v1/ServiceCIDR": "networking.v1.ServiceCIDR",
  "node.k8s.io/v1/RuntimeClass": "node.v1.RuntimeClass",
  "policy/v1/Eviction": "policy.v1.Eviction",
  "policy/v1/PodDisruptionBudget": "policy.v1.PodDisruptionBudget",
  "rbac.authorization.k8s.io/v1/ClusterRole": "rbac.v1.ClusterRole",
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": "rbac.v1.ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1/Role": "rbac.v1.Role",
  "rbac.authorization.k8s.io/v1/RoleBinding": "rbac.v1.RoleBinding",
  "scheduling.k8s.io/v1/PriorityClass": "scheduling.v1.PriorityClass",
  "storage.k8s.io/v1/CSIDriver": "storage.v1.CSIDriver",
  "storage.k8s.io/v1/CSINode": "storage.v1.CSINode",
  "storage.k8s.io/v1/CSIStorageCapacity": "storage.v1.CSIStorageCapacity",
  "storage.k8s.io/v1/StorageClass": "storage.v1.StorageClass",
  "storage.k8s.io/v1/VolumeAttachment": "storage.v1.VolumeAttachment",
  "storage.k8s.io/v1/VolumeAttributesClass": "storage.v1.VolumeAttributesClass",
  "v1/Binding": "core.v1.Binding",
  "v1/ComponentStatus": "core.v1.ComponentStatus",
  "v1/ConfigMap": "core.v1.ConfigMap",
  "v1/Endpoints": "core.v1.Endpoints",
  "v1/Event": "core.v1.Event",
  "v1/LimitRange": "core.v1.LimitRange",
  "v1/Namespace": "core.v1.Namespace",
  "v1/Node": "core.v1.Node",
  "v1/PersistentVolume": "core.v1.PersistentVolume",
  "v1/PersistentVolumeClaim": "core.v1.PersistentVolumeClaim",
  "v1/Pod": "core.v1.Pod",
  "v1/PodTemplate": "core.v1.PodTemplate",
  "v1/ReplicationController": "core.v1.ReplicationController",
  "v1/ResourceQuota": "core.v1.ResourceQuota",
  "v1/Secret": "core.v1.Secret",
  "v1/Service": "core.v1.Service",
  "v1/ServiceAccount": "core.v1.ServiceAccount",
};
