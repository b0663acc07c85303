import type { DaemonSet, Deployment, HostPathVolumeSource, Volume } from "@stowage/machinery";
import { runtime } from "./containers.ts";
import type { DriverComposition } from "./driver-composition.ts";

/** Where a cluster keeps some of its processors for itself, these Pods run there. */
const workloadPinning = { "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}' };

/** The Deployment that every driver's controller begins with: without containers. */
export function baseController({ assetPrefix }: DriverComposition): Deployment {
  const app = `${assetPrefix}-controller`;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: app, namespace: runtime("NAMESPACE") },
    spec: {
      selector: { matchLabels: { app } },
      // One replica goes before its successor comes: masters may have no room for a third.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      template: {
        metadata: {
          annotations: {
            ...workloadPinning,
            "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes": "socket-dir",
          },
          labels: { app },
        },
        spec: {
          affinity: { podAntiAffinity: apartFrom(app) },
          nodeSelector: { "node-role.kubernetes.io/master": "" },
          priorityClassName: "system-cluster-critical",
          serviceAccountName: `${app}-sa`,
          tolerations: [
            { key: "CriticalAddonsOnly", operator: "Exists" },
            { key: "node-role.kubernetes.io/master", operator: "Exists", effect: "NoSchedule" },
            // Masters of clusters that are not OpenShift have this one alone.
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
          ],
          containers: [],
          volumes: [{ name: "socket-dir", emptyDir: {} }, metricsCertificate(app)],
        },
      },
    },
  };
}

function apartFrom(app: string) {
  return {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: { labelSelector: { matchLabels: { app } }, topologyKey: "kubernetes.io/hostname" },
      },
    ],
  };
}

/** The DaemonSet that every driver on its nodes begins with: without containers. */
export function baseNode({ assetPrefix, driverName, node }: DriverComposition): DaemonSet {
  const app = `${assetPrefix}-node`;
  const exposesMetrics = node.metrics !== undefined || node.sidecars !== undefined;
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: app, namespace: runtime("NODE_NAMESPACE") },
    spec: {
      selector: { matchLabels: { app } },
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
      template: {
        metadata: {
          annotations: {
            ...workloadPinning,
            "cluster-autoscaler.kubernetes.io/enable-ds-eviction": "false",
            "openshift.io/required-scc": "privileged",
          },
          labels: { app },
        },
        spec: {
          nodeSelector: { "kubernetes.io/os": "linux" },
          priorityClassName: "system-node-critical",
          serviceAccountName: `${app}-sa`,
          tolerations: [{ operator: "Exists" }],
          containers: [],
          volumes: [
            hostPath("kubelet-dir", "/var/lib/kubelet", "Directory"),
            hostPath("socket-dir", `/var/lib/kubelet/plugins/${driverName}/`, "DirectoryOrCreate"),
            hostPath("registration-dir", "/var/lib/kubelet/plugins_registry/", "Directory"),
            hostPath("device-dir", "/dev", "Directory"),
            hostPath("etc-selinux", "/etc/selinux", "DirectoryOrCreate"),
            hostPath("sys-fs", "/sys/fs", "Directory"),
            ...(exposesMetrics ? [metricsCertificate(app)] : []),
          ],
        },
      },
    },
  };
}

function hostPath(name: string, path: string, type: HostPathVolumeSource["type"]): Volume {
  return { name, hostPath: { path, type } };
}

function metricsCertificate(app: string): Volume {
  return { name: "metrics-serving-cert", secret: { secretName: `${app}-metrics-serving-cert` } };
}
