import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, withFields } from "../../../json-fields.ts";
import { type Change, changed, changedItems } from "../defaults/field-defaults.ts";

/** Hooks that had nothing else go with it. */
const withoutSignal: Change = (container) => {
  const { stopSignal, ...hooks } = fieldsOf(container["lifecycle"]);
  if (stopSignal === undefined) return container;
  return withFields(container, { lifecycle: Object.keys(hooks).length === 0 ? undefined : hooks });
};

const withoutProjections: Change = (volume) =>
  changed(volume, {
    projected: (source) =>
      changedItems(source, {
        sources: (part) => withFields(part, { clusterTrustBundle: undefined, podCertificate: undefined }),
      }),
  });

/** What this version knows and does not do unless it is asked to: it is taken out of what is written. */
export function withoutDisabledFields(spec: JsonObject): JsonObject {
  return changedItems(withFields(spec, { schedulingGroup: undefined }), {
    containers: withoutSignal,
    initContainers: withoutSignal,
    ephemeralContainers: withoutSignal,
    volumes: withoutProjections,
  });
}

const withoutVolumeStatus: Change = (container) =>
  changedItems(container, { volumeMounts: (mount) => withFields(mount, { volumeStatus: undefined }) });

/** The same of what is reported. */
export function withoutDisabledStatus(status: JsonObject): JsonObject {
  return changedItems(withFields(status, { nodeAllocatableResourceClaimStatuses: undefined }), {
    containerStatuses: withoutVolumeStatus,
    initContainerStatuses: withoutVolumeStatus,
    ephemeralContainerStatuses: withoutVolumeStatus,
  });
}
