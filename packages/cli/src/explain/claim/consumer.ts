import { type PersistentVolumeClaim, provisioningAnnotations } from "@stowage/machinery";
import { classOf, isDelayed } from "../class/class-checks.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace } from "../finding.ts";
import { recreate } from "../mending.ts";
import { schedulingOf } from "../scheduling/scheduling-checks.ts";
import { podsUsing } from "./claim-state.ts";

/** A claim whose volume is made where its Pod goes waits for that Pod. */
export async function consumerOf(claim: PersistentVolumeClaim, facts: Facts): Promise<readonly Finding[]> {
  const storageClass = await classOf(claim, facts);
  const selected = claim.metadata.annotations?.[provisioningAnnotations.selectedNode];
  if (storageClass === undefined || !isDelayed(storageClass) || selected !== undefined) return [];
  const mode = field(storageClass, "volumeBindingMode", "WaitForFirstConsumer");
  const users = await podsUsing(claim, facts);
  if (users.length === 0) {
    return [
      {
        cause: "CLAIM_WAITS_FOR_CONSUMER",
        says: "The volume is made once a Pod uses the claim, and none does. That is as it should be.",
        evidence: [
          mode,
          { object: `Pods in ${claim.metadata.namespace}`, value: `none uses claim ${claim.metadata.name}` },
        ],
        mend: [
          `kubectl run user-of-${claim.metadata.name}${inNamespace(claim.metadata)} --image=IMAGE --overrides='{"spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"${claim.metadata.name}"}}]}}'`,
        ],
      },
    ];
  }
  const forced = users.find(({ spec }) => spec?.nodeName);
  if (forced !== undefined) {
    return [
      {
        cause: "POD_BYPASSES_SCHEDULER",
        says: `Pod ${forced.metadata.name} names its node itself, so that the scheduler never chooses one for the claim.`,
        evidence: [mode, field(forced, "spec.nodeName", forced.spec?.nodeName ?? "")],
        mend: [
          recreate(
            forced,
            `nodeName: ${forced.spec?.nodeName}`,
            `nodeSelector: {kubernetes.io/hostname: ${forced.spec?.nodeName}}`,
          ),
        ],
      },
    ];
  }
  return (await Promise.all(users.map((pod) => schedulingOf(pod, facts)))).flat();
}
