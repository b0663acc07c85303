import { type PersistentVolumeClaim, persistentVolumeClaims, statefulSets } from "@stowage/machinery";
import { allowed, type Check, readable, runChecks } from "../check.ts";
import { classMissing, classOf, isProvisioned, noDefaultClass, selectorOfProvisioned } from "../class/class-checks.ts";
import { classSecretMissing, classSecretTemplate } from "../class/class-secret.ts";
import { capacityTooSmall, driverOnNoNode, topologyOfClaim } from "../class/topology-checks.ts";
import { driverChecks, driverState } from "../driver/driver-state.ts";
import {
  attributesClassMissing,
  attributesInfeasible,
  expansionOnNode,
  expansionRefused,
  expansionUnsupported,
  resizerDown,
  wantsAttributes,
  wantsExpansion,
} from "../expansion/expansion-checks.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing, told } from "../finding.ts";
import { deletionHeldByCopy, deletionHeldByOthers, deletionHeldByPods, lostVolume } from "./claim-state.ts";
import { consumerOf } from "./consumer.ts";
import { cloneSource, populator, snapshotSource } from "./data-source.ts";
import { droppedSource } from "./dropped-source.ts";
import { existingVolumes } from "./existing-volumes.ts";
import { namedVolume } from "./named-volume.ts";
import { createVolumeRefused, provisionerDown, provisioningFailed } from "./provisioning.ts";

type ClaimCheck = Check<PersistentVolumeClaim>;

const deleting: readonly ClaimCheck[] = [deletionHeldByPods, deletionHeldByCopy, deletionHeldByOthers];

const beforeProvisioning: readonly ClaimCheck[] = [noDefaultClass, classMissing, namedVolume, existingVolumes];

const sources: readonly ClaimCheck[] = [snapshotSource, cloneSource, populator, selectorOfProvisioned];

const calling: readonly ClaimCheck[] = [
  async (claim, facts) => {
    const storageClass = await classOf(claim, facts);
    return storageClass && classSecretTemplate(storageClass);
  },
  classSecretMissing,
  topologyOfClaim,
  driverOnNoNode,
  capacityTooSmall,
  createVolumeRefused,
];

const bound: readonly ClaimCheck[] = [
  expansionUnsupported,
  resizerDown,
  expansionRefused,
  expansionOnNode,
  attributesClassMissing,
  attributesInfeasible,
];

/** Nothing is left to do for it. */
export function isClaimWell(claim: PersistentVolumeClaim): boolean {
  const { deletionTimestamp } = claim.metadata;
  const isWhole = !wantsExpansion(claim) && !wantsAttributes(claim);
  return claim.status?.phase === "Bound" && deletionTimestamp === undefined && isWhole;
}

export async function explainClaim(claim: PersistentVolumeClaim, facts: Facts): Promise<readonly Finding[]> {
  const held = claim.metadata.deletionTimestamp === undefined ? [] : await runChecks(claim, facts, deleting);
  const lost = await runChecks(claim, facts, [lostVolume]);
  const dropped = await runChecks(claim, facts, [droppedSource]);
  const rest =
    claim.status?.phase === "Bound" ? await runChecks(claim, facts, bound) : await explainPending(claim, facts);
  return [...held, ...lost, ...dropped, ...(lost.length > 0 ? [] : rest)];
}

async function explainPending(claim: PersistentVolumeClaim, facts: Facts): Promise<readonly Finding[]> {
  const unfit = await runChecks(claim, facts, beforeProvisioning);
  const storageClass = await allowed(() => classOf(claim, facts));
  if (unfit.length > 0 || storageClass === undefined || claim.spec?.volumeName) return unfit;
  if (!isProvisioned(storageClass)) return readable(() => consumerOf(claim, facts));
  const driver = await driverState(storageClass.provisioner, facts, driverChecks);
  // Without a driver nothing else can be known; with one, all the rest may be wrong at once.
  if (driver.isFinal) return driver.findings;
  const found = [
    ...driver.findings,
    ...(await runChecks(claim, facts, [provisionerDown, ...sources])),
    ...(await readable(() => consumerOf(claim, facts))),
    ...(await runChecks(claim, facts, calling)),
  ];
  const unique = found.filter(({ cause }, index) => found.findIndex((each) => each.cause === cause) === index);
  return unique.length > 0 ? unique : runChecks(claim, facts, [provisioningFailed]);
}

/** A claim that is not there: perhaps a StatefulSet was to make it, and was refused. */
export async function explainMissingClaim(
  ref: { readonly namespace: string; readonly name: string },
  facts: Facts,
): Promise<readonly Finding[]> {
  const { namespace, name } = ref;
  for (const set of await facts.list(statefulSets, { namespace })) {
    const templates = (set.spec?.volumeClaimTemplates ?? []).map(
      ({ metadata }) => `${metadata?.name}-${set.metadata.name}-`,
    );
    if (!templates.some((prefix) => name.startsWith(prefix))) continue;
    const event = (await facts.eventsOf(set)).findLast(
      ({ reason, message = "" }) => reason === "FailedCreate" && message.includes(name),
    );
    if (event === undefined) continue;
    const isQuota = /exceeded quota/u.test(event.message ?? "");
    return [
      {
        cause: isQuota ? "QUOTA_EXCEEDED" : "CLAIM_REFUSED",
        says: `StatefulSet ${namespace}/${set.metadata.name} was to make the claim, and ${isQuota ? "a quota does not allow it" : "the API server refused it"}.`,
        evidence: [told(event), field(set, "spec.replicas", set.spec?.replicas ?? 1)],
        mend: isQuota
          ? [`kubectl describe resourcequota -n ${namespace}`, `kubectl edit resourcequota -n ${namespace}`]
          : [`kubectl describe statefulset ${set.metadata.name} -n ${namespace}`],
      },
    ];
  }
  const others = (await facts.list(persistentVolumeClaims)).filter(({ metadata }) => metadata.name === name);
  return [
    {
      cause: "CLAIM_MISSING",
      says: `There is no claim ${namespace}/${name}${others.length > 0 ? `; there is one in ${others[0]?.metadata.namespace}` : ""}.`,
      evidence: [
        missing("PersistentVolumeClaim", ref),
        ...others.map((each) => field(each, "status.phase", each.status?.phase ?? "")),
      ],
      mend: [`kubectl get pvc${others.length > 0 ? inNamespace(others[0]?.metadata ?? {}) : ` -n ${namespace}`}`],
    },
  ];
}
