import {
  findCondition,
  type PersistentVolumeClaim,
  persistentVolumes,
  Quantity,
  resizeConditions,
  resizeReasons,
  resizingAnnotations,
  volumeAttributesClasses,
} from "@stowage/machinery";
import { podsUsing } from "../claim/claim-state.ts";
import { requested } from "../claim/volume-fit.ts";
import { rpcFailureIn } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing, told } from "../finding.ts";
import { remove } from "../mending.ts";

function capacityOf({ status }: PersistentVolumeClaim): Quantity {
  return Quantity.fromJson(status?.capacity?.storage ?? "0");
}

export function wantsExpansion(claim: PersistentVolumeClaim): boolean {
  return claim.status?.phase === "Bound" && requested(claim).compare(capacityOf(claim)) > 0;
}

async function driverOf(claim: PersistentVolumeClaim, facts: Facts): Promise<string | undefined> {
  const volume = await facts.find(persistentVolumes, { name: claim.spec?.volumeName ?? "" });
  return volume?.spec?.csi?.driver;
}

const setSize = ({ metadata }: PersistentVolumeClaim, size: string) =>
  `kubectl patch pvc ${metadata.name}${inNamespace(metadata)} -p '{"spec":{"resources":{"requests":{"storage":"${size}"}}}}'`;

/** The driver was asked to grow the volume, and refused. */
export async function expansionRefused(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  if (!wantsExpansion(claim)) return undefined;
  const event = (await facts.eventsOf(claim)).findLast(({ reason }) => reason === resizeReasons.failed);
  if (event === undefined) return undefined;
  const resource = claim.status?.allocatedResourceStatuses?.storage ?? "";
  const users = await podsUsing(claim, facts);
  const failure = rpcFailureIn(event.message);
  const driver = await driverOf(claim, facts);
  const log = await sidecarLog({ driver: driver ?? "", role: "resizer", about: claim }, facts);
  const evidence = [told(event), field(claim, "spec.resources.requests.storage", requested(claim).toString()), ...log];
  if (users.length > 0 && (failure?.code === "FailedPrecondition" || /in-use/u.test(event.message ?? ""))) {
    return {
      cause: "EXPANSION_WAITS_FOR_NO_POD",
      says: "The driver grows volumes only while no Pod uses them, and one does.",
      evidence: [...evidence, ...users.map((pod) => field(pod, "status.phase", pod.status?.phase ?? "Pending"))],
      mend: users.map(remove),
    };
  }
  if (resource === "ControllerResizeInfeasible") {
    return {
      cause: "EXPANSION_INFEASIBLE",
      says: `The driver says that the volume can never have ${requested(claim).toString()}.`,
      evidence: [...evidence, field(claim, "status.allocatedResourceStatuses.storage", resource)],
      mend: [setSize(claim, capacityOf(claim).toString())],
    };
  }
  return {
    cause: "EXPANSION_REFUSED",
    says: `The driver could not grow the volume${failure === undefined ? "" : ` (ControllerExpandVolume: ${failure.code})`}; it is tried again.`,
    evidence,
    mend: [`kubectl describe pvc ${claim.metadata.name}${inNamespace(claim.metadata)}`, "stowage status"],
  };
}

export async function expansionOnNode(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const { conditions } = claim.status ?? {};
  const pending = findCondition(conditions, resizeConditions.fileSystemResizePending);
  if (!wantsExpansion(claim) || pending?.status !== "True") return undefined;
  if ((await podsUsing(claim, facts)).some(({ spec }) => spec?.nodeName)) return undefined;
  return {
    cause: "EXPANSION_WAITS_FOR_POD",
    says: "The volume has grown; its file system grows on the node of the next Pod that uses the claim, and none does.",
    evidence: [field(claim, `status.conditions[${pending.type}]`, pending.message ?? "True")],
    mend: [
      `kubectl get pods${inNamespace(claim.metadata)}`,
      `kubectl scale deployment NAME${inNamespace(claim.metadata)} --replicas=1`,
    ],
  };
}

export async function resizerDown(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const driver = await driverOf(claim, facts);
  if (!wantsExpansion(claim) || driver === undefined) return undefined;
  const events = await facts.eventsOf(claim);
  const acts: readonly string[] = [
    resizeReasons.resizing,
    resizeReasons.failed,
    resizeReasons.fileSystemResizeRequired,
  ];
  const hasActed =
    events.some(({ reason = "" }) => acts.includes(reason)) || (claim.status?.conditions ?? []).length > 0;
  return sidecarDown({ driver, role: "resizer", hasActed }, facts);
}

/** Kubernetes has nobody to hand the expansion to. */
export async function expansionUnsupported(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  if (!wantsExpansion(claim) || (await driverOf(claim, facts)) !== undefined) return undefined;
  const volume = await facts.find(persistentVolumes, { name: claim.spec?.volumeName ?? "" });
  if (volume === undefined) return undefined;
  return {
    cause: "EXPANSION_UNSUPPORTED",
    says: `PersistentVolume "${volume.metadata.name}" is not of a CSI driver, and such volumes cannot grow.`,
    evidence: [
      field(volume, "spec", Object.keys(volume.spec ?? {}).join(", ")),
      field(
        claim,
        `metadata.annotations.${resizingAnnotations.storageResizer}`,
        claim.metadata.annotations?.[resizingAnnotations.storageResizer] ?? "not set",
      ),
    ],
    mend: [setSize(claim, capacityOf(claim).toString())],
  };
}

export function wantsAttributes({ spec, status }: PersistentVolumeClaim): boolean {
  return (
    (spec?.volumeAttributesClassName ?? "") !== (status?.currentVolumeAttributesClassName ?? "") &&
    status?.phase === "Bound"
  );
}

export async function attributesClassMissing(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const name = claim.spec?.volumeAttributesClassName ?? "";
  if (name === "" || (await facts.find(volumeAttributesClasses, { name })) !== undefined) return undefined;
  return {
    cause: "ATTRIBUTES_CLASS_MISSING",
    says: `The claim names VolumeAttributesClass "${name}", which does not exist.`,
    evidence: [field(claim, "spec.volumeAttributesClassName", name), missing("VolumeAttributesClass", { name })],
    mend: ["kubectl get volumeattributesclass", setAttributes(claim, "CLASS")],
  };
}

export async function attributesInfeasible(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const { modifyVolumeStatus, currentVolumeAttributesClassName } = claim.status ?? {};
  if (!wantsAttributes(claim) || modifyVolumeStatus?.status !== "Infeasible") return undefined;
  const event = (await facts.eventsOf(claim)).findLast(({ reason }) => reason === resizeReasons.modifyFailed);
  const wanted = modifyVolumeStatus.targetVolumeAttributesClassName ?? "";
  return {
    cause: "ATTRIBUTES_INFEASIBLE",
    says: `The driver says that the volume can never have what VolumeAttributesClass "${wanted}" asks for.`,
    evidence: [
      field(claim, "status.modifyVolumeStatus.status", "Infeasible"),
      ...(event === undefined ? [] : [told(event)]),
    ],
    mend: [
      `kubectl get volumeattributesclass ${wanted} -o yaml`,
      setAttributes(claim, currentVolumeAttributesClassName ?? "CLASS"),
    ],
  };
}

function setAttributes({ metadata }: PersistentVolumeClaim, name: string): string {
  return `kubectl patch pvc ${metadata.name}${inNamespace(metadata)} -p '{"spec":{"volumeAttributesClassName":"${name}"}}'`;
}
