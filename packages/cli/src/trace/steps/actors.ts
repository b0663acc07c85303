import type { Event, KubernetesObject } from "@stowage/machinery";

/** Our own programs all write under this name, whatever their part is. */
const OWN_MANAGER = "stowage";

/** Whose part it is in Kubernetes to make and keep such an object's fields. */
const keepers: Readonly<Record<string, string>> = {
  "created PersistentVolume": "provisioner",
  "write PersistentVolume": "persistentvolume-controller",
  "write PersistentVolumeClaim": "persistentvolume-controller",
  "created VolumeAttachment": "attachdetach-controller",
  "write VolumeAttachment": "attacher",
  "write Pod": "kubelet",
  "write VolumeSnapshot": "snapshot-controller",
};

/** Who wrote, as the API server was told; where that says nothing, whose part it is. */
export function writerOf(manager: string | undefined, what: string): string {
  if (manager !== undefined && manager !== "" && manager !== OWN_MANAGER) return manager;
  return keepers[what] ?? manager ?? "somebody";
}

/** Which sidecar says such things, where all of a driver's speak under one name. */
const speakers: readonly (readonly [RegExp, string])[] = [
  [/Resiz|Modif/u, "resizer"],
  [/Snapshot/u, "snapshotter"],
  [/./u, "provisioner"],
];

/** Of a sidecar beside its driver it is the driver's name and an identity, which changes with each Pod. */
export function reporterOf({ source, reportingComponent, reason = "" }: Event, driver: string | undefined): string {
  const component = source?.component || reportingComponent || "somebody";
  if (driver !== undefined && component.startsWith(`${driver}_`)) {
    return speakers.find(([pattern]) => pattern.test(reason))?.[1] ?? "provisioner";
  }
  const [first = component] = component.split(/[ _]/u);
  const name = /^external-|^csi-/u.test(component) ? first : component;
  return name === "kubelet" && source?.host ? `kubelet ${source.host}` : name;
}

/** `write PersistentVolume` */
export function partOf(kind: "created" | "write" | "deleted" | "condition", object: KubernetesObject): string {
  return `${kind} ${object.kind}`;
}

const callers: readonly (readonly [RegExp, string])[] = [
  [/^Node/u, "kubelet"],
  [/Snapshot/u, "snapshotter"],
  [/Publish|Unpublish/u, "attacher"],
  [/Expand|Modify/u, "resizer"],
  [/Volume/u, "provisioner"],
];

/** A driver does nothing by itself: whose part it is to call that method. */
export function callerOf(method: string, node: string | undefined): string {
  const caller = callers.find(([pattern]) => pattern.test(method))?.[1] ?? "driver";
  return caller === "kubelet" && node !== undefined ? `kubelet ${node}` : caller;
}
