import { type HandlerRegistration, type Informer, objectKey } from "@stowage/kube";
import {
  type CSIDriver,
  csiAttachmentName,
  type Node,
  nodeVolumeAnnotations,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type VolumeAttachment,
} from "@stowage/machinery";
import { isTerminated, podsByClaim } from "../pod-volumes.ts";
import { attachable, attachableVolume, csiVolumeNamed } from "./attachable-volume.ts";
import type { VolumeSync } from "./volume-sync.ts";

/** What attaching hangs on. */
export interface Surroundings {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly drivers: Informer<CSIDriver>;
  readonly attachments: Informer<VolumeAttachment>;
}

/** What an earlier process has attached: as Nodes say, and, since it may have ended half-way, as VolumeAttachments suggest. */
export function recallAttachments({ actual, again }: VolumeSync, around: Surroundings): void {
  const drivers = around.drivers.objects;
  const attachables = around.volumes.objects.list().flatMap((volume) => attachable(volume, { drivers }) ?? []);
  const volumes = new Map(attachables.map(({ name, volume }) => [name, volume]));
  for (const { metadata, status } of around.nodes.objects.list()) {
    for (const { name } of status?.volumesAttached ?? []) {
      actual.attached(name, metadata.name ?? "", volumes.get(name));
      again(name);
    }
  }
  for (const { spec } of around.attachments.objects.list()) {
    const volume = around.volumes.objects.getByKey(spec.source.persistentVolumeName ?? "");
    const found = volume && attachable(volume, { drivers });
    if (found === undefined || actual.get(found.name, spec.nodeName) !== undefined) continue;
    actual.uncertain(found.name, spec.nodeName, volume);
    again(found.name);
  }
}

/** Keeps what is desired and what is known of nodes up to date. Objects that are there already count as news. */
export function followObjects(s: VolumeSync, around: Surroundings): HandlerRegistration[] {
  return [
    followNodes(s, around),
    around.pods.addHandler({
      onAdd: (pod) => take(s, around, pod),
      onUpdate: (pod) => take(s, around, pod),
      onDelete: (pod) => drop(s, pod),
    }),
    around.claims.addHandler({
      onAdd: (claim) => takeUsers(s, around, objectKey(claim)),
      onUpdate: (claim) => takeUsers(s, around, objectKey(claim)),
    }),
    around.volumes.addHandler({
      onAdd: (volume) => takeUsersOfVolume(s, around, volume),
      onUpdate: (volume) => takeUsersOfVolume(s, around, volume),
    }),
    followDrivers(s, around),
    followAttachments(s, around),
  ];
}

function followNodes(s: VolumeSync, around: Surroundings): HandlerRegistration {
  const learn = (node: Node) => {
    const { name = "", annotations } = node.metadata;
    s.actual.setInUse(name, node.status?.volumesInUse ?? []);
    const isManaged = annotations?.[nodeVolumeAnnotations.managedAttach] !== undefined;
    if (isManaged && s.desired.manage(name)) takePodsOn(s, around, name);
    for (const each of s.actual.namesOn(name)) s.again(each);
  };
  return around.nodes.addHandler({
    onAdd(node) {
      learn(node);
      const { name = "" } = node.metadata;
      // A node that came anew has lost its status.
      if (s.actual.namesOn(name).length > 0) s.actual.markChanged(name);
    },
    onUpdate: learn,
    onDelete(node) {
      const { name = "" } = node.metadata;
      s.desired.forget(name);
      s.actual.setInUse(name, node.status?.volumesInUse ?? []);
      for (const each of s.actual.namesOn(name)) s.again(each);
    },
  });
}

/** A driver may come to need attachments, or to have no use for them. */
function followDrivers(s: VolumeSync, around: Surroundings): HandlerRegistration {
  const judge = ({ metadata, spec }: CSIDriver) => {
    const { name = "" } = metadata;
    if (spec.attachRequired === false) for (const each of s.desired.removeDriver(name)) s.again(each);
    else for (const pod of around.pods.objects.list()) take(s, around, pod);
  };
  return around.drivers.addHandler({
    onAdd: (driver, { isInInitialList }) => isInInitialList || judge(driver),
    onUpdate: (driver, previous) => driver.spec.attachRequired === previous.spec.attachRequired || judge(driver),
  });
}

/** What somebody else detached is no longer attached. Whether it is needed is then asked anew. */
function followAttachments(s: VolumeSync, around: Surroundings): HandlerRegistration {
  const doubt = ({ spec }: VolumeAttachment) => {
    const volume = around.volumes.objects.getByKey(spec.source.persistentVolumeName ?? "");
    const found = volume && attachable(volume, { drivers: around.drivers.objects });
    const entry = found && s.actual.get(found.name, spec.nodeName);
    if (entry?.isCertain !== true || isAttached(around, entry.name, spec.nodeName)) return;
    s.actual.detached(entry.name, spec.nodeName);
    s.again(entry.name);
  };
  return around.attachments.addHandler({ onUpdate: doubt, onDelete: doubt });
}

function isAttached({ attachments }: Surroundings, uniqueName: string, nodeName: string): boolean {
  const csi = csiVolumeNamed(uniqueName);
  return csi !== undefined && attachments.objects.getByKey(csiAttachmentName(csi, nodeName))?.status?.attached === true;
}

function take(s: VolumeSync, around: Surroundings, pod: Pod): void {
  if (isTerminated(pod)) return drop(s, pod);
  if (!s.desired.isManaged(pod.spec?.nodeName ?? "")) return;
  const objects = { claims: around.claims.objects, volumes: around.volumes.objects, drivers: around.drivers.objects };
  for (const podVolume of pod.spec?.volumes ?? []) {
    const found = attachableVolume(pod, podVolume, objects);
    if (found === undefined) continue;
    s.desired.add(pod, found);
    s.again(found.name);
  }
}

function drop(s: VolumeSync, { metadata }: Pod): void {
  for (const name of s.desired.removePod(metadata.uid ?? "")) s.again(name);
}

function takePodsOn(s: VolumeSync, around: Surroundings, nodeName: string): void {
  for (const pod of around.pods.objects.list()) if (pod.spec?.nodeName === nodeName) take(s, around, pod);
}

function takeUsers(s: VolumeSync, around: Surroundings, claimKey: string): void {
  for (const pod of around.pods.objects.byIndex(podsByClaim.name, claimKey)) take(s, around, pod);
}

function takeUsersOfVolume(s: VolumeSync, around: Surroundings, { spec }: PersistentVolume): void {
  const { namespace, name } = spec?.claimRef ?? {};
  if (name !== undefined) takeUsers(s, around, `${namespace}/${name}`);
}
