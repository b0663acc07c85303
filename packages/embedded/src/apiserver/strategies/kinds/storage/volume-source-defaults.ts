import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { isFields, withFields } from "../../json-fields.ts";

/** By source. Of texts that are empty the original knows no more than of those that are left out. */
const ifEmpty: Readonly<Record<string, JsonObject>> = {
  iscsi: { iscsiInterface: "default" },
  rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
  scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" },
};

const ifMissing: Readonly<Record<string, JsonObject>> = {
  azureDisk: { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
  hostPath: { type: "" },
};

/** What is left out of where a volume is. */
export function volumeSourceDefaults(spec: JsonObject): JsonObject {
  const changes = [...Object.keys(ifEmpty), ...Object.keys(ifMissing)]
    .filter((name) => isFields(spec[name]))
    .map((name): [string, JsonValue] => [name, completed(spec[name] as JsonObject, name)]);
  return withFields(spec, Object.fromEntries(changes));
}

function completed(source: JsonObject, name: string): JsonObject {
  const missing = Object.entries(ifMissing[name] ?? {}).filter(([field]) => source[field] === undefined);
  const empty = Object.entries(ifEmpty[name] ?? {}).filter(([field]) => (source[field] ?? "") === "");
  return withFields(source, Object.fromEntries([...missing, ...empty]));
}
