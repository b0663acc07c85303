import {
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  Quantity,
  type ResourceType,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { classOf } from "../class/class-checks.ts";
import type { Facts } from "../facts.ts";
import { type Evidence, type Finding, field, keyOf, missing } from "../finding.ts";
import { recreate, remove } from "../mending.ts";
import { requested } from "./volume-fit.ts";

const SNAPSHOT_GROUP = "snapshot.storage.k8s.io";

interface Source {
  readonly kind: "claim" | "snapshot" | "other";
  readonly apiGroup: string;
  readonly objectKind: string;
  readonly namespace: string;
  readonly name: string;
  readonly evidence: Evidence;
}

/** What the claim is to be filled from, if anything. */
function sourceOf(claim: PersistentVolumeClaim): Source | undefined {
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  const reference = dataSourceRef ?? dataSource;
  if (reference === undefined) return undefined;
  const { kind: objectKind, name } = reference;
  const apiGroup = reference.apiGroup ?? "";
  const namespace = dataSourceRef?.namespace ?? claim.metadata.namespace ?? "";
  const path = dataSourceRef === undefined ? "spec.dataSource" : "spec.dataSourceRef";
  const evidence = field(claim, path, `${objectKind} ${keyOf({ namespace, name })}`);
  const isSnapshot = objectKind === "VolumeSnapshot" && apiGroup === SNAPSHOT_GROUP;
  const isClaim = objectKind === "PersistentVolumeClaim" && apiGroup === "";
  const kind = isSnapshot ? "snapshot" : isClaim ? "claim" : "other";
  return { kind, apiGroup, objectKind, namespace, name, evidence };
}

export async function populator(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const source = sourceOf(claim);
  if (source?.kind !== "other") return undefined;
  const all = await facts.list(volumePopulators);
  const isKnown = all.some(
    ({ sourceKind }) => sourceKind?.kind === source.objectKind && (sourceKind.group ?? "") === source.apiGroup,
  );
  if (isKnown) return undefined;
  return {
    cause: "POPULATOR_UNKNOWN",
    says: `The claim is to be filled from a ${source.objectKind} of ${source.apiGroup || "the core group"}, and no populator for such objects is registered.`,
    evidence: [source.evidence, { object: "VolumePopulators", value: `${all.length}, none for ${source.objectKind}` }],
    mend: ["kubectl get volumepopulators.populator.storage.k8s.io", remove(claim)],
  };
}

/** Registered by whoever fills volumes from objects of a kind of its own. */
interface VolumePopulator {
  apiVersion: "populator.storage.k8s.io/v1beta1";
  kind: "VolumePopulator";
  metadata: PersistentVolumeClaim["metadata"];
  sourceKind?: { readonly group?: string; readonly kind?: string };
}

const volumePopulators: ResourceType<VolumePopulator> = {
  group: "populator.storage.k8s.io",
  version: "v1beta1",
  plural: "volumepopulators",
  kind: "VolumePopulator",
  namespaced: false,
};

export async function snapshotSource(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const source = sourceOf(claim);
  if (source?.kind !== "snapshot") return undefined;
  const { namespace, name } = source;
  const snapshot = await facts.find(volumeSnapshots, { namespace, name });
  if (snapshot === undefined) {
    return {
      cause: "SNAPSHOT_SOURCE_MISSING",
      says: `The claim is to be filled from VolumeSnapshot ${namespace}/${name}, which does not exist.`,
      evidence: [source.evidence, missing("VolumeSnapshot", { namespace, name })],
      mend: [`kubectl get volumesnapshot -n ${namespace}`, recreate(claim, `name: ${name}`, "name: SNAPSHOT")],
    };
  }
  const content = await facts.find(volumeSnapshotContents, {
    name: snapshot.status?.boundVolumeSnapshotContentName ?? "unbound",
  });
  const provisioner = (await classOf(claim, facts))?.provisioner;
  if (content !== undefined && provisioner !== undefined && content.spec.driver !== provisioner) {
    return {
      cause: "SNAPSHOT_SOURCE_OTHER_DRIVER",
      says: `VolumeSnapshot ${namespace}/${name} is of driver ${content.spec.driver}, the claim's class of ${provisioner}.`,
      evidence: [source.evidence, field(content, "spec.driver", content.spec.driver)],
      mend: [
        `kubectl get storageclass -o jsonpath='{range .items[?(@.provisioner=="${content.spec.driver}")]}{.metadata.name}{"\\n"}{end}'`,
        recreate(claim, `storageClassName: ${claim.spec?.storageClassName}`, "storageClassName: CLASS"),
      ],
    };
  }
  if (snapshot.status?.readyToUse !== true) {
    return {
      cause: "SNAPSHOT_SOURCE_NOT_READY",
      says: `The claim is to be filled from VolumeSnapshot ${namespace}/${name}, which is not ready to use.`,
      evidence: [source.evidence, field(snapshot, "status.readyToUse", snapshot.status?.readyToUse ?? false)],
      mend: [`stowage explain volumesnapshot ${name} -n ${namespace}`],
    };
  }
  const needed = Quantity.fromJson(snapshot.status.restoreSize ?? "0");
  if (requested(claim).compare(needed) >= 0) return undefined;
  return {
    cause: "SNAPSHOT_SOURCE_LARGER",
    says: `The claim asks for ${requested(claim).toString()}, and VolumeSnapshot ${namespace}/${name} needs ${needed.toString()}.`,
    evidence: [
      field(snapshot, "status.restoreSize", needed.toString()),
      field(claim, "spec.resources.requests.storage", requested(claim).toString()),
    ],
    mend: [recreate(claim, `storage: ${requested(claim).toString()}`, `storage: ${needed.toString()}`)],
  };
}

export async function cloneSource(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const source = sourceOf(claim);
  if (source?.kind !== "claim") return undefined;
  const { namespace, name } = source;
  const original = await facts.find(persistentVolumeClaims, { namespace, name });
  if (original === undefined) {
    return {
      cause: "CLONE_SOURCE_MISSING",
      says: `The claim is to be a copy of claim ${namespace}/${name}, which does not exist.`,
      evidence: [source.evidence, missing("PersistentVolumeClaim", { namespace, name })],
      mend: [`kubectl get pvc -n ${namespace}`, recreate(claim, `name: ${name}`, "name: CLAIM")],
    };
  }
  if (original.status?.phase !== "Bound") {
    return {
      cause: "CLONE_SOURCE_UNBOUND",
      says: `The claim is to be a copy of claim ${namespace}/${name}, which has no volume yet.`,
      evidence: [source.evidence, field(original, "status.phase", original.status?.phase ?? "Pending")],
      mend: [`stowage explain pvc ${name} -n ${namespace}`],
    };
  }
  return (await otherDriver(claim, original, facts)) ?? cloneMisfit(claim, original);
}

async function otherDriver(
  claim: PersistentVolumeClaim,
  original: PersistentVolumeClaim,
  facts: Facts,
): Promise<Finding | undefined> {
  const volume = await facts.find(persistentVolumes, { name: original.spec?.volumeName ?? "" });
  const provisioner = (await classOf(claim, facts))?.provisioner;
  const driver = volume?.spec?.csi?.driver;
  if (volume === undefined || provisioner === undefined || driver === provisioner) return undefined;
  const [before, after] = [claim.spec?.storageClassName, original.spec?.storageClassName];
  return {
    cause: "CLONE_SOURCE_OTHER_DRIVER",
    says: `Claim ${keyOf(original.metadata)} has a volume of ${driver ?? "no CSI driver"}, and ${provisioner} cannot copy it.`,
    evidence: [field(volume, "spec.csi.driver", driver ?? "none"), field(claim, "spec.storageClassName", before ?? "")],
    mend: [recreate(claim, `storageClassName: ${before}`, `storageClassName: ${after}`)],
  };
}

function cloneMisfit(claim: PersistentVolumeClaim, original: PersistentVolumeClaim): Finding | undefined {
  const { name, namespace } = original.metadata;
  const [mode, wanted] = [original.spec?.volumeMode ?? "Filesystem", claim.spec?.volumeMode ?? "Filesystem"];
  if (mode !== wanted) {
    return {
      cause: "CLONE_SOURCE_OTHER_MODE",
      says: `The claim asks for ${wanted}, and claim ${namespace}/${name} that it is to be a copy of has ${mode}.`,
      evidence: [field(claim, "spec.volumeMode", wanted), field(original, "spec.volumeMode", mode)],
      mend: [recreate(claim, `volumeMode: ${wanted}`, `volumeMode: ${mode}`)],
    };
  }
  if (requested(claim).compare(requested(original)) >= 0) return undefined;
  const [asked, needed] = [requested(claim).toString(), requested(original).toString()];
  return {
    cause: "CLONE_SOURCE_LARGER",
    says: `The claim asks for ${asked}, and claim ${namespace}/${name} that it is to be a copy of has ${needed}.`,
    evidence: [
      field(claim, "spec.resources.requests.storage", asked),
      field(original, "spec.resources.requests.storage", needed),
    ],
    mend: [recreate(claim, `storage: ${asked}`, `storage: ${needed}`)],
  };
}
