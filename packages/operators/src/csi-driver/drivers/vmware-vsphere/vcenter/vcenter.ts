/** The seam to vCenter: what the checks have to know of it, */
export interface CheckedVCenter {
  readonly server: string;
  /** Of its API: `8.0.2.0`. */
  readonly version: string;
  /** A virtual machine by the UUID that its node has; undefined when this vCenter does not have it. */
  machine(uuid: string, signal: AbortSignal): Promise<VirtualMachine | undefined>;
  /** Sessions are few, and those that nobody ends last for half an hour. */
  logout(signal: AbortSignal): Promise<void>;
}

/** and what storage policies are made of. */
export interface VCenter extends CheckedVCenter {
  /** By its path in the inventory, `/DC1/datastore/fast`; undefined when there is none. */
  datastore(path: string, signal: AbortSignal): Promise<Datastore | undefined>;
  readonly tags: VCenterTags;
  readonly policies: VCenterPolicies;
}

export interface Datastore {
  readonly id: string;
  /** `ds:///vmfs/volumes/…`: what volumes that are there know it by. */
  readonly url: string;
}

export interface VCenterTags {
  category(name: string, signal: AbortSignal): Promise<TagCategory | undefined>;
  /** Returns its id, as the others do. */
  createCategory(category: Omit<TagCategory, "id">, signal: AbortSignal): Promise<string>;
  updateCategory(category: TagCategory, signal: AbortSignal): Promise<void>;
  tag(name: string, categoryId: string, signal: AbortSignal): Promise<string | undefined>;
  createTag(name: string, categoryId: string, signal: AbortSignal): Promise<string>;
  /** Ids of the tags that a datastore has. */
  tagsOf(datastore: Datastore, signal: AbortSignal): Promise<readonly string[]>;
  attach(tagId: string, datastore: Datastore, signal: AbortSignal): Promise<void>;
}

export interface TagCategory {
  readonly id: string;
  readonly name: string;
  /** What its tags can be put on: `urn:vim25:Datastore`. */
  readonly types: readonly string[];
}

export interface VCenterPolicies {
  names(signal: AbortSignal): Promise<readonly string[]>;
  /** A policy for storage that has a tag of a category. */
  create(policy: TagPolicy, signal: AbortSignal): Promise<void>;
}

export interface TagPolicy {
  readonly name: string;
  readonly category: string;
  readonly tag: string;
}

export interface VirtualMachine {
  /** `vmx-15` */
  readonly hardwareVersion: string;
  /** Where it runs. */
  readonly host: { readonly id: string; readonly version: string };
}

export interface VCenterAccess {
  readonly server: string;
  readonly port: number | undefined;
  readonly isVerified: boolean;
  readonly user: string;
  readonly password: string;
}

/** Fails with CLOUD_UNREACHABLE or CLOUD_REFUSED. */
export type ConnectVCenter<V extends CheckedVCenter = VCenter> = (
  access: VCenterAccess,
  signal: AbortSignal,
) => Promise<V>;
