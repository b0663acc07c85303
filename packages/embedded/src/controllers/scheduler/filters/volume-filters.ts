import type { PersistentVolumeClaim, Pod } from "@stowage/machinery";
import { classOfClaim, isDelayed } from "../../storage/classes.ts";
import { claimNameOf } from "../../storage/pod-volumes.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import type { StorageView } from "../volumes/storage-view.ts";
import { hasDiskConflict } from "./disk-conflicts.ts";
import type { Filter, Refusal } from "./filter.ts";

const claimNamesOf = ({ spec }: Pod): string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

export function absentClaim(name: string): string {
  return `persistentvolumeclaim "${name}" not found`;
}

const restrictions = "VolumeRestrictions";

/** Neither a claim that is one Pod's alone nor a disk that one writes to is to be used by a second. */
export const volumeRestrictions: Filter = {
  name: restrictions,
  prepare(pod, { storage, nodes }) {
    const { namespace = "" } = pod.metadata;
    const names = claimNamesOf(pod);
    const claims = names.map((name) => storage.claim(namespace, name));
    const absent = claims.indexOf(undefined);
    if (absent >= 0) {
      const reasons = [absentClaim(names[absent] ?? "")];
      return { refusal: { filter: restrictions, reasons, isFinal: true } };
    }
    const own = new Set(claims.filter(isForOnePod).map((claim) => claim?.metadata.name ?? ""));
    const isUsed = nodes.some(({ pods }) => pods.some((other) => usesOneOf(other, namespace, own)));
    const used =
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";
    const refused = (reason: string): Refusal => ({ filter: restrictions, reasons: [reason], isFinal: false });
    return {
      check({ pods }) {
        if (hasDiskConflict(pod, pods)) return refused("node(s) had no available disk");
        return isUsed ? refused(used) : undefined;
      },
    };
  },
};

function isForOnePod(claim: PersistentVolumeClaim | undefined): boolean {
  return claim?.spec?.accessModes?.includes("ReadWriteOncePod") === true;
}

function usesOneOf(pod: Pod, namespace: string, names: ReadonlySet<string>): boolean {
  return pod.metadata.namespace === namespace && claimNamesOf(pod).some((name) => names.has(name));
}

const limits = "NodeVolumeLimits";

/** A node takes no more volumes of a driver than its CSINode says. */
export const nodeVolumeLimits: Filter = {
  name: limits,
  prepare(pod, { storage }) {
    const wanted = csiVolumesOf(pod, storage);
    if (wanted.size === 0) return undefined;
    const refusal = { filter: limits, reasons: ["node(s) exceed max volume count"], isFinal: false };
    return { check: (state) => (isOverLimit(state, wanted, storage) ? refusal : undefined) };
  },
};

function isOverLimit(state: NodeState, wanted: ReadonlyMap<string, string>, storage: StorageView): boolean {
  const drivers = storage.csiNode(state.name)?.spec.drivers ?? [];
  const counts = new Map(drivers.map(({ name, allocatable }) => [name, allocatable?.count]));
  if (![...counts.values()].some((count) => count !== undefined)) return false;
  const present = new Map(state.pods.flatMap((pod) => [...csiVolumesOf(pod, storage)]));
  const attached = new Map([...attachedTo(state.name, storage), ...present]);
  const added = [...wanted].filter(([name]) => !present.has(name));
  return [...Map.groupBy(added, ([, driver]) => driver)].some(([driver, volumes]) => {
    const limit = counts.get(driver);
    const used = [...attached.values()].filter((each) => each === driver).length;
    return limit !== undefined && used + volumes.length > limit;
  });
}

/** The drivers of the Pod's volumes, by names that are the same for the same volume. */
function csiVolumesOf(pod: Pod, storage: StorageView): Map<string, string> {
  const { namespace = "", name: podName = "" } = pod.metadata;
  const found = new Map<string, string>();
  for (const volume of pod.spec?.volumes ?? []) {
    const claimName = claimNameOf(podName, volume);
    const claim = claimName === undefined ? undefined : storage.claim(namespace, claimName);
    if (claim === undefined) continue;
    const present = storage.volume(claim.spec?.volumeName ?? "");
    const csi = present?.spec?.csi;
    if (csi !== undefined) found.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    // What is still to be made will be one more of whoever makes it.
    const driver = present === undefined ? storage.storageClass(classOfClaim(claim))?.provisioner : undefined;
    if (driver !== undefined) found.set(`${driver}/to be made for ${namespace}/${claimName}`, driver);
  }
  return found;
}

function attachedTo(nodeName: string, storage: StorageView): Map<string, string> {
  return new Map(
    storage.attachmentsOn(nodeName).flatMap(({ spec }) => {
      const handle = storage.volume(spec.source.persistentVolumeName ?? "")?.spec?.csi?.volumeHandle;
      return handle === undefined ? [] : [[`${spec.attacher}/${handle}`, spec.attacher] as const];
    }),
  );
}

const zones = "VolumeZone";
const zoneLabels = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];
const olderLabels = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
]);

/** Labels of volumes that name a zone or a region, as they did before volumes had node affinity. */
export const volumeZone: Filter = {
  name: zones,
  prepare(pod, { storage }) {
    const labels = claimNamesOf(pod).map((name) => zonesOf(storage, pod.metadata.namespace ?? "", name));
    const refused = labels.find((found) => typeof found === "string");
    if (refused !== undefined) return { refusal: { filter: zones, reasons: [refused], isFinal: true } };
    const wanted = labels.flat() as [string, string][];
    return wanted.length === 0 ? undefined : { check: (state) => zoneRefusal(state, wanted) };
  },
};

function zonesOf(storage: StorageView, namespace: string, claimName: string): [string, string][] | string {
  const claim = storage.claim(namespace, claimName);
  if (claim === undefined) return absentClaim(claimName);
  const volumeName = claim.spec?.volumeName ?? "";
  if (volumeName === "") {
    const className = classOfClaim(claim);
    if (className === "") return "PersistentVolumeClaim had no pv name and storageClass name";
    const found = storage.storageClass(className);
    if (found === undefined) return `storageclass.storage.k8s.io "${className}" not found`;
    return isDelayed(found) ? [] : "PersistentVolume had no name";
  }
  const volume = storage.volume(volumeName);
  if (volume === undefined) return `persistentvolume "${volumeName}" not found`;
  const known = [...zoneLabels, ...olderLabels.keys()];
  return Object.entries(volume.metadata.labels ?? {}).filter(([key]) => known.includes(key));
}

function zoneRefusal({ labels }: NodeState, wanted: readonly [string, string][]): Refusal | undefined {
  const hasZone = [...zoneLabels, ...olderLabels.keys()].some((key) => labels[key] !== undefined);
  // Several zones in one label are parted by two underscores.
  const isIn = ([key, value]: [string, string]) =>
    value.split("__").includes(labels[key] ?? labels[olderLabels.get(key) ?? ""] ?? "");
  if (!hasZone || wanted.every(isIn)) return undefined;
  return { filter: zones, reasons: ["node(s) had no available volume zone"], isFinal: true };
}
