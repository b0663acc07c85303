import type { JsonObject } from "@stowage/machinery/apply";
import { textOf } from "../../../json-fields.ts";
import { fieldReferenceDefaults, resourceReferenceForm } from "./container-defaults.ts";
import {
  type Change,
  changed,
  changedItems,
  resourceDefaults,
  withDefaults,
  withPointerDefaults,
} from "./field-defaults.ts";
import { defaultPullPolicy } from "./image-tag.ts";

/** 0644 */
const fileMode = 420;

const withFileMode: Change = (source) => withPointerDefaults(source, { defaultMode: fileMode });

const downwardFile: Change = (file) =>
  changed(file, { fieldRef: fieldReferenceDefaults, resourceFieldRef: resourceReferenceForm });

const downwardFiles: Change = (source) => changedItems(source, { items: downwardFile });

const projection: Change = (source) =>
  changed(source, {
    downwardAPI: downwardFiles,
    serviceAccountToken: (token) => withPointerDefaults(token, { expirationSeconds: 3600 }),
  });

const claimTemplate: Change = (template) => changed({ spec: {}, ...template }, { spec: claimSpecDefaults });

const sources: Readonly<Record<string, Change>> = {
  hostPath: (source) => withPointerDefaults(source, { type: "" }),
  secret: withFileMode,
  iscsi: (source) => withDefaults(source, { iscsiInterface: "default" }),
  rbd: (source) => withDefaults(source, { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  downwardAPI: (source) => downwardFiles(withFileMode(source)),
  configMap: withFileMode,
  azureDisk: (source) =>
    withPointerDefaults(source, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  projected: (source) => changedItems(withFileMode(source), { sources: projection }),
  scaleIO: (source) => withDefaults(source, { storageMode: "ThinProvisioned", fsType: "xfs" }),
  ephemeral: (source) => changed(source, { volumeClaimTemplate: claimTemplate }),
  image: (source) => withDefaults(source, { pullPolicy: defaultPullPolicy(textOf(source["reference"])) }),
};

function claimSpecDefaults(spec: JsonObject): JsonObject {
  return changed(withPointerDefaults(spec, { volumeMode: "Filesystem" }), { resources: resourceDefaults });
}

/** A volume that says nothing of where it comes from is an empty directory. */
export function volumeDefaults(volume: JsonObject): JsonObject {
  const hasSource = Object.keys(volume).some((name) => name !== "name");
  return changed(hasSource ? volume : { ...volume, emptyDir: {} }, sources);
}
