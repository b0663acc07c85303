import type { TopologyRequirement, VolumeContentSource } from "../../generated/csi_pb.js";
import { identifier } from "./text-checks.ts";
import { type FieldCheck, invalid } from "./violation.ts";

export const contentSource: FieldCheck<VolumeContentSource | undefined> = (source) => {
  if (source === undefined) return undefined;
  const { type } = source;
  if (type.case === undefined) return invalid("names no source: set snapshot or volume, or leave the field out");
  const id = type.case === "snapshot" ? type.value.snapshotId : type.value.volumeId;
  return id === "" ? invalid(`has no ID of the ${type.case}: set it`) : identifier(id);
};

export const topologyRequirement: FieldCheck<TopologyRequirement | undefined> = (requirement) => {
  if (requirement === undefined || requirement.requisite.length > 0 || requirement.preferred.length > 0) {
    return undefined;
  }
  return invalid("is empty: give requisite or preferred topologies, or leave the field out");
};
