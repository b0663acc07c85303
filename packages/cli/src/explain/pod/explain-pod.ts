import {
  isConditionTrue,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
} from "@stowage/machinery";
import {
  attacherDown,
  attachRefused,
  multiAttach,
  type Need,
  nodeNotReady,
  nodeWithoutDriver,
} from "../attachment/attachment-checks.ts";
import { type Check, readable, runChecks } from "../check.ts";
import { claimNames } from "../claim/claim-state.ts";
import { explainClaim } from "../claim/explain-claim.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing } from "../finding.ts";
import { filesMissing, mountRefused, nodeSecretMissing } from "../mount/mount-checks.ts";
import { schedulingOf } from "../scheduling/scheduling-checks.ts";
import { containerTrouble } from "./container-trouble.ts";

const onNode: readonly Check<Pod>[] = [nodeNotReady, filesMissing];
const attaching: readonly Check<Need>[] = [
  nodeWithoutDriver,
  multiAttach,
  attacherDown,
  attachRefused,
  nodeSecretMissing,
];

export function isPodWell({ metadata, status }: Pod): boolean {
  const hasCome = isConditionTrue(status?.conditions, "Ready") || status?.phase === "Succeeded";
  return hasCome && metadata.deletionTimestamp === undefined;
}

/** Why a Pod does not run, as far as storage has to do with it. */
export async function explainPod(pod: Pod, facts: Facts): Promise<readonly Finding[]> {
  if (isPodWell(pod)) return [];
  const claims = await claimsOf(pod, facts);
  const found = [
    ...claims.missing,
    ...(await readable(() => claimsFindings(claims.present, facts))),
    ...(await readable(() =>
      pod.spec?.nodeName ? explainOnNode(pod, claims.present, facts) : schedulingOf(pod, facts),
    )),
  ];
  return found.filter(({ cause }, index) => found.findIndex((each) => each.cause === cause) === index);
}

async function claimsOf(pod: Pod, facts: Facts) {
  const { namespace = "" } = pod.metadata;
  const absent: Finding[] = [];
  const present: PersistentVolumeClaim[] = [];
  for (const name of claimNames(pod)) {
    const claim = await facts.find(persistentVolumeClaims, { namespace, name });
    if (claim === undefined) absent.push(claimMissing(pod, name));
    else present.push(claim);
  }
  return { missing: absent, present };
}

function claimMissing(pod: Pod, name: string): Finding {
  const { namespace } = pod.metadata;
  return {
    cause: "POD_CLAIM_MISSING",
    says: `Pod ${namespace}/${pod.metadata.name} uses claim "${name}", which does not exist.`,
    evidence: [
      field(pod, "spec.volumes.persistentVolumeClaim.claimName", name),
      missing("PersistentVolumeClaim", { namespace, name }),
    ],
    mend: [`kubectl get pvc${inNamespace(pod.metadata)}`, `kubectl apply${inNamespace(pod.metadata)} -f CLAIM.yaml`],
  };
}

async function claimsFindings(claims: readonly PersistentVolumeClaim[], facts: Facts): Promise<readonly Finding[]> {
  const unbound = claims.filter(({ status }) => status?.phase !== "Bound");
  return (await Promise.all(unbound.map((claim) => explainClaim(claim, facts)))).flat();
}

async function explainOnNode(
  pod: Pod,
  claims: readonly PersistentVolumeClaim[],
  facts: Facts,
): Promise<readonly Finding[]> {
  const found = [...(await runChecks(pod, facts, onNode))];
  for (const claim of claims) {
    const volume = await facts.find(persistentVolumes, { name: claim.spec?.volumeName ?? "unbound" });
    const driver = volume?.spec?.csi?.driver;
    if (volume === undefined || driver === undefined) continue;
    const need = { pod, volume, driver, nodeName: pod.spec?.nodeName ?? "" };
    found.push(...(await runChecks(need, facts, attaching)));
  }
  return [...found, ...(await runChecks(pod, facts, [mountRefused, ownContainers]))];
}

/** Not storage's doing, and good to know before anybody looks there. */
async function ownContainers(pod: Pod): Promise<Finding | undefined> {
  const trouble = containerTrouble(pod);
  if (trouble === undefined) return undefined;
  const { kind, says, evidence, mend } = trouble;
  const cause = kind === "image" ? "POD_IMAGE_UNAVAILABLE" : "POD_CRASHES";
  return { cause, says: `Pod ${pod.metadata.namespace}/${pod.metadata.name}: ${says}`, evidence, mend };
}

export function explainMissingPod(ref: { readonly namespace: string; readonly name: string }): readonly Finding[] {
  return [
    {
      cause: "POD_MISSING",
      says: `There is no Pod ${ref.namespace}/${ref.name}.`,
      evidence: [missing("Pod", ref)],
      mend: [`kubectl get pods -n ${ref.namespace}`],
    },
  ];
}
