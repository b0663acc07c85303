import { type Event, events, type Pod } from "@stowage/machinery";
import { allowed } from "../../explain/check.ts";
import type { Facts } from "../../explain/facts.ts";
import type { ClaimName } from "../records.ts";

/** Where events of what has no namespace are. */
const CLUSTER_SCOPED = "default";

/** By name: also one that is gone has them, for as long as the cluster keeps events. */
export async function eventsOfClaim({ namespace, name }: ClaimName, facts: Facts): Promise<readonly Event[]> {
  return listed(facts, namespace, `involvedObject.kind=PersistentVolumeClaim,involvedObject.name=${name}`);
}

export async function eventsOfVolume(name: string, facts: Facts): Promise<readonly Event[]> {
  return listed(facts, CLUSTER_SCOPED, `involvedObject.kind=PersistentVolume,involvedObject.name=${name}`);
}

/** Those of the given Pods, and of Pods that are gone and had the volume: attaching and mounting name it. */
export async function eventsOfUsers(
  { namespace, volumeName }: { readonly namespace: string; readonly volumeName: string },
  pods: readonly Pod[],
  facts: Facts,
): Promise<readonly Event[]> {
  const all = await listed(facts, namespace, "involvedObject.kind=Pod");
  const naming = all.filter(({ message = "" }) => message.includes(`"${volumeName}"`));
  const users = new Set([
    ...pods.map(({ metadata }) => metadata.uid),
    ...naming.map(({ involvedObject }) => involvedObject.uid),
  ]);
  return all.filter(({ involvedObject }) => users.has(involvedObject.uid));
}

async function listed(facts: Facts, namespace: string, fieldSelector: string): Promise<readonly Event[]> {
  return (await allowed(() => facts.list(events, { namespace, fieldSelector }))) ?? [];
}
