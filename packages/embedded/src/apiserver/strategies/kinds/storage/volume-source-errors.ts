import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, numberOf, textOf } from "../../json-fields.ts";
import {
  backstepErrors,
  choiceErrors,
  driverNameErrors,
  labelErrors,
  rangeErrors,
  requiredErrors,
} from "./field-checks.ts";
import { iscsiErrors } from "./iscsi-errors.ts";
import { secretReferenceErrors } from "./secret-references.ts";

type SourceCheck = (source: JsonObject, path: string, volumeName: string) => FieldError[];

interface Source {
  readonly name: string;
  readonly check: SourceCheck;
  /** How messages name it where that is not its name. */
  readonly checkedAs?: string;
  readonly refusedAs?: string;
  /** One of them counts, and is never one too many. */
  readonly isNeverTooMany?: boolean;
}

/** In the order in which they are looked at. */
const sources: readonly Source[] = [
  { name: "hostPath", check: (source, path) => pathErrors(source, path, () => hostPathTypeErrors(source, path)) },
  { name: "gcePersistentDisk", check: diskCheck("pdName"), checkedAs: "persistentDisk" },
  { name: "awsElasticBlockStore", check: diskCheck("volumeID") },
  { name: "glusterfs", check: glusterErrors },
  { name: "flocker", check: flockerErrors },
  { name: "nfs", check: nfsErrors },
  { name: "rbd", check: needing("monitors", "image") },
  { name: "quobyte", check: quobyteErrors },
  { name: "cephfs", check: needing("monitors"), refusedAs: "cephFS" },
  { name: "iscsi", check: iscsiErrors },
  { name: "cinder", check: cinderErrors },
  { name: "fc", check: fibreChannelErrors },
  { name: "flexVolume", check: flexErrors, isNeverTooMany: true },
  { name: "azureFile", check: azureFileErrors },
  { name: "vsphereVolume", check: needing("volumePath") },
  { name: "photonPersistentDisk", check: needing("pdID") },
  { name: "portworxVolume", check: needing("volumeID") },
  { name: "azureDisk", check: azureDiskErrors },
  { name: "scaleIO", check: needing("gateway", "system", "volumeName") },
  { name: "local", check: (source, path) => pathErrors(source, path, () => []) },
  { name: "storageos", check: storageOsErrors },
  { name: "csi", check: csiErrors },
];

export interface CheckedSources {
  readonly errors: FieldError[];
  readonly count: number;
}

/** A volume is in one place: of a second one only that it is one too many is told. */
export function volumeSourceErrors(spec: JsonObject, path: string, volumeName: string): CheckedSources {
  const errors: FieldError[] = [];
  let count = 0;
  for (const { name, check, checkedAs = name, refusedAs = name, isNeverTooMany = false } of sources) {
    const source = spec[name];
    if (!isFields(source)) continue;
    if (count > 0 && !isNeverTooMany) {
      errors.push(forbidden(`${path}.${refusedAs}`, "may not specify more than 1 volume type"));
      continue;
    }
    count++;
    errors.push(...check(source, `${path}.${checkedAs}`, volumeName));
    if (name === "local" && spec["nodeAffinity"] === undefined) {
      errors.push(required(`${path}.nodeAffinity`, "Local volume requires node affinity"));
    }
  }
  return { errors, count };
}

function needing(...names: string[]): SourceCheck {
  return (source, path) => requiredErrors(source, path, names);
}

function diskCheck(name: string): SourceCheck {
  return (source, path) => {
    const partition = numberOf(source["partition"]) ?? 0;
    const isWrong = partition < 0 || partition > 255;
    return [
      ...requiredErrors(source, path, [name]),
      ...(isWrong ? [invalid(`${path}.partition`, partition, "must be between 1 and 255, inclusive")] : []),
    ];
  };
}

function pathErrors(source: JsonObject, path: string, others: () => FieldError[]): FieldError[] {
  const missing = requiredErrors(source, path, ["path"]);
  return missing.length > 0 ? missing : [...backstepErrors(textOf(source["path"]), `${path}.path`), ...others()];
}

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function hostPathTypeErrors(source: JsonObject, path: string): FieldError[] {
  return choiceErrors(source["type"], `${path}.type`, hostPathTypes);
}

function glusterErrors(source: JsonObject, path: string): FieldError[] {
  const errors = requiredErrors(source, path, ["endpoints", "path"]);
  const namespace = source["endpointsNamespace"];
  const at = `${path}.endpointsNamespace`;
  if (namespace === undefined) return errors;
  const detail = "if the endpointnamespace is set, it must be a valid namespace name";
  return [...errors, ...(namespace === "" ? [invalid(at, "", detail)] : labelErrors(textOf(namespace), at))];
}

