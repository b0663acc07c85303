import { createRestMapper, type KubeClient } from "@stowage/kube";
import {
  apiVersionOf,
  type MetadataOnly,
  metadataOnly,
  type OwnerReference,
  pods,
  type ResourceType,
  StowageError,
} from "@stowage/machinery";

export interface OwnerSearch {
  readonly namespace: string;
  readonly podName?: string;
  /** How many owners up; the Pod itself at 0, nobody below. */
  readonly level: number;
}

/**
 * Who is to own the objects, so that they go when the driver is uninstalled. The last owner is taken as the one before names it:
 * to own by a StatefulSet, this need not be allowed to read StatefulSets.
 */
export async function findOwner(
  client: Pick<KubeClient, "get" | "getPath" | "server">,
  { namespace, podName, level }: OwnerSearch,
): Promise<OwnerReference | undefined> {
  if (level < 0) return undefined;
  if (podName === undefined || podName === "") throw unknown("the name of this Pod was not given");
  const pod = await client.get(metadataOnly(pods), { namespace, name: podName });
  let owner = referenceTo(pods, pod);
  let controllers = controllersOf(pod);
  for (let height = 0; height < level; height++) {
    const [next] = controllers;
    const which = `${owner.kind} ${namespace}/${owner.name}`;
    if (next === undefined) throw unknown(`${which} has no controlling owner, and ${level} are to be gone up`);
    owner = { apiVersion: next.apiVersion, kind: next.kind, name: next.name, uid: next.uid, controller: true };
    if (height + 1 < level)
      controllers = controllersOf(await client.get(await typeOf(client, owner), { namespace, name: owner.name }));
  }
  return owner;
}

function referenceTo(type: ResourceType, { metadata }: MetadataOnly): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, uid, controller: true };
}

function controllersOf({ metadata }: MetadataOnly): OwnerReference[] {
  return (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
}

/** Owners may be of any kind, such as one of a CRD. */
async function typeOf(
  client: Pick<KubeClient, "getPath" | "server">,
  { apiVersion, kind }: OwnerReference,
): Promise<ResourceType<MetadataOnly>> {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return metadataOnly(await createRestMapper({ client }).resourceFor({ group, version, kind }));
}

function unknown(message: string): StowageError {
  return new StowageError("CAPACITY_OWNER_UNKNOWN", `cannot find who is to own CSIStorageCapacity objects: ${message}`);
}
