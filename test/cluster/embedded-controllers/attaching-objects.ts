import {
  type Node,
  nodes,
  nodeVolumeAnnotations,
  pods,
  uniqueCsiVolumeName,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import type { Scene } from "./scenario.ts";
import { boundPair, untilTold, volumeName } from "./storage-objects.ts";
import { podTemplate } from "./workload-objects.ts";

export const nodeName = ({ id }: Scene, name: string) => `${name}-${id}`;
const uniqueName = ({ id }: Scene, name: string) => uniqueCsiVolumeName(`csi-${id}`, name);

/** A node that is well, and that nothing is scheduled to: Pods of these scenarios say where they are. */
export async function makeNode(scene: Scene, name: string, isManaged = true): Promise<void> {
  const annotations = { [nodeVolumeAnnotations.managedAttach]: "true" };
  await scene.create(nodes, {
    metadata: { name: nodeName(scene, name), ...(isManaged && { annotations }) },
    spec: { unschedulable: true },
  });
  const time = new Date().toISOString().replace(/\.\d+/u, "");
  const ready = { type: "Ready", status: "True", lastHeartbeatTime: time, lastTransitionTime: time };
  await scene.patchStatus(nodes, nodeName(scene, name), { conditions: [{ ...ready, reason: "KubeletReady" }] });
}

export async function makePod(scene: Scene, name: string, node: string, claims: readonly string[]): Promise<void> {
  const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  const template = podTemplate(name, { volumes, nodeName: nodeName(scene, node) });
  await scene.create(pods, { ...template, metadata: { name } });
}

/** As kubelet does when the containers are gone. */
export async function endPod(scene: Scene, name: string): Promise<void> {
  await scene.client.delete(pods, { name, namespace: scene.namespace }, { gracePeriodSeconds: 0 });
}

export const isOf = (scene: Scene, volume: string, node: string) => (attachment: VolumeAttachment) =>
  attachment.spec.source.persistentVolumeName === volumeName(scene, volume) &&
  attachment.spec.nodeName === nodeName(scene, node);

export async function untilAsked(scene: Scene, volume: string, node: string): Promise<string> {
  const all = await scene.untilAll(volumeAttachments, (found) => found.some(isOf(scene, volume, node)));
  return all.find(isOf(scene, volume, node))?.metadata.name ?? "";
}

export async function untilDropped(scene: Scene, volume: string, node: string): Promise<void> {
  await scene.untilAll(volumeAttachments, (found) => !found.some(isOf(scene, volume, node)));
}

const attachedTo = ({ status }: Node) => (status?.volumesAttached ?? []).map(({ name }) => name).toSorted();

export async function untilReported(scene: Scene, node: string, volumes: readonly string[]): Promise<void> {
  const expected = volumes.map((each) => uniqueName(scene, each)).toSorted();
  await scene.until(nodes, nodeName(scene, node), (found) => String(attachedTo(found)) === String(expected));
}

/** As an attacher does. */
export async function attachTo(scene: Scene, volume: string, node: string): Promise<void> {
  await scene.patchStatus(volumeAttachments, await untilAsked(scene, volume, node), { attached: true });
  await untilTold(scene, "SuccessfulAttachVolume");
}

/** A volume attached to the node `one`, for the Pod `user`. */
export async function attached(scene: Scene): Promise<void> {
  await makeNode(scene, "one");
  await boundPair(scene, "data");
  await makePod(scene, "user", "one", ["data"]);
  await attachTo(scene, "data", "one");
  await untilReported(scene, "one", ["data"]);
}

export async function setInUse(scene: Scene, volumes: readonly string[]): Promise<void> {
  const volumesInUse = volumes.map((each) => uniqueName(scene, each));
  await scene.patchStatus(nodes, nodeName(scene, "one"), { volumesInUse });
}
