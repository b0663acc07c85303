import {
  type DiscoveredResource,
  isConflict,
  isNotFound,
  isUnsupportedMediaType,
  type KubeClient,
  type ObjectRef,
  type RestMapper,
} from "@stowage/kube";
import { type KubernetesObject, metadataOnly, type OwnerReference } from "@stowage/machinery";
import { canonicalText } from "../../kit/index.ts";
import type { Identity } from "./graph-node.ts";

type Policy = "Orphan" | "Background" | "Foreground";
type Edit = (owners: readonly OwnerReference[]) => readonly OwnerReference[];

/** Objects of any kind on the server, as far as owning goes. */
export class ObjectAccess {
  readonly #client: KubeClient;
  readonly #mapper: RestMapper;

  constructor(client: KubeClient, mapper: RestMapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  /** Fails with `KIND_NOT_SERVED` where the server has no such resource. */
  async resourceOf({ apiVersion, kind }: Pick<Identity, "apiVersion" | "kind">): Promise<DiscoveredResource> {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    return await this.#mapper.resourceFor({ group, version: apiVersion.slice(slash + 1), kind });
  }

  async find(identity: Identity): Promise<KubernetesObject | undefined> {
    const resource = await this.resourceOf(identity);
    return await this.#client.find(metadataOnly(resource), refOf(resource, identity));
  }

  /**
   * Deletes the object, unless its owners are others by now than when it was looked at. False when it is gone. Other changes in the
   * meantime do not matter: what is written all the time would never be deleted.
   */
  async delete(identity: Identity, latest: KubernetesObject, policy: Policy): Promise<boolean> {
    const { resourceVersion } = latest.metadata;
    try {
      return await this.#deleteIf(identity, policy, { uid: identity.uid, resourceVersion });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const live = await this.find(identity);
      if (live === undefined) return false;
      const isSame =
        live.metadata.uid === identity.uid && canonicalText(ownersOf(live)) === canonicalText(ownersOf(latest));
      if (!isSame) throw error;
      return await this.#deleteIf(identity, policy, { uid: identity.uid });
    }
  }

  async #deleteIf(
    identity: Identity,
    propagationPolicy: Policy,
    preconditions: { readonly uid: string; readonly resourceVersion?: string },
  ): Promise<boolean> {
    const resource = await this.resourceOf(identity);
    const ref = refOf(resource, identity);
    try {
      await this.#client.delete(metadataOnly(resource), ref, { propagationPolicy, preconditions });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** Takes the references to these owners from the object. */
  async removeOwners(identity: Identity, uids: readonly string[]): Promise<void> {
    const ownerReferences = uids.map((uid) => ({ $patch: "delete", uid }));
    await this.#editOwners(identity, ownerReferences, (owners) => owners.filter(({ uid }) => !uids.includes(uid)));
  }

  /** The object no longer keeps its owners from being deleted in the foreground. */
  async unblockOwners(identity: Identity, owners: readonly OwnerReference[]): Promise<void> {
    const unblocked = (owner: OwnerReference) => ({ ...owner, blockOwnerDeletion: false });
    const blocking = owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
    await this.#editOwners(identity, blocking.map(unblocked), (present) => present.map(unblocked));
  }

  /** A strategic patch needs no newest version; what comes by CRDs takes merge patches alone. */
  async #editOwners(identity: Identity, ownerReferences: readonly object[], edit: Edit): Promise<void> {
    const resource = await this.resourceOf(identity);
    const [type, ref] = [metadataOnly(resource), refOf(resource, identity)];
    const patch = { metadata: { uid: identity.uid, ownerReferences } };
    await this.#client.patch(type, ref, { type: "strategic", patch }).catch(async (error: unknown) => {
      if (!isUnsupportedMediaType(error)) throw error;
      const live = await this.#client.get(type, ref);
      const { resourceVersion } = live.metadata;
      const metadata = { resourceVersion, ownerReferences: orNull(edit(ownersOf(live))) };
      await this.#client.patch(type, ref, { type: "merge", patch: { metadata } });
    });
  }

  async removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    const live = await this.find(identity);
    const { finalizers = [], resourceVersion } = live?.metadata ?? {};
    if (live?.metadata.uid !== identity.uid || !finalizers.includes(finalizer)) return;
    const resource = await this.resourceOf(identity);
    const metadata = { resourceVersion, finalizers: orNull(finalizers.filter((each) => each !== finalizer)) };
    const patch = { type: "merge", patch: { metadata } } as const;
    await this.#client.patch(metadataOnly(resource), refOf(resource, identity), patch).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

function refOf({ namespaced }: DiscoveredResource, { namespace, name }: Identity): ObjectRef {
  return namespaced ? { namespace, name } : { name };
}

function ownersOf({ metadata }: KubernetesObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** In a merge patch an empty list stays as one. */
function orNull<T>(items: readonly T[]): readonly T[] | null {
  return items.length === 0 ? null : items;
}
