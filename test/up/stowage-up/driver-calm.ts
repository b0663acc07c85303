import type { KubeClient } from "@stowage/kube";
import { leases, type Pod, pods } from "@stowage/machinery";
import { attacherLease, provisionerLease, resizerLease, snapshotterLease } from "@stowage/sidecars";
import { expect } from "vitest";

const namespace = "openshift-cluster-csi-drivers";
const PATIENCE_MS = 300_000;

/** Manila's driver has one of its own. */
const namespaces = [namespace, "openshift-manila-csi-driver"];

const podsIn = async (client: KubeClient, name: string): Promise<Pod[]> =>
  (await client.list(pods, { namespace: name })).items;

/** How often each container of the drivers and their operators was started anew. */
export async function driverRestarts(client: KubeClient): Promise<Record<string, number>> {
  const found = await Promise.all(namespaces.map((name) => podsIn(client, name)));
  const counted = found
    .flat()
    .flatMap(({ metadata, status }) =>
      (status?.containerStatuses ?? []).map(
        ({ name, restartCount }) => [`${metadata.name} ${name}`, restartCount] as const,
      ),
    );
  return Object.fromEntries(counted);
}

/** Containers that have ended since; those of Pods that came later may still wait for something. */
export async function endedSince(client: KubeClient, before: Readonly<Record<string, number>>): Promise<string[]> {
  const now = await driverRestarts(client);
  return Object.keys(now).filter((name) => (now[name] ?? 0) > (before[name] ?? Number.POSITIVE_INFINITY));
}

/**
 * Sidecars lead when they have seen all that they watch: one that is refused something never does, and ends a minute later. The probe beside
 * a driver on a node answers when it may talk to the driver's socket; without it the driver is ended after some minutes.
 */
export async function expectDriverAtWork(client: KubeClient, driverName: string, probePort: number): Promise<void> {
  const wanted = [provisionerLease, attacherLease, resizerLease, snapshotterLease].map((nameOf) => nameOf(driverName));
  const led = async () => {
    const { items } = await client.list(leases, { namespace });
    return items.filter(({ spec }) => (spec?.holderIdentity ?? "") !== "").map(({ metadata }) => metadata.name);
  };
  await expect.poll(led, { timeout: PATIENCE_MS }).toEqual(expect.arrayContaining(wanted));
  const probes = async () => {
    const onNodes = (await podsIn(client, namespace)).filter(({ metadata }) =>
      metadata.labels?.["app"]?.endsWith("-node"),
    );
    return Promise.all(onNodes.map(({ status }) => statusAt(`http://${status?.podIP}:${probePort}/healthz`)));
  };
  await expect.poll(probes, { timeout: PATIENCE_MS }).toEqual([200]);
}

/** Undefined while nobody listens. */
async function statusAt(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
