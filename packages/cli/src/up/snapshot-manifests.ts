import type { ClusterRole, ClusterRoleBinding, Deployment, KubernetesObject, PolicyRule } from "@stowage/machinery";

/** Where OpenShift's own operator puts it. */
const namespace = "openshift-cluster-storage-operator";
const name = "stowage-snapshot-controller";
const apiGroup = "rbac.authorization.k8s.io";

/**
 * What a cluster of our own has of snapshots, as an addition to its payload: OpenShift has an operator of its own for them, and other
 * clusters may have them from elsewhere. The definitions come with all others, beside them; nothing else waits for the controller.
 */
export async function snapshotManifests(image: string): Promise<Record<string, string>> {
  const sidecars = await import("@stowage/sidecars");
  const { cluster } = sidecars.snapshotControllerRules;
  const rules = [...cluster, ...sidecars.distributedSnapshotControllerRules.cluster];
  const definitions = sidecars.snapshotCrds.map(
    (definition) => [`0000_10_snapshots_${definition.metadata.name}.json`, definition] as const,
  );
  const objects = controllerObjects(image, rules).map(
    (object, index) => [`0000_90_snapshot-controller_0${index}_${object.kind.toLowerCase()}.json`, object] as const,
  );
  return Object.fromEntries([...definitions, ...objects].map(([file, object]) => [file, JSON.stringify(object)]));
}

function controllerObjects(image: string, rules: readonly PolicyRule[]): KubernetesObject[] {
  const own = { name, namespace };
  const role: ClusterRole = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRole",
    metadata: { name },
    rules: [...rules],
  };
  const binding: ClusterRoleBinding = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name },
    subjects: [{ kind: "ServiceAccount", ...own }],
    roleRef: { apiGroup, kind: "ClusterRole", name },
  };
  return [{ apiVersion: "v1", kind: "ServiceAccount", metadata: own }, role, binding, deployment(image)];
}

/** One at a time, so that it needs nobody to elect a leader. */
function deployment(image: string): Deployment {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: "system-cluster-critical",
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              name: "snapshot-controller",
              image,
              imagePullPolicy: "IfNotPresent",
              command: ["stowage", "sidecar", "snapshot-controller"],
              // The local driver's snapshotters are on the nodes that have the volumes.
              args: ["--enable-distributed-snapshotting=true", "--v=2"],
              resources: { requests: { cpu: "10m", memory: "50Mi" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
              },
              terminationMessagePolicy: "FallbackToLogsOnError",
            },
          ],
        },
      },
    },
  };
}
