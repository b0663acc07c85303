import type { Sequence } from "../sequence.ts";
import { type Shown, shown } from "../table-builders.ts";

const inNamespace = (group: string, plural: string) => `${group}/namespaces/{ns}/${plural}`;
const core = "/api/v1";
const apps = "/apis/apps/v1";
const batch = "/apis/batch/v1";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io/v1";

const containers = [
  { name: "x", image: "example.test/x:1" },
  { name: "y", image: "example.test/y:2" },
];
const labels = { app: "a", tier: "b" };
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };
const expressions = {
  matchLabels: { app: "a" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["c", "b"] },
    { key: "zone", operator: "DoesNotExist" },
    { key: "old", operator: "NotIn", values: ["x"] },
    { key: "app", operator: "Exists" },
  ],
};
const jobTemplate = { spec: { ...template.spec, restartPolicy: "Never" } };
const long = "2020-05-01T10:00:00Z";

const workloads: readonly Shown[] = [
  {
    kind: "ReplicationController",
    apiVersion: "v1",
    path: inNamespace(core, "replicationcontrollers"),
    rows: {
      "with a status": {
        spec: { replicas: 3, selector: labels, template },
        status: { replicas: 2, readyReplicas: 1, fullyLabeledReplicas: 2 },
      },
      "new": { spec: { selector: labels, template } },
    },
  },
  {
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    path: inNamespace(apps, "replicasets"),
    rows: {
      "with a status": { spec: { replicas: 3, selector, template }, status: { replicas: 2, readyReplicas: 1 } },
      "of none": { spec: { replicas: 0, selector: expressions, template } },
    },
  },
  {
    kind: "Deployment",
    apiVersion: "apps/v1",
    path: inNamespace(apps, "deployments"),
    rows: {
      "with a status": {
        spec: { replicas: 3, selector, template },
        status: { replicas: 3, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 1 },
      },
      "new": { spec: { selector: expressions, template } },
    },
  },
  {
    kind: "StatefulSet",
    apiVersion: "apps/v1",
    path: inNamespace(apps, "statefulsets"),
    rows: {
      "with a status": {
        spec: { replicas: 3, selector, template, serviceName: "s" },
        status: { replicas: 3, readyReplicas: 2 },
      },
      "new": { spec: { selector, template, serviceName: "s" } },
    },
  },
  {
    kind: "DaemonSet",
    apiVersion: "apps/v1",
    path: inNamespace(apps, "daemonsets"),
    rows: {
      "with a status": {
        spec: { selector, template: { ...template, spec: { containers, nodeSelector: { disk: "ssd", arch: "arm" } } } },
        status: {
          desiredNumberScheduled: 5,
          currentNumberScheduled: 4,
          numberReady: 3,
          updatedNumberScheduled: 2,
          numberAvailable: 1,
          numberMisscheduled: 0,
        },
      },
      "new": { spec: { selector, template } },
    },
  },
  {
    kind: "ControllerRevision",
    apiVersion: "apps/v1",
    path: inNamespace(apps, "controllerrevisions"),
    rows: {
      "of nobody": { revision: 7, data: {} },
      "of a set": {
        revision: 1,
        data: {},
        metadata: {
          ownerReferences: [
            { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "u1", controller: true },
            { apiVersion: "v1", kind: "Pod", name: "p", uid: "u2" },
          ],
        },
      },
      "of a core kind": {
        revision: 2,
        data: {},
        metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u2", controller: true }] },
      },
    },
  },
  {
    kind: "Job",
    apiVersion: "batch/v1",
    path: inNamespace(batch, "jobs"),
    rows: {
      "new": { spec: { template: jobTemplate } },
      "with completions": { spec: { completions: 5, parallelism: 2, template: jobTemplate } },
      "in parallel": { spec: { parallelism: 3, template: jobTemplate } },
      "begun long ago": { spec: { template: jobTemplate }, status: { startTime: long, active: 1 } },
      suspended: {
        spec: { suspend: true, template: jobTemplate },
        status: { conditions: [{ type: "Suspended", status: "True" }] },
      },
      "about to fail": {
        spec: { template: jobTemplate },
        status: { startTime: long, conditions: [{ type: "FailureTarget", status: "True" }] },
      },
      complete: {
        spec: { template: jobTemplate },
        status: {
          startTime: long,
          completionTime: "2020-05-01T10:05:30Z",
          succeeded: 1,
          conditions: [
            { type: "SuccessCriteriaMet", status: "True" },
            { type: "Complete", status: "True" },
          ],
        },
      },
    },
  },
  {
    kind: "CronJob",
    apiVersion: "batch/v1",
    path: inNamespace(batch, "cronjobs"),
    rows: {
      "new": { spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: jobTemplate } } } },
      "with a status": {
        spec: {
          schedule: "@daily",
          timeZone: "Etc/UTC",
          suspend: true,
          jobTemplate: { spec: { template: jobTemplate } },
        },
        status: { lastScheduleTime: long, active: [{ kind: "Job", name: "a" }] },
      },
    },
  },
  {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    path: inNamespace("/apis/autoscaling/v1", "horizontalpodautoscalers"),
    rows: {
      "new": {
        spec: {
          maxReplicas: 5,
          targetCPUUtilizationPercentage: 70,
          scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
        },
      },
      "with a status": {
        spec: {
          minReplicas: 2,
          maxReplicas: 5,
          targetCPUUtilizationPercentage: 50,
          scaleTargetRef: { kind: "Deployment", name: "d" },
        },
        status: { currentReplicas: 3, desiredReplicas: 4, currentCPUUtilizationPercentage: 33 },
      },
    },
  },
  {
    kind: "PodDisruptionBudget",
    apiVersion: "policy/v1",
    path: inNamespace("/apis/policy/v1", "poddisruptionbudgets"),
    rows: {
      "at least some": {
        spec: { minAvailable: 2, selector },
        status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
      },
      "at most a part": { spec: { maxUnavailable: "25%", selector } },
      "nothing said": { spec: { selector } },
    },
  },
  {
    kind: "PodTemplate",
    apiVersion: "v1",
    path: inNamespace(core, "podtemplates"),
    rows: { "with labels": { template }, without: { template: { spec: { containers } } } },
  },
];