function flockerErrors(source: JsonObject, path: string): FieldError[] {
  const [name, uuid] = [textOf(source["datasetName"]), textOf(source["datasetUUID"])];
  const both = "datasetName and datasetUUID can not be specified simultaneously";
  return [
    ...(name === "" && uuid === "" ? [required(path, "one of datasetName and datasetUUID is required")] : []),
    ...(name !== "" && uuid !== "" ? [invalid(path, "resource", both)] : []),
    ...(name.includes("/") ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

function nfsErrors(source: JsonObject, path: string): FieldError[] {
  const place = textOf(source["path"]);
  return [
    ...requiredErrors(source, path, ["server", "path"]),
    ...(place.startsWith("/") ? [] : [invalid(`${path}.path`, place, "must be an absolute path")]),
  ];
}

const pairs = "must be a host:port pair or multiple pairs separated by commas";
const pair = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/u;

function quobyteErrors(source: JsonObject, path: string): FieldError[] {
  const registry = textOf(source["registry"]);
  return [...ofRegistry(), ...requiredErrors(source, path, ["volume"])];

  function ofRegistry(): FieldError[] {
    if (registry === "") return [required(`${path}.registry`, pairs)];
    if (Buffer.byteLength(textOf(source["tenant"])) >= 65) {
      return [required(`${path}.tenant`, "must be a UUID and may not exceed a length of 64 characters")];
    }
    const wrong = registry.split(",").filter((each) => !pair.test(each));
    return wrong.map(() => invalid(`${path}.registry`, registry, pairs));
  }
}

function cinderErrors(source: JsonObject, path: string): FieldError[] {
  return [...requiredErrors(source, path, ["volumeID"]), ...namedSecretErrors(source, path)];
}

/** Both names must be there, whatever they are. */
function namedSecretErrors(source: JsonObject, path: string): FieldError[] {
  const secret = source["secretRef"];
  return isFields(secret) ? requiredErrors(secret, `${path}.secretRef`, ["name", "namespace"]) : [];
}

function fibreChannelErrors(source: JsonObject, path: string): FieldError[] {
  const names = listOf(source["targetWWNs"]);
  const ids = listOf(source["wwids"]);
  const at = `${path}.targetWWNs`;
  const lun = numberOf(source["lun"]);
  const ofLun =
    lun === undefined
      ? [required(`${path}.lun`, "lun is required if targetWWNs is specified")]
      : rangeErrors(lun, `${path}.lun`, [0, 255]);
  return [
    ...(names.length + ids.length === 0 ? [required(at, "must specify either targetWWNs or wwids, but not both")] : []),
    ...(names.length > 0 && ids.length > 0
      ? [invalid(at, names, "targetWWNs and wwids can not be specified simultaneously")]
      : []),
    ...(names.length > 0 ? ofLun : []),
  ];
}

const reserved = /\.(?:kubernetes|k8s)\.io$/u;

function flexErrors(source: JsonObject, path: string): FieldError[] {
  const keys = Object.keys(fieldsOf(source["options"])).filter((key) => {
    return reserved.test(`.${key.split("/", 1)[0]?.toLowerCase() ?? ""}`);
  });
  const detail = "kubernetes.io and k8s.io namespaces are reserved";
  return [
    ...requiredErrors(source, path, ["driver"]),
    ...keys.map((key) => invalid(`${path}.options[${key}]`, key, detail)),
  ];
}

function azureFileErrors(source: JsonObject, path: string): FieldError[] {
  const namespace = source["secretNamespace"] ?? undefined;
  return requiredErrors(source, path, [
    "secretName",
    "shareName",
    ...(namespace === undefined ? [] : ["secretNamespace"]),
  ]);
}

const managedForm = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobForm = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

function azureDiskErrors(source: JsonObject, path: string): FieldError[] {
  const { kind, cachingMode } = source;
  const [beginning, form] = kind === "Managed" ? ["/subscriptions/", managedForm] : ["https://", blobForm];
  const disk = textOf(source["diskURI"]);
  return [
    ...requiredErrors(source, path, ["diskName", "diskURI"]),
    ...choiceErrors(cachingMode, `${path}.cachingMode`, ["None", "ReadOnly", "ReadWrite"]),
    ...choiceErrors(kind, `${path}.kind`, ["Dedicated", "Managed", "Shared"]),
    ...(kind === undefined || disk.startsWith(beginning) ? [] : [notSupported(`${path}.diskURI`, disk, [form])]),
  ];
}

function storageOsErrors(source: JsonObject, path: string): FieldError[] {
  const [name, namespace] = [textOf(source["volumeName"]), textOf(source["volumeNamespace"])];
  return [
    ...(name === "" ? [required(`${path}.volumeName`)] : labelErrors(name, `${path}.volumeName`)),
    ...(namespace === "" ? [] : labelErrors(namespace, `${path}.volumeNamespace`)),
    ...namedSecretErrors(source, path),
  ];
}

const checkedSecrets = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function csiErrors(source: JsonObject, path: string): FieldError[] {
  return [
    ...driverNameErrors(textOf(source["driver"]), `${path}.driver`),
    ...requiredErrors(source, path, ["volumeHandle"]),
    ...checkedSecrets.flatMap((name) => secretReferenceErrors(source[name], `${path}.${name}`)),
  ];
}
