import type { ManagedFieldsEntry } from "../api/generated/meta-v1.ts";
import { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers, type Manager } from "./managed-fields.ts";
import { fieldPath, type Path } from "./path-element.ts";

/** Where each version of a resource keeps its replicas; null for a version without a scale. */
export type ReplicasPaths = Readonly<Record<string, Path | null>>;

const scaleVersion = "autoscaling/v1";
const replicasInScale = fieldPath("spec", "replicas");

/** The managed fields that the scale of an object has: of whoever owns its replicas. */
export function scaleManagedFields(parent: readonly ManagedFieldsEntry[], paths: ReplicasPaths): ManagedFieldsEntry[] {
  const managers = new Map<string, Manager>();
  for (const [id, manager] of decodeManagers(parent)) {
    const path = pathIn(paths, manager.apiVersion);
    if (!path || !manager.set.has(path)) continue;
    managers.set(id, { ...manager, set: FieldSet.of(replicasInScale), apiVersion: scaleVersion });
  }
  return encodeManagers(managers);
}

export interface ScaledObject {
  readonly apiVersion: string;
  /** The managed fields of the object before its scale was written. */
  readonly parent: readonly ManagedFieldsEntry[];
  /** Those of the scale afterwards. */
  readonly scale: readonly ManagedFieldsEntry[];
  readonly paths: ReplicasPaths;
}

/** The managed fields of an object whose scale was written: whoever wrote it owns the replicas, and nobody who lost them does. */
export function scaledManagedFields({ apiVersion, parent, scale, paths }: ScaledObject): ManagedFieldsEntry[] {
  const owners = new Map([...decodeManagers(scale)].filter(([, { set }]) => set.has(replicasInScale)));
  const known = decodeManagers(parent);
  const managers = new Map<string, Manager>();
  for (const [id, manager] of known) {
    const path = pathIn(paths, manager.apiVersion);
    if (path === undefined) continue;
    // An applier is the same everywhere. An updater is another one on the scale, even if it is the same program.
    const keepsAll = path === null || !manager.set.has(path) || owners.delete(id);
    const set = keepsAll ? manager.set : manager.set.difference(FieldSet.of(path));
    if (!set.isEmpty) managers.set(id, { ...manager, set });
  }
  const path = pathIn(paths, apiVersion);
  for (const [id, owner] of owners) {
    // When it wrote the scale the original does not keep.
    if (path) managers.set(id, { ...owner, apiVersion, set: FieldSet.of(path), time: known.get(id)?.time });
  }
  return encodeManagers(managers);
}

function pathIn(paths: ReplicasPaths, apiVersion: string): Path | null | undefined {
  return Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined;
}
