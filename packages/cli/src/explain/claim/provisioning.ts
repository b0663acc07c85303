import {
  type Event,
  type PersistentVolumeClaim,
  provisioningAnnotations,
  provisioningReasons,
} from "@stowage/machinery";
import type { CauseCode } from "../causes.ts";
import { classOf } from "../class/class-checks.ts";
import { lastRefusal } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, told } from "../finding.ts";
import { describe, remove } from "../mending.ts";

/** Whether the event comes from the driver's own provisioner, not from Kubernetes. */
function isFrom(driver: string, { source, reportingComponent }: Event): boolean {
  return (source?.component ?? reportingComponent ?? "").startsWith(driver);
}

export async function provisionerDown(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const storageClass = await classOf(claim, facts);
  const asked = claim.metadata.annotations?.[provisioningAnnotations.storageProvisioner];
  if (storageClass === undefined) return undefined;
  const driver = asked ?? storageClass.provisioner;
  const events = await facts.eventsOf(claim);
  // Before Kubernetes has handed the claim over, silence says nothing.
  const hasActed = asked === undefined || events.some((event) => isFrom(driver, event));
  return sidecarDown({ driver, role: "provisioner", hasActed }, facts);
}

interface Refusal {
  readonly cause: CauseCode;
  readonly says: string;
  mend(claim: PersistentVolumeClaim, className: string): readonly string[];
}

const later = (claim: PersistentVolumeClaim) => [describe(claim), "stowage status"];
const classOnward = (claim: PersistentVolumeClaim, className: string) => [
  `kubectl get storageclass ${className} -o yaml`,
  remove(claim),
];

/** By the codes of gRPC. */
const refusals: Readonly<Record<string, Refusal>> = {
  ResourceExhausted: {
    cause: "STORAGE_EXHAUSTED",
    says: "The storage has no room for the volume, or a quota is used up",
    mend: (claim) => ["kubectl get csistoragecapacities -A", "kubectl get pv", remove(claim)],
  },
  InvalidArgument: {
    cause: "CREATE_VOLUME_INVALID",
    says: "The driver does not understand what the claim or its class asks for",
    mend: classOnward,
  },
  Unauthenticated: {
    cause: "CREATE_VOLUME_UNAUTHENTICATED",
    says: "The storage does not accept the driver's credentials",
    mend: (_, className) => [
      `kubectl get storageclass ${className} -o jsonpath='{.parameters}'`,
      "kubectl get secrets -A",
    ],
  },
  PermissionDenied: {
    cause: "CREATE_VOLUME_DENIED",
    says: "The driver's account may not make volumes",
    mend: (_, className) => [`kubectl get storageclass ${className} -o jsonpath='{.parameters}'`, "stowage status"],
  },
  Unavailable: {
    cause: "DRIVER_UNREACHABLE",
    says: "The driver or the storage behind it cannot be reached",
    mend: later,
  },
  DeadlineExceeded: {
    cause: "CREATE_VOLUME_TIMED_OUT",
    says: "The driver did not answer in time",
    mend: later,
  },
};

const otherwise: Refusal = {
  cause: "CREATE_VOLUME_REFUSED",
  says: "The driver could not make the volume",
  mend: later,
};

/** The driver was called, and refused. */
export async function createVolumeRefused(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const refused = lastRefusal(await facts.eventsOf(claim), provisioningReasons.failed);
  if (refused === undefined) return undefined;
  const { event, failure } = refused;
  const { cause, says, mend } = refusals[failure.code] ?? otherwise;
  const storageClass = await classOf(claim, facts);
  const log = await sidecarLog({ driver: storageClass?.provisioner ?? "", role: "provisioner", about: claim }, facts);
  return {
    cause,
    says: `${says} (CreateVolume: ${failure.code}).`,
    evidence: [told(event), ...log],
    mend: mend(claim, storageClass?.metadata.name ?? ""),
  };
}

/** It failed before the driver was called, for a reason that no other check knows. */
export async function provisioningFailed(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const events = await facts.eventsOf(claim);
  const event = events.findLast(({ reason }) => reason === provisioningReasons.failed);
  if (event === undefined || lastRefusal([event], provisioningReasons.failed) !== undefined) return undefined;
  return {
    cause: "PROVISIONING_FAILED",
    says: "The provisioner says why it cannot make the volume.",
    evidence: [told(event), field(claim, "status.phase", claim.status?.phase ?? "Pending")],
    mend: [`kubectl describe pvc ${claim.metadata.name}${inNamespace(claim.metadata)}`],
  };
}
