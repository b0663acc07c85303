import type { KubeClient } from "@stowage/kube";
import {
  clusterCSIDrivers,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  volumeAttachments,
} from "@stowage/machinery";
import { expect } from "vitest";

const namespace = "demo";
const PATIENCE_MS = 300_000;

/** As an administrator does for an optional driver, whose operator makes no class. */
export async function askForDriver(client: KubeClient, driverName: string, className: string): Promise<void> {
  await client.create(clusterCSIDrivers, { metadata: { name: driverName }, spec: { managementState: "Managed" } });
  await client.create(storageClasses, { metadata: { name: className }, provisioner: driverName });
}

/** A Pod writes to a volume of the class that many may have, and which nobody attaches. */
export async function expectSharedVolume(client: KubeClient, driverName: string, className: string): Promise<void> {
  const name = className;
  await client.create(persistentVolumeClaims, {
    metadata: { namespace, name },
    spec: {
      storageClassName: className,
      accessModes: ["ReadWriteMany"],
      resources: { requests: { storage: "64Mi" } },
    },
  });
  await client.create(pods, { metadata: { namespace, name }, spec: writerOf(name) });
  const isReady = async () => {
    const { status } = await client.get(pods, { namespace, name });
    return status?.conditions?.find(({ type }) => type === "Ready")?.status;
  };
  await expect.poll(isReady, { timeout: PATIENCE_MS }).toBe("True");
  const { spec } = await client.get(persistentVolumeClaims, { namespace, name });
  const volume = await client.get(persistentVolumes, { name: spec?.volumeName ?? "" });
  expect(volume.spec?.csi?.driver).toBe(driverName);
  const { items } = await client.list(volumeAttachments);
  expect(items.filter(({ spec: { attacher } }) => attacher === driverName)).toEqual([]);
}

/** Ready when it has written. */
function writerOf(claimName: string) {
  return {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: "writer",
        image: "busybox",
        command: ["sh", "-c", "trap 'exit 0' TERM; date > /data/log; sleep infinity & wait"],
        readinessProbe: { exec: { command: ["sh", "-c", "test -s /data/log"] }, periodSeconds: 1 },
        volumeMounts: [{ name: "data", mountPath: "/data" }],
      },
    ],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
  };
}
