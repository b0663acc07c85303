import type { Affinity, Container, Deployment, Toleration } from "@stowage/machinery";
import type { WorkloadHook } from "../hook-context.ts";
import { withPodSpec } from "../pod-spec.ts";

export const desiredVersionAnnotation = "release.openshift.io/desired-version";
const clusterLabel = "hypershift.openshift.io/hosted-control-plane";
const managedByLabel = "hypershift.openshift.io/managed-by";

/** A Secret beside the control plane, with the way into its guest. */
export const guestSecret = "service-network-admin-kubeconfig";
const guestVolume = "hosted-kubeconfig";
const guestFolder = "/etc/hosted-kubernetes";
/** Where containers of the control plane find the way into the guest. */
export const guestKubeconfig = `${guestFolder}/kubeconfig`;
export const guestMount = { name: guestVolume, mountPath: guestFolder, readOnly: true };

export interface HostedPlace {
  /** Of the control plane, in the management cluster. */
  readonly namespace: string;
  /** Who looks after the Deployment: `cluster-storage-operator`. */
  readonly managedBy: string;
  /** Of the operator. What was rolled out is said beside it: see `deploymentVersionController`. */
  readonly version: string | undefined;
  /** Beside the sidecars: containers that talk to the guest's API server too. */
  readonly guestContainers?: readonly string[];
}

/**
 * A Deployment as it is beside a hosted control plane: near its other Pods, on nodes that are kept for it, and with the way into the
 * guest for everybody who elects a leader there. The asset is that of a cluster with its own masters.
 */
export function withHostedPlace(place: HostedPlace): WorkloadHook<Deployment> {
  const { namespace, managedBy, version, guestContainers = [] } = place;
  const isOfGuest = ({ name, args = [] }: Container) =>
    args.includes("--leader-election") || guestContainers.includes(name);
  return (deployment) => {
    const { metadata, spec } = deployment;
    if (spec === undefined) return deployment;
    const { template } = spec;
    const labelled = { ...template.metadata, labels: { ...template.metadata?.labels, [clusterLabel]: namespace } };
    const annotations = { ...metadata.annotations, ...(version && { [desiredVersionAnnotation]: version }) };
    const labels = { ...metadata.labels, [managedByLabel]: managedBy };
    const placed: Deployment = {
      ...deployment,
      metadata: { ...metadata, annotations, labels },
      spec: { ...spec, template: { ...template, metadata: labelled } },
    };
    return withPodSpec(placed, (pod) => ({
      ...pod,
      priorityClassName: "hypershift-control-plane",
      affinity: { ...pod.affinity, ...affinityTo(namespace) },
      tolerations: tolerationsOf(namespace),
      containers: pod.containers.map((each) => (isOfGuest(each) ? withGuest(each) : each)),
      volumes: [...(pod.volumes ?? []), { name: guestVolume, secret: { secretName: guestSecret, defaultMode: 0o644 } }],
    }));
  };
}

function withGuest(container: Container): Container {
  return {
    ...container,
    args: [...(container.args ?? []), "--kubeconfig=$(KUBECONFIG)"],
    env: [...(container.env ?? []), { name: "KUBECONFIG", value: guestKubeconfig }],
    volumeMounts: [...(container.volumeMounts ?? []), guestMount],
  };
}

/** Nodes for all control planes, or for this one alone. */
const controlPlaneKey = "hypershift.openshift.io/control-plane";
const clusterKey = "hypershift.openshift.io/cluster";

function tolerationsOf(namespace: string): Toleration[] {
  return [
    { key: controlPlaneKey, operator: "Equal", value: "true", effect: "NoSchedule" },
    { key: clusterKey, operator: "Equal", value: namespace, effect: "NoSchedule" },
  ];
}

function affinityTo(namespace: string): Pick<Affinity, "nodeAffinity" | "podAffinity"> {
  const node = (key: string, value: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key, operator: "In" as const, values: [value] }] },
  });
  const labelSelector = { matchLabels: { [clusterLabel]: namespace } };
  const near = { weight: 100, podAffinityTerm: { labelSelector, topologyKey: "kubernetes.io/hostname" } };
  return {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        node(controlPlaneKey, "true", 50),
        node(clusterKey, namespace, 100),
      ],
    },
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [near] },
  };
}
