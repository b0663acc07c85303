import type { KubeClient } from "@stowage/kube";
import {
  type CSIDriverSpec,
  csiDrivers,
  type Deployment,
  type PodSpec,
  persistentVolumeClaims,
  type StatefulSet,
  storageClasses,
  systemClock,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { ensureSnapshotCrds } from "@stowage/sidecars";
import { mounted, pod } from "../../node/kubelet/pods.ts";
import { claimSpec, createClaim } from "../../node/volume-life/storage-objects.ts";
import { type FlowCluster, LOCAL, MOCK } from "./flow-cluster.ts";

export const MIB = 1024n ** 2n;
export const namespace = "default";

/** What an administrator makes known of both drivers; their classes are called `local` and `mock`. */
export async function introduceDrivers(client: KubeClient): Promise<void> {
  await ensureSnapshotCrds({ client, clock: systemClock }, { timeoutMs: 60_000 });
  const spec: CSIDriverSpec = { podInfoOnMount: true, volumeLifecycleModes: ["Persistent", "Ephemeral"] };
  await client.create(csiDrivers, { metadata: { name: LOCAL }, spec: { ...spec, attachRequired: false } });
  await client.create(csiDrivers, { metadata: { name: MOCK }, spec: { ...spec, attachRequired: true } });
  await client.create(storageClasses, {
    metadata: { name: "local" },
    provisioner: LOCAL,
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await client.create(storageClasses, { metadata: { name: "mock" }, provisioner: MOCK });
  await client.create(volumeSnapshotClasses, { metadata: { name: LOCAL }, driver: LOCAL, deletionPolicy: "Delete" });
}

export type ClaimChange = Partial<Parameters<typeof createClaim>[2]>;

export async function claim({ cluster }: FlowCluster, name: string, change: ClaimChange = {}): Promise<void> {
  await createClaim(cluster, name, { className: "local", sizeBytes: 16n * MIB, volumeMode: "Filesystem", ...change });
}

/** With its volume, which its driver then has no more. */
export async function dropClaim({ cluster: { client } }: FlowCluster, name: string): Promise<void> {
  await client.delete(persistentVolumeClaims, { namespace, name });
}

/** For a Pod that must be on that one. */
export function onNode(nodeName: string | undefined): Partial<PodSpec> {
  return { nodeSelector: { "kubernetes.io/hostname": nodeName ?? "" } };
}

/** Of one Pod, which has the volume `moved`. The next is started when it is gone. */
export function moverOn(nodeName: string): Deployment {
  const labels = { app: "mover" };
  const { spec } = pod("mover", [mounted("moved")], onNode(nodeName));
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name: "mover" },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

/** Each of its Pods notes each of its starts in a volume of its own; they are spread over the nodes. */
export function notingSet(name: string, replicas: number): StatefulSet {
  const labels = { app: name };
  const [container] = pod(name, []).spec?.containers ?? [];
  if (container === undefined) throw new Error("a Pod has a container");
  const [shell = "", flag = "", serve = ""] = container.command ?? [];
  const command = [shell, flag, `hostname >> /data/starts; ${serve}`];
  const volumeMounts = [{ name: "data", mountPath: "/data" }];
  const spread = { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" } as const;
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { namespace, name },
    spec: {
      serviceName: name,
      replicas,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 2,
          topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: labels } }],
          containers: [{ ...container, command, volumeMounts }],
        },
      },
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data", labels },
          spec: claimSpec({ className: "local", sizeBytes: 16n * MIB, volumeMode: "Filesystem" }),
        },
      ],
    },
  };
}
