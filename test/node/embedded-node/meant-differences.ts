import type { ContainerStatus, Event, KubernetesObject, Pod } from "@stowage/machinery";
import type { Replacement } from "../../cluster/embedded-scenarios/normal-form.ts";

/** What those who run containers say in their own words. */
export const meantTexts: readonly Replacement[] = [
  [/\b(?:containerd|process|stowage):\/\/[\w-]+/gu, "<container>"],
  // containerd tells through how many hands its errors went.
  [
    /failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: (.*?): unknown/gu,
    "$1",
  ],
  [
    /rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: (.*?): unknown/gu,
    "$1",
  ],
  // Of the Pod's account, for a driver that wants them; what is recorded of a call ends somewhere.
  [/\beyJ[\w-]+(?:\.[\w-]+)*(?:… \(\d+ more\))?/gu, "<token>"],
  // By all the other Pods that are on the node at that moment.
  [/(?<=Node didn't have enough resource: \w+, requested: \d+, used: )\d+/gu, "<amount>"],
  // Our provisioner's: when it began, and a number.
  [/\b\d{13}-\d{1,4}-(?=mock-)/gu, "<identity>-"],
];

/** Whoever acts on a copy that comes late says so: a kubelet, an API server that does not know yet what is on which node, our attacher. */
const late = [
  /failed to sync \w+ cache: timed out/u,
  /User "system:node:[^"]+" cannot/u,
  /the VolumeAttachment cannot be used: PersistentVolume \S+ does not exist/u,
];

export function isChance({ message = "" }: Event): boolean {
  return late.some((text) => text.test(message));
}

/** An object without what both may have otherwise, each for a reason of its own. */
export function comparable(object: KubernetesObject): KubernetesObject {
  return object.kind === "Pod" ? comparablePod(object as Pod) : object;
}

/** What a Pod may use is read from its cgroups, which ours have not, and which are gone when it has ended. */
function comparablePod({ status = {}, ...rest }: Pod): Pod {
  const { resources: _measured, ...shown } = status;
  const { initContainerStatuses, containerStatuses } = shown;
  return {
    ...rest,
    status: {
      ...shown,
      ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(withoutImage) }),
      ...(containerStatuses && { containerStatuses: containerStatuses.map(withoutImage) }),
    },
  };
}

/** Containers of ours have no images: there is neither a registry's name nor a digest to tell. */
function withoutImage(status: ContainerStatus): ContainerStatus {
  return { ...status, image: status.image.replace(/^docker\.io\//u, ""), imageID: "" };
}
