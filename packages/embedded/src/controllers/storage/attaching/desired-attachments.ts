import type { PersistentVolume, Pod } from "@stowage/machinery";
import type { AttachableVolume } from "./attachable-volume.ts";

/** A volume that Pods on a node need. */
export interface DesiredAttachment {
  readonly name: string;
  readonly nodeName: string;
  readonly volume: PersistentVolume;
  /** By uid. */
  readonly pods: Map<string, Pod>;
  /** Its Pods have been told that another node has the volume. */
  isConflictTold: boolean;
}

/**
 * Which volumes are to be attached where. What was once found stays until the Pod is done, also when its claim is lost meanwhile: the Pod
 * may well have the volume mounted.
 */
export class DesiredAttachments {
  readonly #nodes = new Set<string>();
  readonly #byVolume = new Map<string, Map<string, DesiredAttachment>>();
  readonly #namesByPod = new Map<string, Set<string>>();

  /** Volumes of this node are to be attached from here. False: that was known. */
  manage(nodeName: string): boolean {
    const isNew = !this.#nodes.has(nodeName);
    this.#nodes.add(nodeName);
    return isNew;
  }

  isManaged(nodeName: string): boolean {
    return this.#nodes.has(nodeName);
  }

  /** A node that is gone; not while Pods on it still need a volume. */
  forget(nodeName: string): void {
    const isNeeded = this.#byVolume.values().some((nodes) => nodes.has(nodeName));
    if (!isNeeded) this.#nodes.delete(nodeName);
  }

  add(pod: Pod, { name, volume }: AttachableVolume): void {
    const { nodeName = "" } = pod.spec ?? {};
    const nodes = this.#nodesOf(name);
    const known = nodes.get(nodeName) ?? { name, nodeName, volume, pods: new Map(), isConflictTold: false };
    nodes.set(nodeName, known);
    const { uid = "" } = pod.metadata;
    if (!known.pods.has(uid)) known.pods.set(uid, pod);
    this.#namesByPod.set(uid, (this.#namesByPod.get(uid) ?? new Set()).add(name));
  }

  /** The names of the volumes that it needed. */
  removePod(uid: string): string[] {
    const names = [...(this.#namesByPod.get(uid) ?? [])];
    this.#namesByPod.delete(uid);
    for (const name of names) this.#removeFrom(name, uid);
    return names;
  }

  /** Of a driver that has no use for attachments any more: the names of its volumes. */
  removeDriver(driver: string): string[] {
    const isIts = (name: string) => this.of(name).some(({ volume }) => volume.spec?.csi?.driver === driver);
    const names = [...this.#byVolume.keys()].filter(isIts);
    for (const name of names) this.#byVolume.delete(name);
    return names;
  }

  has(name: string, nodeName: string): boolean {
    return this.#byVolume.get(name)?.has(nodeName) ?? false;
  }

  of(name: string): DesiredAttachment[] {
    return [...(this.#byVolume.get(name)?.values() ?? [])];
  }

  #nodesOf(name: string): Map<string, DesiredAttachment> {
    const nodes = this.#byVolume.get(name) ?? new Map<string, DesiredAttachment>();
    this.#byVolume.set(name, nodes);
    return nodes;
  }

  #removeFrom(name: string, uid: string): void {
    const nodes = this.#nodesOf(name);
    for (const [nodeName, { pods }] of nodes) {
      pods.delete(uid);
      if (pods.size === 0) nodes.delete(nodeName);
    }
    if (nodes.size === 0) this.#byVolume.delete(name);
  }
}
