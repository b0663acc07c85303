import type { KubernetesObject, ResourceType } from "../api/index.ts";
import type {
  VolumeGroupSnapshot,
  VolumeGroupSnapshotClass,
  VolumeGroupSnapshotContent,
} from "./volume-group-snapshot.ts";
import type { VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent } from "./volume-snapshot.ts";

type Names = Pick<ResourceType, "kind" | "plural" | "namespaced">;

function inGroup(group: string) {
  return <T extends KubernetesObject>({ kind, plural, namespaced }: Names): ResourceType<T> => ({
    group,
    version: "v1",
    plural,
    kind,
    namespaced,
  });
}

const single = inGroup("snapshot.storage.k8s.io");
const grouped = inGroup("groupsnapshot.storage.k8s.io");

export const volumeSnapshots = single<VolumeSnapshot>({
  kind: "VolumeSnapshot",
  plural: "volumesnapshots",
  namespaced: true,
});

export const volumeSnapshotContents = single<VolumeSnapshotContent>({
  kind: "VolumeSnapshotContent",
  plural: "volumesnapshotcontents",
  namespaced: false,
});

export const volumeSnapshotClasses = single<VolumeSnapshotClass>({
  kind: "VolumeSnapshotClass",
  plural: "volumesnapshotclasses",
  namespaced: false,
});

export const volumeGroupSnapshots = grouped<VolumeGroupSnapshot>({
  kind: "VolumeGroupSnapshot",
  plural: "volumegroupsnapshots",
  namespaced: true,
});

export const volumeGroupSnapshotContents = grouped<VolumeGroupSnapshotContent>({
  kind: "VolumeGroupSnapshotContent",
  plural: "volumegroupsnapshotcontents",
  namespaced: false,
});

export const volumeGroupSnapshotClasses = grouped<VolumeGroupSnapshotClass>({
  kind: "VolumeGroupSnapshotClass",
  plural: "volumegroupsnapshotclasses",
  namespaced: false,
});
