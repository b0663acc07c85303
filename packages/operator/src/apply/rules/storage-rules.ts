import { StowageError } from "@stowage/machinery";
import { isContained, isSameContent } from "../content.ts";
import type { KindRule } from "../kind-rule.ts";
import { fieldsOf, type LooseObject } from "../loose-object.ts";
import { specHashOf, withSpecHash } from "../spec-hash.ts";

/** The administrator's word on which Pods may use the driver's inline volumes. */
const inlineVolumeProfile = "security.openshift.io/csi-ephemeral-volume-profile";

/** What the API server puts in where nothing is said. */
const csiDriverDefaults = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  requiresRepublish: false,
  seLinuxMount: false,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  volumeLifecycleModes: ["Persistent"],
};

/** Most of its spec cannot be changed, so that another spec means another object. */
export const csiDriverRule: KindRule = {
  kept: { labels: [inlineVolumeProfile] },
  prepare(required) {
    const modes = fieldsOf(required, "spec")["volumeLifecycleModes"];
    const isInline = Array.isArray(modes) && modes.includes("Ephemeral");
    if (isInline && required.metadata.labels?.[inlineVolumeProfile] === undefined) {
      const which = `CSIDriver ${required.metadata.name} supports inline volumes`;
      throw new StowageError("OBJECT_REFUSED", `${which}, but has no label ${inlineVolumeProfile}`);
    }
    return withSpecHash(required);
  },
  compare(existing, required) {
    const there = fieldsOf(existing, "spec");
    const wanted = fieldsOf(required, "spec");
    // With the same hash, a field is missing that the API server has dropped, for want of a feature gate: to make the object anew
    // would not help and never end.
    if (specHashOf(existing) === specHashOf(required)) {
      return isContained(wanted, there, { mayDropZeros: false }) ? undefined : { fields: { spec: wanted } };
    }
    // Another hash alone is no reason to disturb the driver: the originals compute it from another text.
    const isSame = isSameContent({ ...csiDriverDefaults, ...wanted }, { ...csiDriverDefaults, ...there });
    return isSame ? undefined : { recreate: required };
  },
};

const storageClassDefaults = { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" };
const fixedStorageClassFields = ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"];

/** Which class is the default is set once; afterwards it is the administrator's choice. */
export const storageClassRule: KindRule = {
  kept: { annotations: ["storageclass.kubernetes.io/is-default-class"] },
  prepare: (required) => ({ ...storageClassDefaults, ...required }),
  compare: (existing, required) => compareClass(existing, required, fixedStorageClassFields),
};

export const volumeAttributesClassRule: KindRule = {
  compare: (existing, required) => compareClass(existing, required, ["driverName", "parameters"]),
};

function compareClass(existing: LooseObject, required: LooseObject, fixed: readonly string[]) {
  if (!fixed.every((field) => isSameContent(existing[field], required[field]))) return { recreate: required };
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...wanted } = required;
  return isContained(wanted, existing, { mayDropZeros: true }) ? undefined : { fields: wanted };
}
