import { StowageError } from "@stowage/machinery";
import type { Datastore, VCenter } from "../vcenter/vcenter.ts";

/** As OpenShift's installer and its operator name them: another name would make a second policy. */
export function policyNames(clusterId: string) {
  return { policy: `openshift-storage-policy-${clusterId}`, category: `openshift-${clusterId}`, tag: clusterId };
}

/** The installer puts the cluster's tag on all of these; a category that lacks one gets it. */
const taggedTypes = ["Datastore", "Folder", "ResourcePool", "StoragePod", "VirtualMachine"].map(withPrefix);

export interface StoragePolicyInput {
  readonly clusterId: string;
  /** Paths in the inventory. */
  readonly datastores: readonly string[];
}

/**
 * Has vCenter know the cluster's policy, by a tag that its datastores have. What is there already is left as it is; nothing is ever
 * taken away, since volumes may have been made by it.
 */
export async function ensureStoragePolicy(
  vcenter: VCenter,
  { clusterId, datastores }: StoragePolicyInput,
  signal: AbortSignal,
): Promise<void> {
  const { policy, category, tag } = policyNames(clusterId);
  const isThere = (await vcenter.policies.names(signal)).includes(policy);
  if (datastores.length === 0) {
    if (isThere) return;
    throw nowhere(vcenter.server, policy);
  }
  const found = await foundDatastores(vcenter, datastores, signal);
  const tagId = await ensureTag(vcenter, { category, tag }, signal);
  for (const datastore of found) {
    const has = await vcenter.tags.tagsOf(datastore, signal);
    if (!has.includes(tagId)) await vcenter.tags.attach(tagId, datastore, signal);
  }
  // Last: whoever finds the policy finds storage for it too.
  if (!isThere) await vcenter.policies.create({ name: policy, category, tag }, signal);
}

async function foundDatastores(
  vcenter: VCenter,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Datastore[]> {
  const found: Datastore[] = [];
  for (const path of paths) {
    const datastore = await vcenter.datastore(path, signal);
    if (datastore === undefined) {
      const what = `vCenter ${vcenter.server} has no datastore ${path}, or does not show it`;
      throw new StowageError("CLOUD_CONFIG_INVALID", what, { nextStep });
    }
    found.push(datastore);
  }
  return found;
}

async function ensureTag(
  { tags }: VCenter,
  { category: name, tag }: { readonly category: string; readonly tag: string },
  signal: AbortSignal,
): Promise<string> {
  const known = await tags.category(name, signal);
  if (known === undefined) {
    return tags.createTag(tag, await tags.createCategory({ name, types: taggedTypes }, signal), signal);
  }
  const has = new Set(known.types.map(withPrefix));
  const missing = taggedTypes.filter((type) => !has.has(type));
  // What there is goes first, as it is: vCenter takes any other order for a change that it does not allow.
  if (missing.length > 0) await tags.updateCategory({ ...known, types: [...known.types, ...missing] }, signal);
  return (await tags.tag(tag, known.id, signal)) ?? (await tags.createTag(tag, known.id, signal));
}

function withPrefix(type: string): string {
  return type.startsWith("urn:vim25:") ? type : `urn:vim25:${type}`;
}

const nextStep = "Correct the failure domains of the Infrastructure, or the workspace of the cloud's configuration.";

function nowhere(server: string, policy: string): StowageError {
  const what = `nothing says which datastores of vCenter ${server} the volumes are for, and it has no policy ${policy}`;
  return new StowageError("CLOUD_CONFIG_INVALID", what, { nextStep });
}
