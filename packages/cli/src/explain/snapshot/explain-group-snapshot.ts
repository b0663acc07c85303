import {
  customResourceDefinitions,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
} from "@stowage/machinery";
import { type Check, runChecks } from "../check.ts";
import { rpcFailureIn } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, missing } from "../finding.ts";
import { describe } from "../mending.ts";
import { groupClass, selectedClaims, selectedVolumes } from "./group-snapshot-source.ts";
import { controllerDown } from "./snapshot-controller.ts";

export function isGroupSnapshotWell({ metadata, status }: VolumeGroupSnapshot): boolean {
  return status?.readyToUse === true && metadata.deletionTimestamp === undefined;
}

/** What the controller has made of it already; by then the snapshotter's turn has come. */
async function contentOf(
  { spec, status, metadata }: VolumeGroupSnapshot,
  facts: Facts,
): Promise<VolumeGroupSnapshotContent | undefined> {
  const name = status?.boundVolumeGroupSnapshotContentName ?? spec.source.volumeGroupSnapshotContentName;
  if (name !== undefined) return facts.find(volumeGroupSnapshotContents, { name });
  const all = await facts.list(volumeGroupSnapshotContents);
  return all.find((content) => content.spec.volumeGroupSnapshotRef.uid === metadata.uid);
}

async function snapshotterDown(group: VolumeGroupSnapshot, facts: Facts): Promise<Finding | undefined> {
  const content = await contentOf(group, facts);
  if (content === undefined) return undefined;
  const hasActed = content.status !== undefined || (await facts.eventsOf(content)).length > 0;
  return sidecarDown({ driver: content.spec.driver, role: "snapshotter", hasActed }, facts);
}

async function driverRefused(group: VolumeGroupSnapshot, facts: Facts): Promise<Finding | undefined> {
  const content = await contentOf(group, facts);
  const message = content?.status?.error?.message;
  const failure = rpcFailureIn(message);
  if (content === undefined || failure === undefined) return undefined;
  const log = await sidecarLog({ driver: content.spec.driver, role: "snapshotter", about: content }, facts);
  return {
    cause: "GROUP_SNAPSHOT_REFUSED",
    says: `The driver could not take the snapshots of the group (CreateVolumeGroupSnapshot: ${failure.code}).`,
    evidence: [field(content, "status.error.message", message), ...log],
    mend: [describe(content), "stowage status"],
  };
}

/** The controller says what it is, in words of its own, and no other check knows it. */
async function otherError(group: VolumeGroupSnapshot): Promise<Finding | undefined> {
  const message = group.status?.error?.message;
  if (message === undefined) return undefined;
  return {
    cause: "GROUP_SNAPSHOT_FAILED",
    says: "The snapshot controller says why there are no snapshots.",
    evidence: [field(group, "status.error.message", message)],
    mend: [describe(group)],
  };
}

const checks: readonly Check<VolumeGroupSnapshot>[] = [
  groupClass,
  selectedClaims,
  selectedVolumes,
  controllerDown,
  snapshotterDown,
  driverRefused,
];

export async function explainGroupSnapshot(group: VolumeGroupSnapshot, facts: Facts): Promise<readonly Finding[]> {
  if (isGroupSnapshotWell(group)) return [];
  const found = await runChecks(group, facts, checks);
  return found.length > 0 ? found : runChecks(group, facts, [otherError]);
}

export async function explainMissingGroupSnapshot(
  ref: { readonly namespace: string; readonly name: string },
  facts: Facts,
): Promise<readonly Finding[]> {
  const definition = `${volumeGroupSnapshots.plural}.${volumeGroupSnapshots.group}`;
  if ((await facts.find(customResourceDefinitions, { name: definition })) === undefined) {
    return [
      {
        cause: "GROUP_SNAPSHOT_CRDS_MISSING",
        says: "The cluster does not know VolumeGroupSnapshots: their CustomResourceDefinitions are not installed.",
        evidence: [missing("CustomResourceDefinition", { name: definition })],
        mend: ["kubectl apply -f packages/sidecars/crds/"],
      },
    ];
  }
  return [
    {
      cause: "GROUP_SNAPSHOT_MISSING",
      says: `There is no VolumeGroupSnapshot ${ref.namespace}/${ref.name}.`,
      evidence: [missing("VolumeGroupSnapshot", ref)],
      mend: [`kubectl get volumegroupsnapshot -n ${ref.namespace}`],
    },
  ];
}
