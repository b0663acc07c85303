import type { Json } from "./json-parts.ts";

/** A small object of a kind, and what to write to its status. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  /** `{ns}` stands for the namespace of the test. */
  readonly collection: string;
  readonly body: Json;
  readonly status?: Json;
  /** What the server adds to a new one when it has counted its fields. */
  readonly serverMade?: readonly (readonly string[])[];
}

const labels = { app: "a" };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: "a", image: "a", ports: [{ containerPort: 80 }] }] };
const template = { metadata: { labels }, spec: podSpec };
const condition = {
  type: "Ready",
  status: "True",
  reason: "R",
  message: "m",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

const namespaced = (
  apiVersion: string,
  kind: string,
  plural: string,
  rest: Omit<Sample, "apiVersion" | "kind" | "collection">,
): Sample => ({
  apiVersion,
  kind,
  collection: `${root(apiVersion)}/{ns}/${plural}`,
  ...rest,
});
const clusterWide = (
  apiVersion: string,
  kind: string,
  plural: string,
  rest: Omit<Sample, "apiVersion" | "kind" | "collection">,
): Sample => ({
  apiVersion,
  kind,
  collection: `${root(apiVersion)}/${plural}`,
  ...rest,
});

function root(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** One of each kind whose writes the server counts, of the groups that are in the table of types. */
export const samples: readonly Sample[] = [
  namespaced("v1", "ConfigMap", "configmaps", { body: { data: { a: "1" }, immutable: false } }),
  namespaced("v1", "Secret", "secrets", { body: { data: { a: "YQ==" }, type: "Opaque" } }),
  namespaced("v1", "ServiceAccount", "serviceaccounts", { body: { imagePullSecrets: [{ name: "a" }] } }),
  namespaced("v1", "LimitRange", "limitranges", { body: { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } } }),
  namespaced("v1", "ResourceQuota", "resourcequotas", {
    body: { spec: { hard: { pods: "1000" } } },
    status: { hard: { pods: "1000" }, used: { pods: "0" } },
  }),
  namespaced("v1", "PodTemplate", "podtemplates", { body: { template } }),
  namespaced("v1", "Endpoints", "endpoints", {
    body: { subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1 }] }] },
  }),
  namespaced("v1", "Event", "events", {
    body: {
      involvedObject: { kind: "Pod", name: "a", namespace: "{namespace}" },
      reason: "R",
      type: "Normal",
      count: 2,
    },
  }),
  namespaced("v1", "ReplicationController", "replicationcontrollers", {
    body: { spec: { replicas: 0, selector: labels, template } },
    status: { replicas: 0, observedGeneration: 1, conditions: [{ type: "A", status: "True" }] },
  }),
  namespaced("v1", "PersistentVolumeClaim", "persistentvolumeclaims", {
    body: {
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage: "1Gi" } } },
    },
    serverMade: [["metadata", "finalizers"]],
    status: { phase: "Pending", conditions: [{ type: "Resizing", status: "True" }], capacity: { storage: "1Gi" } },
  }),
  clusterWide("v1", "PersistentVolume", "persistentvolumes", {
    body: { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], nfs: { path: "/", server: "a" } } },
    serverMade: [["metadata", "finalizers"]],
    status: { message: "m" },
  }),
  clusterWide("v1", "Node", "nodes", {
    body: { spec: { taints: [{ key: "a", effect: "NoSchedule" }], podCIDR: "10.1.0.0/24" } },
    status: {
      conditions: [condition],
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      capacity: { pods: "1" },
    },
  }),
  clusterWide("v1", "Namespace", "namespaces", {
    body: {},
    serverMade: [["spec", "finalizers"]],
    status: { conditions: [{ type: "NamespaceDeletionContentFailure", status: "False" }] },
  }),
  namespaced("apps/v1", "ControllerRevision", "controllerrevisions", {
    body: { data: { a: { b: [1] } }, revision: 1 },
  }),
  namespaced("apps/v1", "ReplicaSet", "replicasets", {
    body: { spec: { replicas: 0, selector, template } },
    status: { replicas: 0, conditions: [{ type: "A", status: "True" }] },
  }),
  namespaced("apps/v1", "StatefulSet", "statefulsets", {
    body: { spec: { replicas: 0, serviceName: "a", selector, template } },
    status: { replicas: 0, conditions: [{ type: "A", status: "True" }] },
  }),
  namespaced("apps/v1", "DaemonSet", "daemonsets", {
    body: { spec: { selector, template: { ...template, spec: { ...podSpec, nodeSelector: { no: "where" } } } } },
    status: {
      conditions: [{ type: "A", status: "True" }],
      numberReady: 0,
      currentNumberScheduled: 0,
      desiredNumberScheduled: 0,
      numberMisscheduled: 0,
    },
  }),
  namespaced("batch/v1", "CronJob", "cronjobs", {
    body: {
      spec: {
        schedule: "0 0 1 1 *",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
      },
    },
    status: { lastScheduleTime: "2026-01-01T00:00:00Z" },
  }),
  namespaced("networking.k8s.io/v1", "Ingress", "ingresses", {
    body: { spec: { defaultBackend: { service: { name: "a", port: { number: 1 } } } } },
    status: { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
  }),
  namespaced("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", {
    body: { spec: { podSelector: selector, ingress: [{}] } },
  }),
  clusterWide("networking.k8s.io/v1", "IngressClass", "ingressclasses", {
    body: { spec: { controller: "example.com/a" } },
  }),
  namespaced("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", {
    body: { spec: { selector, minAvailable: 1 } },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
      conditions: [condition],
    },
  }),
  namespaced("autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {
    body: { spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "none", apiVersion: "apps/v1" } } },
    status: { currentReplicas: 0, desiredReplicas: 0 },
  }),
  namespaced("coordination.k8s.io/v1", "Lease", "leases", {
    body: { spec: { holderIdentity: "a", leaseDurationSeconds: 10 } },
  }),
  namespaced("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", {
    body: { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }], ports: [{ name: "a", port: 1 }] },
  }),
  namespaced("events.k8s.io/v1", "Event", "events", {
    body: {
      regarding: { kind: "Pod", name: "a", namespace: "{namespace}" },
      reason: "R",
      type: "Normal",
      action: "A",
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/a",
      reportingInstance: "a",
    },
  }),
  namespaced("rbac.authorization.k8s.io/v1", "Role", "roles", {
    body: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  }),
  namespaced("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", {
    body: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
      subjects: [{ kind: "ServiceAccount", name: "a", namespace: "{namespace}" }],
    },
  }),
  clusterWide("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", {
    body: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  }),
  clusterWide("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", { body: { value: 1, description: "d" } }),
  clusterWide("node.k8s.io/v1", "RuntimeClass", "runtimeclasses", {
    body: { handler: "a", overhead: { podFixed: { cpu: "1" } } },
  }),
  clusterWide("storage.k8s.io/v1", "StorageClass", "storageclasses", {
    body: { provisioner: "example.com/a", parameters: { a: "1" }, mountOptions: ["a"] },
  }),
  clusterWide("storage.k8s.io/v1", "CSIDriver", "csidrivers", {
    body: { spec: { attachRequired: false, tokenRequests: [{ audience: "a" }] } },
  }),
  clusterWide("storage.k8s.io/v1", "CSINode", "csinodes", {
    body: { spec: { drivers: [{ name: "a", nodeID: "n", topologyKeys: ["t"] }] } },
  }),
  namespaced("storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities", {
    body: { storageClassName: "a", capacity: "1Gi", nodeTopology: selector },
  }),
  clusterWide("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", {
    body: { spec: { attacher: "example.com", nodeName: "n", source: { persistentVolumeName: "p" } } },
    status: { attached: true, attachmentMetadata: { a: "1" } },
  }),
  clusterWide(
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicyBinding",
    "validatingadmissionpolicybindings",
    {
      body: { spec: { policyName: "none", validationActions: ["Audit"] } },
    },
  ),
  clusterWide("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", {
    body: { webhooks: [] },
  }),
  clusterWide("apiregistration.k8s.io/v1", "APIService", "apiservices", {
    body: {
      spec: {
        group: "a.example.com",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        service: { name: "a", namespace: "a" },
      },
    },
    status: { conditions: [condition] },
  }),
];
