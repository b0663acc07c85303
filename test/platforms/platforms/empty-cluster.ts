import { isNotFound } from "@stowage/kube";
import { customResourceDefinitions, type KubernetesObject, namespaces, type ResourceType } from "@stowage/machinery";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { listEverything, nameOf, type ServerObject } from "./server-objects.ts";

const isOf =
  ({ group, plural }: Pick<ResourceType, "group" | "plural">) =>
  ({ type }: ServerObject) =>
    type.group === group && type.plural === plural;
const isNamespace = isOf(namespaces);
const isDefinition = isOf(customResourceDefinitions);

/** What the API server makes for itself, which it puts back or misses when it is gone. */
export async function ownObjects(cluster: OperatorCluster): Promise<ReadonlySet<string>> {
  return new Set((await listEverything(cluster)).map(nameOf));
}

/**
 * Takes away all but these, so that the cluster is as it was when it started. No controller manager runs: what deletes the content of a
 * namespace, and takes finalizers off, is here.
 */
export async function emptyCluster(cluster: OperatorCluster, own: ReadonlySet<string>): Promise<void> {
  const strangers = async () => (await listEverything(cluster)).filter((each) => !own.has(nameOf(each)));
  const found = await strangers();
  const isPlace = (each: ServerObject) => isNamespace(each) || isDefinition(each);
  await Promise.all(found.filter((each) => !isPlace(each)).map((each) => takeAway(cluster, each)));
  await Promise.all(found.filter(isNamespace).map((each) => takeNamespaceAway(cluster, each)));
  await Promise.all(found.filter(isDefinition).map((each) => ignoringMissing(deleteObject(cluster, each))));
  await eventually(async () => expect((await strangers()).map(nameOf)).toEqual([]));
}

async function takeAway(cluster: OperatorCluster, each: ServerObject): Promise<void> {
  const { type, object } = each;
  if (object.metadata.finalizers !== undefined) {
    const patch = { metadata: { finalizers: null } };
    await ignoringMissing(cluster.client.patch(type, refOf(object), { type: "merge", patch }));
  }
  await ignoringMissing(deleteObject(cluster, each));
}

async function takeNamespaceAway(cluster: OperatorCluster, each: ServerObject): Promise<void> {
  const { client } = cluster;
  await deleteObject(cluster, each);
  const namespace = await client.find(namespaces, refOf(each.object));
  if (namespace === undefined) return;
  await ignoringMissing(
    client.update(namespaces, { ...namespace, spec: { finalizers: [] } }, { subresource: "finalize" }),
  );
}

async function deleteObject({ client }: OperatorCluster, { type, object }: ServerObject): Promise<void> {
  await client.delete(type, refOf(object), { gracePeriodSeconds: 0 });
}

function refOf({ metadata: { name = "", namespace } }: KubernetesObject): { name: string; namespace?: string } {
  return namespace === undefined ? { name } : { name, namespace };
}

/** One object may have two names, and may have gone by the other. */
async function ignoringMissing(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
