import {
  customResourceDefinitions,
  persistentVolumeClaims,
  snapshotReasons,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { type Check, runChecks } from "../check.ts";
import { lastRefusal, rpcFailureIn } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing, told } from "../finding.ts";
import { controllerDown } from "./snapshot-controller.ts";
import { snapshotClass, sourceClaim, sourceVolume } from "./snapshot-source.ts";

export function isSnapshotWell({ metadata, status }: VolumeSnapshot): boolean {
  return status?.readyToUse === true && metadata.deletionTimestamp === undefined;
}

async function contentOf({ spec, status }: VolumeSnapshot, facts: Facts): Promise<VolumeSnapshotContent | undefined> {
  const name = status?.boundVolumeSnapshotContentName ?? spec.source.volumeSnapshotContentName;
  return name === undefined ? undefined : facts.find(volumeSnapshotContents, { name });
}

async function contentMissing(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const name = snapshot.spec.source.volumeSnapshotContentName;
  if (name === undefined || (await contentOf(snapshot, facts)) !== undefined) return undefined;
  return {
    cause: "SNAPSHOT_CONTENT_MISSING",
    says: `The snapshot names VolumeSnapshotContent "${name}", which does not exist.`,
    evidence: [
      field(snapshot, "spec.source.volumeSnapshotContentName", name),
      missing("VolumeSnapshotContent", { name }),
    ],
    mend: ["kubectl get volumesnapshotcontent", "kubectl apply -f CONTENT.yaml"],
  };
}

async function heldByRestore(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const { deletionTimestamp, namespace, name } = snapshot.metadata;
  if (deletionTimestamp === undefined) return undefined;
  const waiting = (await facts.list(persistentVolumeClaims, { namespace })).filter(({ spec, status }) => {
    const source = spec?.dataSourceRef ?? spec?.dataSource;
    return source?.kind === "VolumeSnapshot" && source.name === name && status?.phase === "Pending";
  });
  if (waiting.length === 0) return undefined;
  const event = (await facts.eventsOf(snapshot)).findLast(({ reason }) => reason === snapshotReasons.deletePending);
  return {
    cause: "SNAPSHOT_HELD_BY_RESTORE",
    says: `The snapshot is being deleted, and goes when ${waiting.length} claims that are to be filled from it are bound or gone.`,
    evidence: [
      ...waiting.map((claim) => field(claim, "spec.dataSource", `VolumeSnapshot ${name}`)),
      ...(event === undefined ? [] : [told(event)]),
    ],
    mend: waiting.map(({ metadata }) => `stowage explain pvc ${metadata.name}${inNamespace(metadata)}`),
  };
}

async function snapshotterDown(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const content = await contentOf(snapshot, facts);
  if (content === undefined) return undefined;
  const hasActed = content.status !== undefined || (await facts.eventsOf(content)).length > 0;
  return sidecarDown({ driver: content.spec.driver, role: "snapshotter", hasActed }, facts);
}

async function driverRefused(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const content = await contentOf(snapshot, facts);
  if (content === undefined || isSnapshotWell(snapshot)) return undefined;
  const isDeleting = snapshot.metadata.deletionTimestamp !== undefined;
  const refused = isDeleting ? await deletionError(content, facts) : creationError(content);
  if (refused === undefined) return undefined;
  const log = await sidecarLog({ driver: content.spec.driver, role: "snapshotter", about: content }, facts);
  return {
    cause: isDeleting ? "SNAPSHOT_DELETION_REFUSED" : "SNAPSHOT_REFUSED",
    says: isDeleting
      ? `The driver could not delete the snapshot (DeleteSnapshot: ${refused.code}).`
      : `The driver could not take the snapshot (CreateSnapshot: ${refused.code}).`,
    evidence: [refused.evidence, ...log],
    mend: [`kubectl describe volumesnapshotcontent ${content.metadata.name}`, "stowage status"],
  };
}

function creationError(content: VolumeSnapshotContent) {
  const message = content.status?.error?.message;
  const failure = rpcFailureIn(message);
  return failure && { code: failure.code, evidence: field(content, "status.error.message", message) };
}

/** Of a snapshot that does not go the status says nothing. */
async function deletionError(content: VolumeSnapshotContent, facts: Facts) {
  const refused = lastRefusal(await facts.eventsOf(content), snapshotReasons.deleteError);
  return refused && { code: refused.failure.code, evidence: told(refused.event) };
}

/** The controller says what it is, in words of its own, and no other check knows it. */
async function otherError(snapshot: VolumeSnapshot): Promise<Finding | undefined> {
  const message = snapshot.status?.error?.message;
  if (message === undefined || isSnapshotWell(snapshot)) return undefined;
  return {
    cause: "SNAPSHOT_FAILED",
    says: "The snapshot controller says why there is no snapshot.",
    evidence: [field(snapshot, "status.error.message", message)],
    mend: [`kubectl describe volumesnapshot ${snapshot.metadata.name}${inNamespace(snapshot.metadata)}`],
  };
}

const checks: readonly Check<VolumeSnapshot>[] = [
  heldByRestore,
  sourceClaim,
  sourceVolume,
  snapshotClass,
  contentMissing,
  controllerDown,
  snapshotterDown,
  driverRefused,
];

export async function explainSnapshot(snapshot: VolumeSnapshot, facts: Facts): Promise<readonly Finding[]> {
  if (isSnapshotWell(snapshot)) return [];
  const found = await runChecks(snapshot, facts, checks);
  return found.length > 0 ? found : runChecks(snapshot, facts, [otherError]);
}

export async function explainMissingSnapshot(
  ref: { readonly namespace: string; readonly name: string },
  facts: Facts,
): Promise<readonly Finding[]> {
  const definition = `${volumeSnapshots.plural}.${volumeSnapshots.group}`;
  if ((await facts.find(customResourceDefinitions, { name: definition })) === undefined) {
    return [
      {
        cause: "SNAPSHOT_CRDS_MISSING",
        says: "The cluster does not know VolumeSnapshots: their CustomResourceDefinitions are not installed.",
        evidence: [missing("CustomResourceDefinition", { name: definition })],
        mend: ["kubectl apply -f packages/sidecars/crds/"],
      },
    ];
  }
  return [
    {
      cause: "SNAPSHOT_MISSING",
      says: `There is no VolumeSnapshot ${ref.namespace}/${ref.name}.`,
      evidence: [missing("VolumeSnapshot", ref)],
      mend: [`kubectl get volumesnapshot -n ${ref.namespace}`],
    },
  ];
}
