import type { PersistentVolume, Pod, VolumeAttachment } from "@stowage/machinery";
import type { Store } from "../../store/index.ts";
import { decodePolicy } from "../authorization/policy-object.ts";
import { objectsOfPod, secretsOfVolume, type UsedObject } from "./used-objects.ts";

const podsRoot = "/registry/core/pods/";
const volumesRoot = "/registry/core/persistentvolumes/";
const attachmentsRoot = "/registry/storage.k8s.io/volumeattachments/";

interface PlacedPod {
  readonly node: string;
  readonly objects: readonly string[];
}

interface ClaimedVolume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * Which objects the Pods of each node lead to. It follows the store: what is committed counts from then on. What a Pod names does not
 * change once it is on a node, but for containers that are added later to look into it.
 */
export class NodeGraph implements Disposable {
  /** By key. */
  readonly #pods = new Map<string, PlacedPod>();
  /** By object, the Pods that name it. */
  readonly #users = new Map<string, Set<string>>();
  /** By name, of those that belong to a claim. */
  readonly #volumes = new Map<string, ClaimedVolume>();
  /** By Secret, the volumes that need it. */
  readonly #volumesOf = new Map<string, Set<string>>();
  /** The node by the name of the attachment. */
  readonly #attachments = new Map<string, string>();
  readonly #watch: Disposable | undefined;

  constructor(store: Store) {
    for (const root of [podsRoot, volumesRoot, attachmentsRoot]) {
      for (const { key, text } of store.list(root)?.objects ?? []) this.#change(key, text);
    }
    this.#watch = store.watch(store.revision, (changes) => {
      for (const { key, text } of changes) this.#change(key, text);
    });
  }

  leadsToPod(node: string, namespace: string, name: string): boolean {
    return this.#pods.get(`${podsRoot}${namespace}/${name}`)?.node === node;
  }

  /** By what its Pods name, and for Secrets by what their volumes need. */
  leadsTo(node: string, object: UsedObject): boolean {
    const key = textOf(object);
    const isOn = (pod: string) => this.#pods.get(pod)?.node === node;
    if (some(this.#users.get(key), isOn)) return true;
    return some(this.#volumesOf.get(key), (volume) => this.leadsToVolume(node, volume));
  }

  leadsToVolume(node: string, name: string): boolean {
    const { claim } = this.#volumes.get(name) ?? {};
    return claim !== undefined && some(this.#users.get(claim), (pod) => this.#pods.get(pod)?.node === node);
  }

  leadsToAttachment(node: string, name: string): boolean {
    return this.#attachments.get(name) === node;
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
  }

  #change(key: string, text: string | undefined): void {
    if (key.startsWith(podsRoot)) this.#changePod(key, text);
    else if (key.startsWith(volumesRoot)) this.#changeVolume(key.slice(volumesRoot.length), text);
    else if (key.startsWith(attachmentsRoot)) this.#changeAttachment(key.slice(attachmentsRoot.length), text);
  }

  #changePod(key: string, text: string | undefined): void {
    const known = this.#pods.get(key);
    // Most changes are of a status, and decoding each would cost more than all questions.
    if (known !== undefined && text !== undefined && !text.includes('"ephemeralContainers"')) return;
    for (const object of known?.objects ?? []) remove(this.#users, object, key);
    this.#pods.delete(key);
    if (text === undefined) return;
    const pod = decodePolicy(text) as Pod;
    const { nodeName: node = "" } = pod.spec ?? {};
    if (node === "") return;
    const objects = objectsOfPod(pod).map(textOf);
    this.#pods.set(key, { node, objects });
    for (const object of objects) add(this.#users, object, key);
  }

  #changeVolume(name: string, text: string | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) remove(this.#volumesOf, secret, name);
    this.#volumes.delete(name);
    const volume = text === undefined ? undefined : (decodePolicy(text) as PersistentVolume);
    const { namespace = "", name: claimName } = volume?.spec?.claimRef ?? {};
    if (volume === undefined || claimName === undefined) return;
    const claim = textOf({ plural: "persistentvolumeclaims", namespace, name: claimName });
    const secrets = secretsOfVolume(volume).map(textOf);
    this.#volumes.set(name, { claim, secrets });
    for (const secret of secrets) add(this.#volumesOf, secret, name);
  }

  #changeAttachment(name: string, text: string | undefined): void {
    if (text === undefined) this.#attachments.delete(name);
    else this.#attachments.set(name, (decodePolicy(text) as VolumeAttachment).spec.nodeName);
  }
}

function textOf({ plural, namespace, name }: UsedObject): string {
  return `${plural}/${namespace}/${name}`;
}

function some(set: ReadonlySet<string> | undefined, isSo: (each: string) => boolean): boolean {
  return set !== undefined && [...set].some(isSo);
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

function remove(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
}
