import { isAlreadyExists, type KubeClient } from "@stowage/kube";
import type { Clock, ClusterOperator, ClusterRole, KubernetesObject, Role } from "@stowage/machinery";
import { type ApplyDeps, applyObject, deleteObject, isKindMissing, targetOf } from "@stowage/operator";
import { isClusterOperator, isCreateOnly, isDeletion, type PayloadManifest } from "../payload/index.ts";
import { applyClusterOperator } from "./cluster-operator-apply.ts";
import { applyDefinition } from "./definition-apply.ts";

export interface ManifestDeps extends Omit<ApplyDeps, "local" | "known" | "client" | "mapper"> {
  readonly client: KubeClient;
  readonly mapper: ApplyDeps["mapper"] & { invalidate(): void };
  readonly clock: Clock;
  /** What is there, as far as it is known: read first, where others are created first. */
  readonly known: Set<string>;
  findClusterOperator(name: string): ClusterOperator | undefined;
}

export interface ManifestOptions {
  /** The payload has been applied before, if not by this process: what is in it is there, most likely. */
  readonly mayExist: boolean;
  readonly signal: AbortSignal;
}

/** The object as it is now; undefined when it is not to be there, `lingers` while it waits for its finalizers. */
export type Applied = { readonly object: KubernetesObject } | { readonly lingers: boolean };

/** Makes one object of the payload what it should be, by what its annotations and its kind ask for. */
export async function applyManifest(
  deps: ManifestDeps,
  manifest: PayloadManifest,
  options: ManifestOptions,
): Promise<Applied> {
  try {
    return await applyOnce(deps, manifest, options);
  } catch (error) {
    if (!isKindMissing(error)) throw error;
    // Its definition may have come a moment ago, with this very payload.
    deps.mapper.invalidate();
    return applyOnce(deps, manifest, options);
  }
}

async function applyOnce(deps: ManifestDeps, manifest: PayloadManifest, options: ManifestOptions): Promise<Applied> {
  if (isDeletion(manifest)) return { lingers: await ensureGone(deps, manifest, options) };
  if (isClusterOperator(manifest)) return { object: await applyClusterOperator(deps, manifest, options.signal) };
  if (options.mayExist) deps.known.add((await targetOf(deps, manifest.object)).key);
  if (isCreateOnly(manifest)) return { object: await ensureThere(deps, manifest, options.signal) };
  const { object } = manifest;
  switch (object.kind) {
    case "CustomResourceDefinition":
      return { object: await applyDefinition(deps, object, options.signal) };
    case "Role":
    case "ClusterRole":
      return { object: await applyRole(deps, object as Role | ClusterRole, options.signal) };
    default:
      return { object: (await applyObject(deps, object, { signal: options.signal })).object };
  }
}

/** Read first: as a rule it went with an earlier payload, and a request to delete nothing is a write to whoever reads the audit log. */
async function ensureGone(
  deps: ManifestDeps,
  { object }: PayloadManifest,
  { signal }: ManifestOptions,
): Promise<boolean> {
  const existing = await findForDeletion(deps, object, signal);
  if (existing === undefined) return false;
  if (existing.metadata.deletionTimestamp !== undefined) return true;
  return (await deleteObject(deps, object, { propagationPolicy: "Background", signal })) === "deleting";
}

/** What the cluster does not even have the kind of is gone. */
async function findForDeletion(
  deps: ManifestDeps,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    const { type, ref } = await targetOf(deps, object);
    return await deps.client.find(type, ref, { signal });
  } catch (error) {
    if (isKindMissing(error)) return undefined;
    throw error;
  }
}

/** Whatever it has become since it was made, it stays. */
async function ensureThere(
  deps: ManifestDeps,
  { object }: PayloadManifest,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const { type, ref, key } = await targetOf(deps, object);
  const existing = deps.known.has(key) ? await deps.client.find(type, ref, { signal }) : undefined;
  if (existing !== undefined) return existing;
  try {
    return await deps.client.create(type, object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return deps.client.get(type, ref, { signal });
  } finally {
    deps.known.add(key);
  }
}

/**
 * A new role is made without rules, and given them by a second write: the right to give more than one has (`escalate`) can be
 * restricted to roles by name, but the server does not look at the name in a request that creates.
 */
async function applyRole(deps: ManifestDeps, role: Role | ClusterRole, signal: AbortSignal): Promise<KubernetesObject> {
  const { type, ref, key } = await targetOf(deps, role);
  if (deps.known.has(key)) {
    const found = await deps.client.find(type, ref, { signal });
    if (found !== undefined) return applyTo(deps, role, found, signal);
  }
  const { rules: _rules, aggregationRule: _aggregation, ...bare } = role as ClusterRole;
  try {
    const created = await deps.client.create<KubernetesObject>(type, { ...bare, rules: [] } as KubernetesObject, {
      signal,
    });
    deps.known.add(key);
    return await applyTo(deps, role, created, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    deps.known.add(key);
    return (await applyObject(deps, role, { signal })).object;
  }
}

/** Without another look at the server: this is what is there. */
async function applyTo(
  deps: ManifestDeps,
  object: KubernetesObject,
  existing: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const local = { covers: () => true, find: () => existing };
  return (await applyObject({ ...deps, local }, object, { signal })).object;
}
