import type { ResourceType } from "@stowage/machinery";

/** How a read asks for metadata alone; undefined for whole objects. */
export function acceptOf(type: ResourceType): string | undefined {
  return type.metadataOnly ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" : undefined;
}

export function acceptOfList(type: ResourceType): string | undefined {
  return type.metadataOnly ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" : undefined;
}