const access: readonly Shown[] = [
  {
    kind: "Role",
    apiVersion: "rbac.authorization.k8s.io/v1",
    path: inNamespace(rbac, "roles"),
    rows: { plain: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] } },
  },
  {
    kind: "ClusterRole",
    apiVersion: "rbac.authorization.k8s.io/v1",
    path: `${rbac}/clusterroles`,
    rows: { plain: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] } },
  },
  {
    kind: "RoleBinding",
    apiVersion: "rbac.authorization.k8s.io/v1",
    path: inNamespace(rbac, "rolebindings"),
    rows: {
      "of nobody": { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" } },
      "of many": {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [
          { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "ann" },
          { kind: "ServiceAccount", namespace: "x", name: "y" },
          { kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "g" },
          { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "bob" },
        ],
      },
    },
  },
  {
    kind: "ClusterRoleBinding",
    apiVersion: "rbac.authorization.k8s.io/v1",
    path: `${rbac}/clusterrolebindings`,
    rows: {
      "of a group": {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "nobody:here" }],
      },
    },
  },
  {
    kind: "ValidatingWebhookConfiguration",
    apiVersion: "admissionregistration.k8s.io/v1",
    path: `${admission}/validatingwebhookconfigurations`,
    rows: { "of none": {} },
  },
  {
    kind: "MutatingWebhookConfiguration",
    apiVersion: "admissionregistration.k8s.io/v1",
    path: `${admission}/mutatingwebhookconfigurations`,
    rows: { "of none": { webhooks: [] } },
  },
  {
    kind: "ValidatingAdmissionPolicy",
    apiVersion: "admissionregistration.k8s.io/v1",
    path: `${admission}/validatingadmissionpolicies`,
    rows: {
      plain: {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ["x.test"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["xs"] }],
          },
          validations: [{ expression: "true" }],
        },
      },
    },
  },
  {
    kind: "ValidatingAdmissionPolicyBinding",
    apiVersion: "admissionregistration.k8s.io/v1",
    path: `${admission}/validatingadmissionpolicybindings`,
    rows: {
      "without parameters": { spec: { policyName: "nothing.test", validationActions: ["Deny"] } },
      "with a parameter": {
        spec: {
          policyName: "nothing.test",
          validationActions: ["Deny"],
          paramRef: { name: "p", namespace: "n", parameterNotFoundAction: "Deny" },
        },
      },
      "with a parameter anywhere": {
        spec: {
          policyName: "nothing.test",
          validationActions: ["Deny"],
          paramRef: { name: "p", parameterNotFoundAction: "Deny" },
        },
      },
      "with selected parameters": {
        spec: {
          policyName: "nothing.test",
          validationActions: ["Deny"],
          paramRef: { selector: expressions, parameterNotFoundAction: "Allow" },
        },
      },
    },
  },
];

/** Made for this, by a key that was thrown away. */
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0JBZ0VBTUI4eEREQUtCZ05WQkFNTUEyRnViakVQTUEwR0ExVUVDZ3dHY0dWdmNHeGxNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFSlc1aEE3OUduNWFQOXc1TmI3QVlacjR1TXRKMng2TGQybTJBCmFUcnpPb0c0RnhiV0J6K2VpcEdsMUhxd1ZrUXIvQ3VDVHVDaFoyNGpydWc0ZGRNUUxhQUFNQW9HQ0NxR1NNNDkKQkFNQ0EwY0FNRVFDSUVrS3ZNc0N6MmsyQVpTdjZCVlZ2WGNtbHR1MDYvRnEwQ2V0K2tDdTl0eVNBaUEyUVZoawpvRXBybFJNbnFVT1FhcVNLYll6TWVydDh3RmUwZW9CalRtenN1Zz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const requests: readonly Shown[] = [
  {
    kind: "CertificateSigningRequest",
    apiVersion: "certificates.k8s.io/v1",
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    rows: {
      new: { spec: { request, signerName: "example.test/signer", usages: ["client auth"] } },
      "for a time": {
        spec: { request, signerName: "example.test/signer", usages: ["client auth"], expirationSeconds: 86_400 },
      },
      failed: {
        spec: { request, signerName: "example.test/signer", usages: ["client auth"] },
        status: { conditions: [{ type: "Failed", status: "True", reason: "Broken", message: "it is" }] },
      },
    },
  },
];

export const workloadTables: readonly Sequence[] = workloads.flatMap(shown);
export const accessTables: readonly Sequence[] = access.flatMap(shown);
export const requestTables: readonly Sequence[] = requests.flatMap(shown);
