import { setTimeout as sleep } from "node:timers/promises";
import type { CallRecord } from "@stowage/drivers";
import {
  type Container,
  type CSIPersistentVolumeSource,
  type PersistentVolumeClaimSpec,
  type PersistentVolumeSpec,
  type PodSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import { container, createPod, serving, untilReady } from "./pod-objects.ts";
import type { RecordingDriver, Scene } from "./scenario.ts";

const PATIENCE_MS = 60_000;
const STEP_MS = 100;
const storage = "1Gi";
/** So named that the comparison knows it as this run's own. */
export const volumeName = ({ id }: Scene) => `pv-${id}`;
export const className = ({ id }: Scene) => `class-${id}`;

export interface VolumeWish {
  readonly csi?: Partial<CSIPersistentVolumeSource>;
  readonly spec?: Partial<PersistentVolumeSpec>;
  readonly claim?: Partial<PersistentVolumeClaimSpec>;
}

/** A volume that somebody else made, and a claim `data` that is bound to it. */
export async function provide(
  scene: Scene,
  driver: RecordingDriver | undefined,
  wish: VolumeWish = {},
): Promise<string> {
  const volumeHandle = (await driver?.createVolume("data")) ?? "unknown";
  const accessModes: PersistentVolumeSpec["accessModes"] = ["ReadWriteOnce"];
  await scene.create(persistentVolumes, {
    metadata: { name: volumeName(scene) },
    spec: {
      accessModes,
      capacity: { storage },
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace: scene.namespace, name: "data" },
      csi: { driver: scene.driverName, volumeHandle, fsType: "ext4", volumeAttributes: { pool: "fast" }, ...wish.csi },
      ...wish.spec,
    },
  });
  await createClaim(scene, { storageClassName: "", volumeName: volumeName(scene), accessModes, ...wish.claim });
  await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
  return volumeHandle;
}

export function createClaim(scene: Scene, spec: PersistentVolumeClaimSpec) {
  const resources = { requests: { storage } };
  return scene.create(persistentVolumeClaims, {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources, ...spec },
  });
}

export function createClass(scene: Scene, more: Partial<StorageClass> = {}) {
  return scene.create(storageClasses, {
    metadata: { name: className(scene) },
    provisioner: scene.driverName,
    parameters: { "csi.storage.k8s.io/fstype": "ext4" },
    ...more,
  });
}

export const claimed = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] };
export const volumeMounts = [{ name: "data", mountPath: "/data" }];

/** A Pod that has the claim's volume at `/data`, and runs. */
export function usingClaim(script = serving, more: Partial<Container> = {}): PodSpec {
  return { ...claimed, containers: [container(script, { volumeMounts, ...more })] };
}

export async function startUser(scene: Scene, spec: PodSpec = usingClaim()): Promise<void> {
  await createPod(scene, spec);
  await untilReady(scene);
}

/** Until the Pod is gone and the driver was called for the last time. */
export async function endUser(scene: Scene, driver: RecordingDriver, lastCall: string): Promise<void> {
  await scene.remove(pods, "user");
  await scene.untilGone(pods, "user");
  await untilCalled(driver, lastCall);
}

/** Until the driver was asked so, and has answered. */
export async function untilCalled(driver: RecordingDriver, method: string, times = 1): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const calls = await driver.calls();
    if (calls.filter((call) => call.method === method && call.code !== undefined).length >= times) return;
    if (performance.now() > until) throw new Error(`no ${method}; calls: ${callNames(calls)}`);
    await sleep(STEP_MS);
  }
}

function callNames(calls: readonly CallRecord[]): string {
  return calls.map(({ method, code = "?" }) => `${method} ${code}`).join(", ");
}
