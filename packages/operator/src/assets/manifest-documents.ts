import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { CORE_SCHEMA, dump, intCoreTag, loadAll, mergeTag, Schema, YAMLException } from "js-yaml";
import type { Asset } from "./asset.ts";

/** Made when a manifest is read, not on loading: processes that read none should not carry it. */
function manifestSchema(): Schema {
  // `0644` is octal where Kubernetes reads YAML, and every file mode in a manifest is written so.
  const intTag = {
    ...intCoreTag,
    resolve: (source: string, isExplicit: boolean, tagName: string) =>
      /^0[0-7]+$/u.test(source) ? Number.parseInt(source, 8) : intCoreTag.resolve(source, isExplicit, tagName),
  };
  return new Schema([...CORE_SCHEMA.tags.map((tag) => (tag === intCoreTag ? intTag : tag)), mergeTag]);
}

/** The objects of a manifest, in order; empty documents are left out, and lists (`kind: List`) are taken apart. */
export function parseManifests(asset: Asset): KubernetesObject[] {
  return parseDocuments(asset)
    .filter((document) => document !== null && document !== undefined)
    .flatMap((document, index) => objectsOf(document, `document ${index + 1} of ${asset.name}`));
}

/** Whatever YAML the asset holds, document by document; a mistake is told with its line, never with what stands there. */
export function parseDocuments(asset: Asset): unknown[] {
  try {
    return loadAll(asset.text, { schema: manifestSchema() });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? "" : `, line ${error.mark.line + 1}`;
    throw new StowageError("ASSET_INVALID", `${asset.name}${line} is not YAML: ${error.reason}`);
  }
}

/** The text of objects, for assets that are put together beforehand and committed. */
export function formatManifests(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => dump(object, { lineWidth: 130, noRefs: true })).join("---\n");
}

function objectsOf(document: unknown, where: string): KubernetesObject[] {
  const { apiVersion, kind, metadata, items } = (typeof document === "object" ? document : {}) as Record<
    string,
    unknown
  >;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new StowageError("ASSET_INVALID", `${where} is not an object of Kubernetes: it has no apiVersion and kind`);
  }
  if (apiVersion === "v1" && kind === "List" && Array.isArray(items)) {
    return items.flatMap((item, index) => objectsOf(item, `item ${index + 1} of ${where}`));
  }
  if (typeof (metadata as { name?: unknown } | undefined)?.name !== "string") {
    throw new StowageError("ASSET_INVALID", `${where} (${kind}) has no metadata.name`);
  }
  return [document as KubernetesObject];
}
