import type { VolumeGroupSnapshot, VolumeSnapshot } from "@stowage/machinery";
import { type SecretRef, secretRefOf } from "../secrets/index.ts";
import { snapshotSecrets } from "./class-parameters.ts";

type Parameters = Readonly<Record<string, string>> | undefined;

/** For creating and deleting. Kept on the content, since the class may be gone when the snapshot is deleted. */
export function snapshotterSecret(
  parameters: Parameters,
  contentName: string,
  { metadata: { name = "", namespace = "" } }: Pick<VolumeSnapshot, "metadata">,
): SecretRef | undefined {
  const namespaceValues = { "volumesnapshotcontent.name": contentName, "volumesnapshot.namespace": namespace };
  const nameValues = { ...namespaceValues, "volumesnapshot.name": name };
  return secretRefOf(snapshotSecrets.snapshotter, parameters ?? {}, { namespaceValues, nameValues });
}

export function groupSnapshotterSecret(
  parameters: Parameters,
  contentName: string,
  { metadata: { name = "", namespace = "" } }: Pick<VolumeGroupSnapshot, "metadata">,
): SecretRef | undefined {
  const namespaceValues = {
    "volumegroupsnapshotcontent.name": contentName,
    "volumegroupsnapshot.namespace": namespace,
  };
  const nameValues = { ...namespaceValues, "volumegroupsnapshot.name": name };
  return secretRefOf(snapshotSecrets.group, parameters ?? {}, { namespaceValues, nameValues });
}

/** For ListSnapshots: asked for a content, whose snapshot may not be there, so that only the content's name can be used. */
export function listSecret(parameters: Parameters, contentName: string): SecretRef | undefined {
  const values = { "volumesnapshotcontent.name": contentName };
  return secretRefOf(snapshotSecrets.list, parameters ?? {}, { namespaceValues: values, nameValues: values });
}

export function groupGetSecret(parameters: Parameters, contentName: string): SecretRef | undefined {
  const values = { "volumegroupsnapshotcontent.name": contentName };
  return secretRefOf(snapshotSecrets.groupGet, parameters ?? {}, { namespaceValues: values, nameValues: values });
}
