import {
  labelMatcherFrom,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type VolumeGroupSnapshot,
  volumeGroupSnapshotClasses,
} from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing } from "../finding.ts";
import { recreate } from "../mending.ts";

export async function groupClass(group: VolumeGroupSnapshot, facts: Facts): Promise<Finding | undefined> {
  const name = group.spec.volumeGroupSnapshotClassName;
  if (name === undefined || (await facts.find(volumeGroupSnapshotClasses, { name })) !== undefined) return undefined;
  return {
    cause: "GROUP_SNAPSHOT_CLASS_MISSING",
    says: `The group snapshot names VolumeGroupSnapshotClass "${name}", which does not exist.`,
    evidence: [field(group, "spec.volumeGroupSnapshotClassName", name), missing("VolumeGroupSnapshotClass", { name })],
    mend: [
      "kubectl get volumegroupsnapshotclass",
      recreate(group, `volumeGroupSnapshotClassName: ${name}`, "volumeGroupSnapshotClassName: CLASS"),
    ],
  };
}

/** Undefined where it is a group that exists already, of no claims. */
async function claimsOf(group: VolumeGroupSnapshot, facts: Facts): Promise<PersistentVolumeClaim[] | undefined> {
  const { selector } = group.spec.source;
  if (selector === undefined) return undefined;
  const matcher = labelMatcherFrom(selector);
  const claims = await facts.list(persistentVolumeClaims, { namespace: group.metadata.namespace });
  return claims.filter(({ metadata }) => matcher.matches(metadata.labels));
}

export async function selectedClaims(group: VolumeGroupSnapshot, facts: Facts): Promise<Finding | undefined> {
  const claims = await claimsOf(group, facts);
  if (claims === undefined) return undefined;
  const selector = labelMatcherFrom(group.spec.source.selector).toString();
  const asked = field(group, "spec.source.selector", selector);
  const where = inNamespace(group.metadata);
  if (claims.length === 0) {
    return {
      cause: "GROUP_SNAPSHOT_SELECTS_NONE",
      says: `The group snapshot is to be taken of the claims with ${selector}, and there are none.`,
      evidence: [asked, { object: "PersistentVolumeClaims", value: `none of the namespace has these labels` }],
      mend: [`kubectl get pvc --show-labels${where}`, `kubectl label pvc CLAIM ${selector}${where}`],
    };
  }
  const unbound = claims.filter(({ status }) => status?.phase !== "Bound");
  if (unbound.length === 0) return undefined;
  return {
    cause: "GROUP_SNAPSHOT_CLAIM_UNBOUND",
    says: `The group snapshot is to be taken of ${claims.length} claims, of which ${unbound.length} have no volume yet.`,
    evidence: [asked, ...unbound.map((claim) => field(claim, "status.phase", claim.status?.phase ?? "Pending"))],
    mend: unbound.map(({ metadata }) => `stowage explain pvc ${metadata.name}${inNamespace(metadata)}`),
  };
}

/** One driver takes all snapshots of a group. */
export async function selectedVolumes(group: VolumeGroupSnapshot, facts: Facts): Promise<Finding | undefined> {
  const { volumeGroupSnapshotClassName: name } = group.spec;
  const found = name === undefined ? undefined : await facts.find(volumeGroupSnapshotClasses, { name });
  if (found === undefined) return undefined;
  const foreign = [];
  for (const { spec } of (await claimsOf(group, facts)) ?? []) {
    const volume = spec?.volumeName ? await facts.find(persistentVolumes, { name: spec.volumeName }) : undefined;
    if (volume !== undefined && volume.spec?.csi?.driver !== found.driver) foreign.push(volume);
  }
  if (foreign.length === 0) return undefined;
  return {
    cause: "GROUP_SNAPSHOT_OTHER_DRIVER",
    says: `VolumeGroupSnapshotClass "${name}" is of driver ${found.driver}, and ${foreign.length} of the volumes are not.`,
    evidence: [
      field(found, "driver", found.driver),
      ...foreign.map((volume) => field(volume, "spec.csi.driver", volume.spec?.csi?.driver ?? "not set")),
    ],
    mend: [
      `kubectl get pvc --show-labels${inNamespace(group.metadata)}`,
      "kubectl get volumegroupsnapshotclass",
      recreate(group, `volumeGroupSnapshotClassName: ${name}`, "volumeGroupSnapshotClassName: CLASS"),
    ],
  };
}
