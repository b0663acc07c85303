import { type KubernetesObject, StowageError } from "@stowage/machinery";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  type JsonPatchOperation,
} from "@stowage/machinery/patches";
import type { Asset } from "./asset.ts";
import { parseDocuments } from "./manifest-documents.ts";

/** A change to a base object: what makes one driver differ from the others. `name` is what failures are told by. */
export type ObjectPatch =
  | { readonly name: string; readonly type: "strategic" | "merge"; readonly patch: object }
  | { readonly name: string; readonly type: "json"; readonly patch: readonly JsonPatchOperation[] };

/** Lays patches over a base, one after the other. Neither is changed. */
export function composeObject<T extends KubernetesObject>(base: T, patches: readonly ObjectPatch[]): T {
  return patches.reduce((object, patch) => applyPatch(object, patch), structuredClone(base));
}

/** Reads a patch from YAML: a file named `*.patch` holds a JSON patch, any other a strategic merge patch. */
export function parsePatch(asset: Asset): ObjectPatch {
  const documents = parseDocuments(asset).filter((document) => document !== null && document !== undefined);
  const [patch] = documents;
  const isJson = asset.name.endsWith(".patch");
  if (documents.length !== 1 || typeof patch !== "object" || patch === null || Array.isArray(patch) !== isJson) {
    const wanted = isJson ? "one list of operations" : "one object";
    throw new StowageError("ASSET_INVALID", `${asset.name} is not a patch: it must hold ${wanted}`);
  }
  return isJson
    ? { name: asset.name, type: "json", patch: patch as JsonPatchOperation[] }
    : { name: asset.name, type: "strategic", patch };
}

function applyPatch<T extends KubernetesObject>(object: T, patch: ObjectPatch): T {
  try {
    if (patch.type === "json") return applyJsonPatch(object, patch.patch);
    return patch.type === "merge"
      ? applyMergePatch(object, patch.patch)
      : applyStrategicMergePatch(object, patch.patch);
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    throw new StowageError(error.code, `${patch.name} on ${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
